"""What the pages of the export dialog have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, count
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from ximstudio.load import Report
from ximstudio.ui.exporting import Exporting, Refused

KILO = 1000
UNITS = ("bytes", "kB", "MB", "GB")


class ExportPage(QWidget):
    """One thing to take along. The dialog has the buttons, and asks the page that is seen."""

    key: ClassVar[str]
    name: ClassVar[str]
    about: ClassVar[str]
    copies: ClassVar[str] = ""
    """What its button copies; '' if there is nothing to copy."""

    changed = Signal()
    """Other things than before can be done."""
    told = Signal(str, object)
    """Something was done: what, for people, and the file that was made, or None."""
    refused = Signal(object)
    """Problems that stood in the way, to be shown here."""

    def __init__(self, exporting: Exporting) -> None:
        super().__init__()
        self.exporting = exporting
        self.setAccessibleName(self.name)
        self.setWhatsThis(self.about)

    def show_session(self) -> None:
        """Show what there is to be taken along now; only while the page is seen."""
        raise NotImplementedError

    @property
    def why_not(self) -> str:
        """Why nothing can be saved or copied now; '' if it can."""
        return ""

    def copy(self) -> None:
        """Put it on the clipboard."""

    def save(self, *, ask: bool) -> None:
        """Write it: at once beside what was saved last, or to a file that is asked for."""
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
        """Find the file to write to, and go on.

        `kinds` are names by the ends of files, `chosen` is one of these. Without being asked,
        the user gets a new file in the folder where something was saved last.
        """
        if ask:
            self._ask_file(name, kinds, chosen=chosen, then=then)
        else:
            then(unused(self.exporting.folder / f"{name}.{chosen}"))

    def _ask_file(
        self, name: str, kinds: Mapping[str, str], *, chosen: str, then: Callable[[Path], None]
    ) -> None:
        """Ask where to save.

        The end of the name decides: it follows the kind that is chosen, and the user may write
        another one. Qt asks before a file is written over.
        """
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

    def take(self, outcome: object, then: Callable[[], None]) -> None:
        """Show what was refused, or go on."""
        if isinstance(outcome, Refused):
            self.refused.emit(outcome.problems)
        else:
            then()

    def save_text(self, path: Path, text: str) -> None:
        """Have a text written, and say so."""

        def work(report: Report) -> int:
            from ximstudio.prepare.memory import write_whole

            content = text.encode("utf-8")
            report(0.5)
            write_whole(path, content)
            return len(content)

        self.exporting.make(work, lambda outcome: self.tell_saved(path, outcome))

    def tell_saved(self, path: Path, n_bytes: int | Refused) -> None:
        """Say that a file was made, and how long it is; or why it was not."""
        if isinstance(n_bytes, Refused):
            self.refused.emit(n_bytes.problems)
        else:
            self.told.emit(f"Saved {path.name} · {length_text(n_bytes)}", path)


def unused(path: Path) -> Path:
    """Path that no file has: this one, or with a number from 2 on behind its name."""
    numbered = (path.with_stem(f"{path.stem} {number}") for number in count(2))
    return next(each for each in chain((path,), numbered) if not each.exists())


def length_text(n_bytes: int) -> str:
    """How long a file is: "812 bytes", "212 kB", "3.4 MB"."""
    value, unit = float(n_bytes), 0
    while value >= KILO and unit < len(UNITS) - 1:
        value, unit = value / KILO, unit + 1
    digits = 1 if unit > 1 and value < 10 else 0
    return f"{value:.{digits}f} {UNITS[unit]}"
