"""Pasted text, kept as a file: a session must be able to read its table again."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from pathlib import Path


def kept(text: str, folder: Path | None = None) -> Path:
    """Write a pasted text to the folder for the program's data, and return the file."""
    if folder is None:
        import platformdirs

        folder = Path(platformdirs.user_data_dir("ximstudio", appauthor=False)) / "pasted"
    folder.mkdir(parents=True, exist_ok=True)
    moment = datetime.now().astimezone().strftime("%Y-%m-%d %H.%M.%S")
    path = folder / f"Pasted {moment}.txt"
    number = 2
    while path.exists():
        path = folder / f"Pasted {moment} ({number}).txt"
        number += 1
    # As it was copied: line ends inside cells are data.
    path.write_text(text, encoding="utf-8", errors="replace", newline="")
    return path


def sweep(folder: Path, wanted: Collection[Path]) -> None:
    """Delete pasted texts that are no longer needed."""
    for path in folder.glob("Pasted *.txt"):
        if path not in wanted:
            # A file that is open elsewhere is deleted next time.
            with suppress(OSError):
                path.unlink()
