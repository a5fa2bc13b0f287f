"""Base class of the pages of the export dialog."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, count
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from ximstudio.load import Report
from ximstudio.ui.dialogs.exporting.exporter import Exporter

KILO = 1000
UNITS = ("bytes", "kB", "MB", "GB")


class ExportPage(QWidget):
    """Page of the export dialog, whose buttons act on the current page."""

    key: ClassVar[str]
    name: ClassVar[str]
    about: ClassVar[str]
    copies: ClassVar[str] = ""
    """Tooltip of the copy button; '' if there is nothing to copy."""

    changed = Signal()
    """The available actions have changed."""
    announced = Signal(str, object)
    """An action was done: its description, and the written file or None."""
    refused = Signal(object)
    """Problems to show on this page."""

    def __init__(self, exporting: Exporter) -> None:
        super().__init__()
        self.exporting = exporting
        self.setAccessibleName(self.name)
        self.setWhatsThis(self.about)

    def show_session(self) -> None:
        """Update the page; called only while it is visible."""
        raise NotImplementedError

    @property
    def why_not(self) -> str:
        """The reason why saving and copying are unavailable; '' if they are available."""
        return ""

    def copy(self) -> None:
        """Copy to the clipboard."""

    def save(self, *, ask: bool) -> None:
        """Write a file, at once in the last folder or to a file chosen by the user."""
        raise NotImplementedError

    # Files

    def to_file(
        self,
        name: str,
        kinds: Mapping[str, str],
        *,
        chosen: str,
        then: Callable[[Path], None],
        ask: bool,
    ) -> None:
        """Determine the file to write, and continue with it.

        `kinds` maps suffixes to names, `chosen` is one of them. Without asking, it is a new file in
        the last folder. When the user is asked, the suffix decides the format: it follows the
        chosen kind unless the user types another one. Qt asks before a file is replaced.
        """
        if not ask:
            then(unused(self.exporting.folder / f"{name}.{chosen}"))
            return
        filters = {f"{called} (*.{suffix})": suffix for suffix, called in kinds.items()}
        dialog = QFileDialog(self.window(), "Save as", str(self.exporting.folder))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setNameFilters(list(filters))
        dialog.selectNameFilter(next(text for text, end in filters.items() if end == chosen))
        dialog.setDefaultSuffix(chosen)
        dialog.selectFile(f"{name}.{chosen}")

        def follow(text: str) -> None:
            suffix = filters[text]
            dialog.setDefaultSuffix(suffix)
            selected = dialog.selectedFiles()
            if selected and Path(selected[0]).suffix.lstrip(".") in kinds:
                dialog.selectFile(Path(selected[0]).with_suffix(f".{suffix}").name)

        def take(selected: str) -> None:
            self.exporting.remember_folder(Path(selected))
            then(Path(selected))

        dialog.filterSelected.connect(follow)
        dialog.fileSelected.connect(take)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def make_file(self, path: Path, work: Callable[[Report], int]) -> None:
        """Make a file by work that returns its length, and say so."""

        def done(n_bytes: int) -> None:
            self.announced.emit(f"Saved {path.name} · {length_text(n_bytes)}", path)

        self.exporting.make(work, done, self.refused.emit)


def unused(path: Path) -> Path:
    """Return an unused path: this one, or with a number from 2 on appended."""
    numbered = (path.with_stem(f"{path.stem} {number}") for number in count(2))
    return next(each for each in chain((path,), numbered) if not each.exists())


def length_text(n_bytes: int) -> str:
    """Return the size of a file as text: "812 bytes", "212 kB", "3.4 MB"."""
    value, unit = float(n_bytes), 0
    while value >= KILO and unit < len(UNITS) - 1:
        value, unit = value / KILO, unit + 1
    digits = 1 if unit > 1 and value < 10 else 0
    return f"{value:.{digits}f} {UNITS[unit]}"
