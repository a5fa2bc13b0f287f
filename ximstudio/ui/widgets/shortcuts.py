"""Key bindings of the window, used by the shortcuts and the help page."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio import views


@dataclass(frozen=True, kw_only=True)
class KeyBinding:
    """A key binding and its description."""

    key: str
    keys: str
    does: str


OPEN = KeyBinding(key="open", keys="Ctrl+O", does="Open a table, a session or an exported figure")
SAVE = KeyBinding(key="save", keys="Ctrl+S", does="Save the session")
SAVE_AS = KeyBinding(key="save_as", keys="Ctrl+Shift+S", does="Save the session as…")
PASTE = KeyBinding(key="paste", keys="Ctrl+V", does="Open copied cells (on the welcome page)")
TRAIN = KeyBinding(key="train", keys="Ctrl+R", does="Train, or continue after a pause")
STOP = KeyBinding(key="stop", keys="Esc", does="Stop training and keep the map; cancel other work")
UNDO = KeyBinding(key="undo", keys="Ctrl+Z", does="Undo")
REDO = KeyBinding(key="redo", keys="Ctrl+Shift+Z", does="Redo")
ALL = KeyBinding(key="all", keys="Ctrl+A", does="Select all")
NONE = KeyBinding(key="none", keys="Ctrl+Shift+A", does="Clear the selection")
INVERT = KeyBinding(key="invert", keys="Ctrl+I", does="Invert the selection")
BEFORE = KeyBinding(key="before", keys="Ctrl+Shift+P", does="Restore the previous selection")
ZOOM = KeyBinding(key="zoom", keys="Ctrl+D", does="Train a finer map of the selection")
UP = KeyBinding(key="up", keys="Alt+Up", does="Go back to the parent map")
FIND = KeyBinding(key="find", keys="Ctrl+F", does="Find by name")
CLUSTERS = KeyBinding(key="clusters", keys="Ctrl+K", does="Find clusters")
SIMILAR = KeyBinding(key="similar", keys="Ctrl+M", does="Find similar profiles")
PLACE = KeyBinding(key="place", keys="Ctrl+Shift+O", does="Place a file on this map…")
EXPORT = KeyBinding(
    key="export", keys="Ctrl+E", does="Export figures, texts, tables, scripts and reports"
)
RENAME = KeyBinding(key="rename", keys="F2", does="Rename the focused run")
DELETE = KeyBinding(key="delete", keys="Del", does="Delete the focused run")
QUIT = KeyBinding(key="quit", keys="Ctrl+Q", does="Close the window")
HELP = KeyBinding(key="help", keys="F1", does="Help on the focused part of the window")


def all_keys() -> tuple[KeyBinding, ...]:
    """Return every key of the window, in the order of the help page."""
    names = [kind.name for kind in views.VIEWS]
    view = KeyBinding(key="view", keys=f"Ctrl+1 … {len(names)}", does=", ".join(names))
    session = (OPEN, SAVE, SAVE_AS, PASTE, TRAIN, STOP, UNDO, REDO)
    items = (ALL, NONE, INVERT, BEFORE, ZOOM, UP, FIND, CLUSTERS, SIMILAR, PLACE)
    return (*session, *items, EXPORT, view, RENAME, DELETE, HELP, QUIT)
