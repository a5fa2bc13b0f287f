"""Where what a person keeps is kept: where the system has such things, or all in one folder."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

SETTINGS_FOLDER = "XIMSTUDIO_SETTINGS"
"""Environment variable that moves all of it, for tests and for sticks."""


def settings_folder() -> Path:
    """The folder of settings and presets."""
    return _moved() or platformdirs.user_config_path("ximstudio", appauthor=False)


def data_folder() -> Path:
    """The folder of tables that came as text, and have no file of their own."""
    return _moved() or platformdirs.user_data_path("ximstudio", appauthor=False)


def _moved() -> Path | None:
    folder = os.environ.get(SETTINGS_FOLDER)
    return Path(folder) if folder else None
