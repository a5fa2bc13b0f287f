"""Help: the thing in focus, a short guide, keys and words; and About."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from ximstudio import __version__
from ximstudio.ui.keys import KEYS
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, button, label, line
from ximstudio.ui.look.fonts import Text
from ximstudio.ui.look.theme import the_theme
from ximstudio.ui.messages import put_on_clipboard

GUIDE = (
    ("Open", "Drop a table on the window, or press Open. How it is laid out is found out; the"
     " dialog shows each guess with its reason, and lets you change it."),
    ("Data", "What the table looks like and what the data doctor finds in it, such as gene names"
     " that became dates. Each finding comes with its repair."),
    ("Prepare", "Steps done to the table before training, in their order: logarithms, filters,"
     " scaling. Each can be switched off again."),
    ("Method", "How the map is made. The first method and its settings are a good start."),
    ("Train", "The map unfolds while you watch. Pause and stop keep what is there."),
    ("Read", "Map shows the nodes and their layers, Positions every gene, Quality how far to"
     " believe it."),
    ("Runs", "Every map you trained, with trustworthiness T, continuity C and rank correlation ρ."
     " Click one to see it again, star it, or use its settings again."),
)  # fmt: skip

WORDS = (
    ("map", "A grid of nodes on which genes that behave alike lie near to each other."),
    ("node, prototype", "A place of the map, and the expression profile that stands for it."),
    ("winner", "The node whose prototype is most like a gene."),
    ("position", "Where a gene is drawn; it may lie between nodes."),
    ("U-matrix", "How unlike a prototype is to its neighbours: ridges part groups of genes."),
    ("seed", "The number all random choices follow from: the same seed gives the same map."),
)
MEASURED = ("trustworthiness", "continuity", "spearman")
"""Measures that the runs show, explained in their own words."""

CITATION = (
    "A. Wismüller, A Computational Framework for Nonlinear Dimensionality Reduction of Large Data"
    " Sets: The Exploratory Inspection Machine (XIM), technical report, version 1.0."
)
PARTS = "Made with Qt for Python (LGPL), pyqtgraph, NumPy, SciPy, Numba and the typeface Inter."


def help_about(widget: QWidget | None) -> str:
    """What is known about a widget, or about the nearest one around it that says something."""
    while widget is not None:
        if said := widget.whatsThis() or widget.toolTip():
            return said
        widget = None if widget.isWindow() else widget.parentWidget()
    return ""


def help_in_focus() -> str:
    """What is known about the thing that the keyboard is at, or else the mouse."""
    under = QApplication.widgetAt(QCursor.pos())
    return help_about(QApplication.focusWidget()) or help_about(under)


class HelpDialog(QDialog):
    """One page that can stay open beside the work."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Help")
        self.resize(560, 680)
        self._about = ""
        self.page = QTextBrowser()
        self.page.setOpenExternalLinks(False)
        close = button("Close", kind=Kind.PRIMARY)
        close.clicked.connect(self.accept)
        below = QHBoxLayout()
        below.addStretch(1)
        below.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(spacing.WIDE, spacing.LARGE, spacing.WIDE, spacing.LARGE)
        layout.setSpacing(spacing.MEDIUM)
        layout.addWidget(self.page, 1)
        layout.addLayout(below)
        the_theme().changed.connect(self._write)

    def show_about(self, about: str) -> None:
        """Show the page with this on top."""
        self._about = about
        self._write()
        self.show()
        self.raise_()

    def _write(self) -> None:
        self.page.setHtml(page(self._about))


def page(about: str) -> str:
    """The help page as HTML in the theme's colours."""
    colours = the_theme().colours
    gap, wide = spacing.SMALL, spacing.LARGE
    style = (
        f"body {{ color: {colours.text}; }}"
        f"h1 {{ font-size: {Text.HEADING}px; font-weight: 600; margin: 0 0 {gap}px 0; }}"
        f"h2 {{ font-size: {Text.TITLE}px; font-weight: 600; margin: {wide}px 0 {gap}px 0; }}"
        f"td {{ padding: {gap // 2}px {wide}px {gap // 2}px 0; }}"
        f"td.here {{ background-color: {colours.accent_soft}; padding: {spacing.MEDIUM}px; }}"
        f".name {{ font-weight: 600; white-space: nowrap; }}"
        f".key {{ color: {colours.accent}; white-space: nowrap; font-weight: 600; }}"
    )
    here = ""
    if about:
        # A tool tip may be HTML of its own.
        text = about if about.lstrip().startswith("<") else escape(about).replace("\n", "<br>")
        here = (
            f"<table width='100%'><tr><td class='here'><b>Here</b><br>{text}</td></tr></table>"
            f"<p style='margin: 0; font-size: {spacing.SMALL}px'>&nbsp;</p>"
        )
    keys = [(key.keys, key.does) for key in KEYS]
    return (
        f"<html><head><style>{style}</style></head><body>{here}"
        f"<h1>From a table to a map</h1>{_table(GUIDE, 'name')}"
        f"<h2>Keys</h2>{_table(keys, 'key')}"
        f"<h2>Words</h2>{_table((*WORDS, *_measured()), 'name')}</body></html>"
    )


def _table(rows: tuple[tuple[str, str], ...] | list[tuple[str, str]], kind: str) -> str:
    cells = "".join(
        f"<tr><td class='{kind}'>{escape(name)}</td><td>{escape(text)}</td></tr>"
        for name, text in rows
    )
    return f"<table>{cells}</table>"


def _measured() -> tuple[tuple[str, str], ...]:
    from ximstudio.measure.catalogue import MEASURES  # brings SciPy

    return tuple((each.title, each.meaning) for each in MEASURES if each.key in MEASURED)


class AboutDialog(QDialog):
    """Version, licence, and what to cite."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("About XIM Studio")
        self.setFixedWidth(460)
        self.copy = button("Copy citation", icon_name="copy")
        self.copy.clicked.connect(lambda: put_on_clipboard(CITATION))
        close = button("Close", kind=Kind.PRIMARY)
        close.clicked.connect(self.accept)
        close.setDefault(True)
        self.copy.setAutoDefault(False)
        below = QHBoxLayout()
        below.setSpacing(spacing.SMALL)
        below.addWidget(self.copy)
        below.addStretch(1)
        below.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*([spacing.WIDE] * 4))
        layout.setSpacing(spacing.SMALL)
        layout.addWidget(label("XIM Studio", kind="heading"))
        layout.addWidget(label(f"Version {__version__}. BSD 3-Clause licence.", kind="muted"))
        layout.addWidget(line())
        layout.addWidget(label("Please cite", kind="strong"))
        for text, kind in ((CITATION, ""), (PARTS, "caption")):
            words = label(text, kind=kind)
            words.setWordWrap(True)
            layout.addWidget(words)
        layout.addSpacing(spacing.SMALL)
        layout.addLayout(below)
