"""Files that come with the program."""

from __future__ import annotations

from pathlib import Path


def asset(*names: str) -> Path:
    """Path of a file of `resources/`, in an installation as in a checkout."""
    package = Path(__file__).parent
    installed = package / "resources"
    folder = installed if installed.is_dir() else package.parent / "resources"
    return folder.joinpath(*names)
