"""Help page: the focused widget, a short guide, layers, keys and words."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from PySide6.QtGui import QCursor, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QTextBrowser, QWidget

from ximstudio.session.words import Words
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button
from ximstudio.ui.widgets.look.fonts import Text
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.shortcuts import HELP, all_keys
from ximstudio.ui.widgets.text_dialog import fit_into_window

GUIDE = {
    "Open": "Drop a table on the window, or press Open. Its layout is detected; the dialog shows "
    "each guess with its reason and lets you change it.",
    "Data": "Summary of the table, and findings of the data doctor, such as gene names that became "
    "dates. Each finding comes with a repair.",
    "Prepare": "Steps applied to the table before training, in order: logarithms, filters, "
    "scaling. You can switch each one off.",
    "Method": "The method and its settings. The default method and settings are a good start.",
    "Train": "The map unfolds while you watch. Pause and Stop keep the current map.",
    "Read": "Map shows the nodes and their layers, Positions shows every gene, Quality shows how "
    "reliable the map is.",
    "Compare": "Maps side by side and aligned: other methods, other settings, or the same map "
    "retrained. The torch (T) shows which genes are truly close to one; Stability shows what stays "
    "the same in retrained maps.",
    "Export": "A figure at print size, methods text and figure legend, tables, a report, and a "
    "script that reproduces the map. Figure files record how they were made.",
    "Runs": "Every map you trained, with trustworthiness T, continuity C and rank correlation ρ. "
    "Click one to show it; its menu reuses its settings.",
}

WORDS = {
    "map": "A grid of nodes on which genes with similar profiles lie close together.",
    "node, prototype": "A cell of the map, and the expression profile that represents it.",
    "winner": "The node whose prototype is most similar to a gene.",
    "position": "Where a gene is drawn; it may lie between nodes.",
    "U-matrix": "How much a prototype differs from its neighbours. On a SOM, ridges separate "
    "groups of genes; on maps whose nodes repel each other (XIM), groups appear as hills.",
    "seed": "The number that determines all random choices: the same seed gives the same map.",
}
CHOICE = {
    "What XIM is": "The Exploratory Inspection Machine (XIM) fits a grid of nodes to your table. "
    "As on a self-organizing map (SOM), each gene belongs to the node with the most similar "
    "profile, so every node has a profile that you can read. Unlike on a SOM, nodes with different "
    "profiles also repel each other, so groups stand out and the overall arrangement is kept. "
    "c-XIM is the default; XIM and t-XIM differ in how far nodes act on each other.",
    "XIM": "Use it when positions should have a meaning: which groups are close to which, what "
    "separates them, which samples are high in a region, and where new genes belong. It preserves "
    "both small and large distances, and measures how reliable each position is.",
    "UMAP, t-SNE": "Use them to find tight groups at a glance, above all among many thousands of "
    "cells. Distances between groups and their sizes mean little, and there are no nodes with "
    "profiles.",
    "SOM": "Use it for a smooth overview without gaps, or to repeat published work.",
    "PCA": "Use it as a baseline: the linear projection with the largest variance.",
    "In doubt": "Compare trains several methods on the same table and measures each map. The "
    "guide's page on methods has results for several tables.",
}
"""Purpose of each method, for users who know UMAP but not XIM."""
SIZE = (560, 680)
MOST = 2
"""Number of explanations shown for the focused widget: its own and that of its surroundings."""
MEASURED = ("trustworthiness", "continuity", "spearman")
"""Measures shown on run cards; their explanations come from the measures themselves."""


def help_about(widget: QWidget | None) -> str:
    """Return the help text of a widget and of the part of the window around it.

    A widget without a help text uses that of the nearest parent with one.
    """
    texts: list[str] = []
    while widget is not None:
        said = widget.whatsThis() or ("" if texts else widget.toolTip())
        if said and said not in texts:
            texts.append(said)
        widget = None if widget.isWindow() else widget.parentWidget()
    return (
        texts[0] if len(texts) == 1 else "".join(f"<p>{_html(each)}</p>" for each in texts[:MOST])
    )


def help_in_focus() -> str:
    """Return the help text of the focused widget, of that under the mouse, or of the window."""
    under = QApplication.widgetAt(QCursor.pos())
    places = (QApplication.focusWidget(), under, QApplication.activeWindow())
    return next(filter(None, map(help_about, places)), "")


def give_help(dialog: QDialog, about: str) -> None:
    """Let F1 open the help page over a dialog, which blocks the window's shortcuts."""
    dialog.setWhatsThis(about)

    def show() -> None:
        page = HelpDialog(dialog)
        page.finished.connect(page.deleteLater)
        page.show_about(help_in_focus())

    QShortcut(QKeySequence(HELP.keys), dialog, show)


class HelpDialog(QDialog):
    """Help page that can stay open while the user works."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Help")
        fit_into_window(self, SIZE)
        self._about = ""
        self.page = QTextBrowser()
        self.page.setOpenExternalLinks(False)
        close = button("Close", kind=ButtonKind.PRIMARY)
        close.clicked.connect(self.accept)
        below = hbox(STRETCH, close)
        vbox(
            (self.page, 1),
            below,
            into=self,
            gap=spacing.MEDIUM,
            margins=(spacing.WIDE, spacing.LARGE, spacing.WIDE, spacing.LARGE),
        )
        the_theme().follow(self._write)

    def show_about(self, about: str) -> None:
        """Show the page with this text on top."""
        self._about = about
        self._write()
        self.show()
        self.raise_()

    def _write(self) -> None:
        self.page.setHtml(page(self._about))


def page(about: str) -> str:
    """Return the help page as HTML in the colours of the theme."""
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
    keys = {key.keys: key.does for key in all_keys()}
    return (
        f"<html><head><style>{style}</style></head><body>{here}"
        f"<h1>From a table to a map</h1>{_table(GUIDE, 'name')}"
        f"<h2>Which method</h2>{_table(CHOICE, 'name')}"
        f"<h2>Good values of T and C</h2><p>{escape(good_text())}</p>"
        f"<h2>Layers of the map</h2>{_table(_layers(), 'name')}"
        f"<h2>Keys</h2>{_table(keys, 'key')}"
        f"<h2>Words</h2>{_table(WORDS | _measured(), 'name')}</body></html>"
    )


def choice_text() -> str:
    """Return what XIM is and when to use it, for the top of the page."""
    return _table(CHOICE, "name")


def good_text() -> str:
    """Return which values of trustworthiness and continuity are good."""
    from ximstudio.measure.chance import CHANCE, GRADES  # imports SciPy

    grades = ", ".join(f"{word} from {0.5 + 0.5 * least:.2f} on" for least, word in GRADES)
    return (
        "1 is perfect. A random map has about 0.5, not 0, and a little more in small tables: "
        "a run's card shows the value for its number of genes and neighbourhood sizes. In "
        f"large tables a value is {grades}; below that it is {CHANCE}."
    )


def _table(rows: Mapping[str, str], kind: str) -> str:
    cells = "".join(
        f"<tr><td class='{kind}'>{escape(name)}</td><td>{escape(text)}</td></tr>"
        for name, text in rows.items()
    )
    return f"<table>{cells}</table>"


def _html(text: str) -> str:
    """Return text as HTML; a tooltip may be HTML already."""
    return text if text.lstrip().startswith("<") else escape(text).replace("\n", "<br>")


def _layers() -> dict[str, str]:
    from ximstudio.maps import LAYERS  # imports everything that computes them

    said = Words().said
    return {said(layer.name): said(layer.about) for layer in LAYERS}


def _measured() -> dict[str, str]:
    from ximstudio.measure.catalogue import MEASURES  # imports SciPy

    return {each.title: each.meaning for each in MEASURES if each.key in MEASURED}
