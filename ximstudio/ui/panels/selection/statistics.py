"""Statistics of the selection."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtWidgets import QTextBrowser

from ximstudio.explore.statistics import NO_P_VALUES, Enrichment
from ximstudio.model.words import counted, grouped, number
from ximstudio.pictures.selection_insight import Insight
from ximstudio.session.words import share_text
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text
from ximstudio.ui.widgets.look.theme import the_theme

MOST_FEATURES, MOST_LABELS = 8, 8
"""Maximum number of rows."""
LEAST_Q = 1e-4
"""Smaller q-values are written as "< this"."""


class StatisticsPage(QTextBrowser):
    """Page of short tables that can be copied."""

    def __init__(self) -> None:
        super().__init__()
        self._insight: Insight | None = None
        self.setOpenLinks(False)
        self.setAccessibleName("Statistics")
        self.document().setDocumentMargin(spacing.MEDIUM)
        the_theme().follow(self._write)

    def show_insight(self, insight: Insight | None) -> None:
        """Show the statistics of the selection."""
        self._insight = insight
        self._write()

    def _write(self) -> None:
        self.setHtml("" if self._insight is None else page(self._insight))


def page(insight: Insight) -> str:
    """Return the statistics as HTML in the colours of the theme."""
    colours = the_theme().colours
    style = (
        f"body {{ color: {colours.text}; font-size: {Text.SMALL}px; }}"
        f"p.head {{ font-size: {Text.SMALL}px; font-weight: 600; color: {colours.text};"
        f" margin: {spacing.MEDIUM}px 0 {spacing.HAIR}px 0; }}"
        f"td {{ padding: 1px {spacing.SMALL}px 1px 0; }}"
        f"th {{ padding: 1px {spacing.SMALL}px 1px 0; font-weight: 400; color: {colours.muted}; }}"
        f"p {{ color: {colours.muted}; margin: {spacing.HAIR}px 0 0 0;"
        f" font-size: {Text.CAPTION}px; }}"
    )
    parts = "".join((_values(insight), _features(insight), _labels(insight)))
    return f"<html><head><style>{style}</style></head><body>{parts}</body></html>"


def _values(insight: Insight) -> str:
    found, words = insight.statistics, insight.words
    share = f" ({share_text(found.n_items / max(found.n_all, 1))} of all)"
    rows = [
        (words.items.capitalize(), f"{grouped(found.n_items)}{share}"),
        ("Mean ± sd", f"{number(found.mean)} ± {number(found.sd)}"),
        ("Median", number(found.median)),
    ]
    if found.n_blank:
        blank = share_text(found.n_blank / max(found.n_values, 1))
        rows.append(("Blank", f"{counted(found.n_blank, 'value')} ({blank})"))
    return f"<p class='head'>All values</p>{_table(rows)}"


def _features(insight: Insight) -> str:
    found, words = insight.statistics, insight.words
    if found.n_items == found.n_all or not len(found.features):
        return ""
    rows = [
        (
            insight.matrix.feature_names[feature],
            _signed(float(found.differences[feature])),
            _signed(float(found.standardised[feature]), digits=2),
        )
        for feature in found.features[:MOST_FEATURES].tolist()
    ]
    head = ("", "difference", "in sd")
    return (
        f"<p class='head'>{words.features.capitalize()} that differ most from all others</p>"
        f"{_table(rows, head)}<p>{escape(words.said(NO_P_VALUES))}</p>"
    )


def _labels(insight: Insight) -> str:
    listed = insight.enrichment[:MOST_LABELS]
    if not listed:
        return ""
    several = len({each.label for each in insight.enrichment}) > 1
    rows = [
        (
            f"{each.label}: {each.text}" if several else each.text,
            f"{grouped(each.here)} of {grouped(each.everywhere)}",
            number(each.expected, 2),
            q_text(each),
        )
        for each in listed
    ]
    head = ("", "chosen", "by chance", "q")
    return (
        f"<p class='head'>Labels</p>{_table(rows, head)}<p>q: probability of at least this "
        "many by chance (hypergeometric test), adjusted after Benjamini and Hochberg.</p>"
    )


def q_text(each: Enrichment) -> str:
    """Return a q-value as text."""
    return f"< {LEAST_Q:.4f}" if each.q < LEAST_Q else number(each.q, 2)


def _signed(value: float, digits: int = 3) -> str:
    return f"+{number(value, digits)}" if value > 0.0 else number(value, digits)


def _table(rows: Sequence[tuple[str, ...]], head: tuple[str, ...] = ()) -> str:
    def line(cells: tuple[str, ...], kind: str) -> str:
        first, *others = cells
        cells_html = f"<{kind} align='left'>{escape(first)}</{kind}>"
        cells_html += "".join(f"<{kind} align='right'>{escape(each)}</{kind}>" for each in others)
        return f"<tr>{cells_html}</tr>"

    lines = [line(head, "th")] if head else []
    lines += [line(row, "td") for row in rows]
    return f"<table>{''.join(lines)}</table>"
