"""Folders of the user's settings and data: the system's usual ones, or a single folder."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

SETTINGS_FOLDER = "XIMSTUDIO_SETTINGS"
"""Environment variable that moves all of it, for tests and for portable installations."""


def settings_folder() -> Path:
    """Folder of settings and presets."""
    return _moved() or platformdirs.user_config_path("ximstudio", appauthor=False)


def data_folder() -> Path:
    """Folder of autosaves and of pasted tables, which have no file of their own."""
    return _moved() or platformdirs.user_data_path("ximstudio", appauthor=False)


def _moved() -> Path | None:
    folder = os.environ.get(SETTINGS_FOLDER)
    return Path(folder) if folder else None
