"""The keys of the window, named once: the shortcuts and the help page both read them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Key:
    """A key, and what it does."""

    key: str
    keys: str
    does: str


OPEN = Key(key="open", keys="Ctrl+O", does="Open a table")
PASTE = Key(key="paste", keys="Ctrl+V", does="Open the cells that were copied, on the first page")
TRAIN = Key(key="train", keys="Ctrl+R", does="Train, or go on after a pause")
STOP = Key(key="stop", keys="Esc", does="Stop training and keep the map; cancel other work")
VIEW = Key(key="view", keys="Ctrl+1 … 3", does="Map, positions, quality")
RENAME = Key(key="rename", keys="F2", does="Rename the run that the keyboard is at")
DELETE = Key(key="delete", keys="Del", does="Delete the run that the keyboard is at")
QUIT = Key(key="quit", keys="Ctrl+Q", does="Close the window")
HELP = Key(key="help", keys="F1", does="This page, with what is in focus on top")

KEYS = (OPEN, PASTE, TRAIN, STOP, VIEW, RENAME, DELETE, HELP, QUIT)
