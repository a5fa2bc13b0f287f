"""The keys of the window, named once: the shortcuts and the help page both read them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Key:
    """A key, and what it does."""

    key: str
    keys: str
    does: str


OPEN = Key(key="open", keys="Ctrl+O", does="Open a table, a session, or a figure of ours")
SAVE = Key(key="save", keys="Ctrl+S", does="Save the session")
SAVE_AS = Key(key="save_as", keys="Ctrl+Shift+S", does="Save the session as another file…")
PASTE = Key(key="paste", keys="Ctrl+V", does="Open the cells that were copied, on the first page")
TRAIN = Key(key="train", keys="Ctrl+R", does="Train, or go on after a pause")
STOP = Key(key="stop", keys="Esc", does="Stop training and keep the map; cancel other work")
UNDO = Key(key="undo", keys="Ctrl+Z", does="Take the last step back")
REDO = Key(key="redo", keys="Ctrl+Shift+Z", does="Do again what was taken back")
ALL = Key(key="all", keys="Ctrl+A", does="Choose everything on the map")
NONE = Key(key="none", keys="Ctrl+Shift+A", does="Choose nothing")
INVERT = Key(key="invert", keys="Ctrl+I", does="Choose what is not chosen")
BEFORE = Key(key="before", keys="Ctrl+Shift+P", does="Choose what was chosen before")
ZOOM = Key(key="zoom", keys="Ctrl+D", does="Train a finer map of what is chosen")
UP = Key(key="up", keys="Alt+Up", does="Go back to the map that this one is a part of")
FIND = Key(key="find", keys="Ctrl+F", does="Find by name")
CLUSTERS = Key(key="clusters", keys="Ctrl+K", does="Clusters of the map")
SIMILAR = Key(key="similar", keys="Ctrl+M", does="Find similar profiles")
PLACE = Key(key="place", keys="Ctrl+Shift+O", does="Place a file on this map…")
EXPORT = Key(key="export", keys="Ctrl+E", does="Export figures, texts, tables and scripts")
RENAME = Key(key="rename", keys="F2", does="Rename the run that the keyboard is at")
DELETE = Key(key="delete", keys="Del", does="Delete the run that the keyboard is at")
QUIT = Key(key="quit", keys="Ctrl+Q", does="Close the window")
HELP = Key(key="help", keys="F1", does="This page, with what is in focus on top")


def all_keys() -> tuple[Key, ...]:
    """Every key of the window, in the order of the help page."""
    return (
        OPEN,
        SAVE,
        SAVE_AS,
        PASTE,
        TRAIN,
        STOP,
        UNDO,
        REDO,
        ALL,
        NONE,
        INVERT,
        BEFORE,
        ZOOM,
        UP,
        FIND,
        CLUSTERS,
        SIMILAR,
        PLACE,
        EXPORT,
        _view_key(),
        RENAME,
        DELETE,
        HELP,
        QUIT,
    )


def _view_key() -> Key:
    """The keys of the views, by the names on their tabs."""
    # Late: the first page does without views.
    from ximstudio.ui.views import VIEWS

    names = ", ".join(view.name for view in VIEWS)
    return Key(key="view", keys=f"Ctrl+1 … {len(VIEWS)}", does=names)
