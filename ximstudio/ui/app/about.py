"""About dialog: version, licence, citation, and the versions of the libraries."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from ximstudio import __version__
from ximstudio.ui.runtime.messages import put_on_clipboard
from ximstudio.ui.widgets.boxes import STRETCH, Part, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, label, line

LICENCE = "BSD 3-Clause licence"
WIDTH = 480
CITATION = (
    "A. Wismüller, A Computational Framework for Nonlinear Dimensionality Reduction of Large Data"
    " Sets: The Exploratory Inspection Machine (XIM), technical report, version 1.0."
)
LIBRARIES = {
    "Qt for Python": "PySide6-Essentials",
    "pyqtgraph": "pyqtgraph",
    "NumPy": "numpy",
    "SciPy": "scipy",
    "Numba": "numba",
    "pandas": "pandas",
    "scikit-learn": "scikit-learn",
    "Matplotlib": "matplotlib",
    "h5py": "h5py",
}
"""Name of a library → the package whose version is shown."""
COLUMNS = 3


def versions() -> dict[str, str]:
    """Return name → version of Python and of all installed libraries."""
    found = {"Python": platform.python_version(), "Qt": qVersion()}
    for name, package in LIBRARIES.items():
        try:
            found[name] = version(package)
        except PackageNotFoundError:
            continue
    return found


def about_text() -> str:
    """Return everything the dialog shows, to paste into a report."""
    made_with = "\n".join(f"{name} {number}" for name, number in versions().items())
    system = platform.platform(terse=True)
    return f"XIM Studio {__version__}, {LICENCE}\n{system}\n{made_with}\n\n{CITATION}\n"


class AboutDialog(QDialog):
    """About dialog whose texts can be selected and copied."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("About XIM Studio")
        self.setFixedWidth(WIDTH)
        self.cite = button("Copy citation", icon_name="copy")
        self.copy = button(
            "Copy all", tip="Copy versions, system and citation, to paste into a report"
        )
        self.cite.clicked.connect(lambda: put_on_clipboard(CITATION))
        self.copy.clicked.connect(lambda: put_on_clipboard(about_text()))
        close = button("Close", kind=ButtonKind.PRIMARY)
        close.clicked.connect(self.accept)
        close.setDefault(True)
        close.setFocus()
        for made in (self.cite, self.copy):
            made.setAutoDefault(False)
        parts: list[Part] = []
        for title, part in (("Please cite", _text(CITATION)), ("Made with", _made_with())):
            parts += [spacing.HAIR, line(), spacing.HAIR, label(title, kind="strong"), part]
        vbox(
            _text("XIM Studio", kind="heading"),
            _text(f"Version {__version__}, {LICENCE}", kind="muted"),
            *parts,
            _text("and the typeface Inter, SIL Open Font License", kind="caption"),
            spacing.MEDIUM,
            hbox(self.cite, self.copy, STRETCH, close, gap=spacing.SMALL),
            into=self,
            gap=spacing.SMALL,
            margins=spacing.WIDE,
        )


def _made_with() -> QWidget:
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(spacing.LARGE)
    grid.setVerticalSpacing(spacing.HAIR)
    for number, (name, number_text) in enumerate(versions().items()):
        grid.addWidget(
            _text(f"{name} {number_text}", kind="caption"), number // COLUMNS, number % COLUMNS
        )
    return made


def _text(text: str, *, kind: str = "") -> QWidget:
    made = label(text, kind=kind, wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made
