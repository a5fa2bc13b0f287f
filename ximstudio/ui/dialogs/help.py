"""Help: the thing in focus, a short guide, what maps show, keys and words."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import QCursor, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from ximstudio.session.words import Words
from ximstudio.ui.dialogs.fitting import fit_into_window
from ximstudio.ui.keys import HELP, all_keys
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, button
from ximstudio.ui.look.fonts import Text
from ximstudio.ui.look.theme import the_theme

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
    ("Compare", "Maps side by side, turned to agree: other methods, other settings, or the same"
     " once more. The torch (T) shows what is truly near to a gene, Stability what of it stays."),
    ("Export", "A figure for paper in its true size, the methods and the legend in words, tables,"
     " and a script that makes the map again. Files of figures carry how they were made."),
    ("Runs", "Every map you trained, with trustworthiness T, continuity C and rank correlation ρ."
     " Click one to see it again, star it, or use its settings again."),
)  # fmt: skip

WORDS = (
    ("map", "A grid of nodes on which genes that behave alike lie near to each other."),
    ("node, prototype", "A place of the map, and the expression profile that stands for it."),
    ("winner", "The node whose prototype is most like a gene."),
    ("position", "Where a gene is drawn; it may lie between nodes."),
    (
        "U-matrix",
        "How unlike a prototype is to its neighbours: on a SOM ridges part groups of genes, where"
        " nodes repel groups are hills.",
    ),
    ("seed", "The number all random choices follow from: the same seed gives the same map."),
)
CHOICE = (
    ("What XIM is", "The Exploratory Inspection Machine lays a grid of nodes over your table. As"
     " on a self-organizing map (SOM), each gene lies at the node whose profile is most like its"
     " own, so every place of the map has a profile that you can read. Unlike there, nodes whose"
     " profiles differ also push each other apart, so that groups stand out and the overall"
     " picture is kept. c-XIM is the first choice; XIM and t-XIM differ in how far nodes act on"
     " each other."),
    ("XIM", "Choose it when places should mean something: which groups are near to which, what"
     " parts them, which samples raise a region, and where new genes belong. It keeps near and far"
     " alike, and says how far to believe each place."),
    ("UMAP, t-SNE", "Choose them to see at a glance which tight groups there are, above all among"
     " many thousands of cells. How far apart groups lie and how large they look mean little, and"
     " there are no nodes with profiles."),
    ("SOM", "Choose it for a smooth overview without gaps, or to repeat published work."),
    ("PCA", "Choose it as the plain yardstick: the flat view of largest variance."),
    ("In doubt", "Compare trains several on the same table and measures each against the data. In"
     " the guide, the page on methods has figures for several tables."),
)  # fmt: skip
"""What the methods are for, for users who know UMAP and not XIM."""
SIZE = (560, 680)
MOST = 2
"""Things that are told about what is in focus: itself, and the part it is in."""
MEASURED = ("trustworthiness", "continuity", "spearman")
"""Measures that the runs show, explained in their own words."""


def help_about(widget: QWidget | None) -> str:
    """What is known about a widget, and about the part of the window that it is in.

    A widget that says nothing speaks through the nearest one around it that does.
    """
    told: list[str] = []
    while widget is not None:
        said = widget.whatsThis() or ("" if told else widget.toolTip())
        if said and said not in told:
            told.append(said)
        widget = None if widget.isWindow() else widget.parentWidget()
    return told[0] if len(told) == 1 else "".join(f"<p>{_html(each)}</p>" for each in told[:MOST])


def help_in_focus() -> str:
    """What is known about the thing that the keyboard is at, or the mouse, or about the window."""
    under = QApplication.widgetAt(QCursor.pos())
    places = (QApplication.focusWidget(), under, QApplication.activeWindow())
    return next(filter(None, map(help_about, places)), "")


def give_help(dialog: QDialog, about: str) -> None:
    """Let F1 open the help page over a dialog, which keeps the keyboard from its window."""
    dialog.setWhatsThis(about)

    def show() -> None:
        page = HelpDialog(dialog)
        page.finished.connect(page.deleteLater)
        page.show_about(help_in_focus())

    QShortcut(QKeySequence(HELP.keys), dialog, show)


class HelpDialog(QDialog):
    """One page that can stay open beside the work."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Help")
        fit_into_window(self, SIZE)
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
        the_theme().follow(self._write)

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
        here = (
            f"<table width='100%'><tr><td class='here'>{_html(about)}</td></tr></table>"
            f"<p style='margin: 0; font-size: {spacing.SMALL}px'>&nbsp;</p>"
        )
    keys = [(key.keys, key.does) for key in all_keys()]
    return (
        f"<html><head><style>{style}</style></head><body>{here}"
        f"<h1>From a table to a map</h1>{_table(GUIDE, 'name')}"
        f"<h2>Which method</h2>{_table(CHOICE, 'name')}"
        f"<h2>What a good T and C is</h2><p>{escape(good_text())}</p>"
        f"<h2>What the map shows</h2>{_table(_layers(), 'name')}"
        f"<h2>Keys</h2>{_table(keys, 'key')}"
        f"<h2>Words</h2>{_table((*WORDS, *_measured()), 'name')}</body></html>"
    )


def choice_text() -> str:
    """What XIM is and when to choose it, to stand on top of the page."""
    return _table(CHOICE, "name")


def good_text() -> str:
    """What values of trustworthiness and continuity are good ones."""
    from ximstudio.measure.chance import CHANCE, GRADES  # brings SciPy

    grades = ", ".join(f"{word} from {0.5 + 0.5 * least:.2f} on" for least, word in GRADES)
    return (
        "1 is perfect. A map drawn at random has about 0.5, not 0, a little more in small tables:"
        " a run's card tells the value for its own number of genes and neighbourhoods. In large"
        f" tables a value is {grades}; below that it is {CHANCE}."
    )


def _table(rows: tuple[tuple[str, str], ...] | list[tuple[str, str]], kind: str) -> str:
    cells = "".join(
        f"<tr><td class='{kind}'>{escape(name)}</td><td>{escape(text)}</td></tr>"
        for name, text in rows
    )
    return f"<table>{cells}</table>"


def _html(text: str) -> str:
    """Text as HTML; a tool tip may be HTML already."""
    return text if text.lstrip().startswith("<") else escape(text).replace("\n", "<br>")


def _layers() -> tuple[tuple[str, str], ...]:
    from ximstudio.maps import LAYERS  # brings what computes them

    said = Words().said
    return tuple((said(layer.name), said(layer.about)) for layer in LAYERS)


def _measured() -> tuple[tuple[str, str], ...]:
    from ximstudio.measure.catalogue import MEASURES  # brings SciPy

    return tuple((each.title, each.meaning) for each in MEASURES if each.key in MEASURED)
