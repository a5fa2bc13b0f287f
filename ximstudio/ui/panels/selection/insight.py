"""Profiles and statistics of the selection."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QSizePolicy, QTextBrowser, QWidget

from ximstudio.explore.profiles import Profiles
from ximstudio.explore.statistics import NO_P_VALUES, Enrichment
from ximstudio.model.arrays import Floats
from ximstudio.model.words import counted, grouped, number
from ximstudio.pictures.selection_insight import Insight
from ximstudio.pictures.ticks import tick_texts, ticks
from ximstudio.session.words import share_text
from ximstudio.ui.views.common.readout import Readout
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.drawing.curves import Curves
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import combo_box
from ximstudio.ui.widgets.look.fonts import Text
from ximstudio.ui.widgets.look.theme import the_theme

LEAST_HEIGHT = 110
AXIS_WIDTH = 36
GROUPS_WIDTH = 130
TABLE_ORDER = "Table order"
MEAN, REST = "mean", "rest"
ROOM = 0.06
"""Margin above and below, as a share of the range."""
FAINTEST, STRONGEST = 40, 150
"""Opacity of single lines (of 255), if there are many and if there are few."""
FEW = 4.0
BAND = 60
EDGE = 0.5
"""Percentage of values at either end that may be clipped: one outlier would flatten all."""
MOST_TEXTS = 6
SMOOTH = 5000
"""Maximum number of points drawn with antialiasing."""
MOST_FEATURES, MOST_LABELS = 8, 8
"""Maximum number of rows."""
LEAST_Q = 1e-4
"""Smaller q-values are written as "< this"."""


class ProfilePlot(QWidget):
    """Plot with a caption and a choice of the label that groups the features."""

    group_wanted = Signal(str)
    """The user groups features by a label; '' for the order of the table."""

    def __init__(self) -> None:
        super().__init__()
        self.about = Elided(kind="caption")
        self.groups = combo_box(name="Order along the axis", tip="Order of the axis")
        self.groups.setMaximumWidth(GROUPS_WIDTH)
        self.groups.hide()
        self.plot = _Plot()
        head = hbox((self.about, 1), self.groups, margins=(spacing.MEDIUM, 0, spacing.SMALL, 0))
        vbox(head, (self.plot, 1), into=self, gap=0, margins=(0, spacing.HAIR, 0, 0))
        self.groups.activated.connect(self._choose)

    def show_insight(self, insight: Insight | None) -> None:
        """Draw the selected profiles, or nothing."""
        self.about.show_text("" if insight is None else insight.about_profiles)
        self._show_groups(insight)
        self.plot.show_insight(insight)

    def _show_groups(self, insight: Insight | None) -> None:
        labels = () if insight is None else insight.labels
        self.groups.setVisible(bool(labels))
        if insight is None or not labels:
            return
        texts = [TABLE_ORDER, *labels]
        if [self.groups.itemText(number) for number in range(self.groups.count())] != texts:
            self.groups.clear()
            self.groups.addItems(texts)
        self.groups.setCurrentIndex(("", *labels).index(insight.label))

    def _choose(self, number: int) -> None:
        self.group_wanted.emit(self.groups.itemText(number) if number else "")


class _Plot(Curves):
    def __init__(self) -> None:
        # Before the plot is coloured for the first time.
        self._insight: Insight | None = None
        self._lines: Any = pg.PlotCurveItem(connect="finite", antialias=True)
        self._band = QGraphicsPathItem()
        self._cuts: list[Any] = []
        super().__init__()
        self.setMinimumHeight(LEAST_HEIGHT)
        # pyqtgraph's size hint is 640 × 480.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Profiles")
        self.getAxis("left").setWidth(AXIS_WIDTH)
        self.view.disableAutoRange()
        self._band.setZValue(-1.0)
        self._lines.setZValue(-2.0)
        for item in (self._lines, self._band):
            self.view.addItem(item, ignoreBounds=True)
        self.readout = Readout(self, self._title)

    def show_insight(self, insight: Insight | None) -> None:
        """Draw the selected profiles, or nothing."""
        self._insight = insight
        self.readout.hide()
        while self._cuts:
            self.view.removeItem(self._cuts.pop())
        if insight is None:
            self.clear_curves()
            self._lines.setData([], [])
            self._band.setPath(QPainterPath())
            return
        profiles = insight.profiles
        x = np.arange(len(profiles.mean), dtype=np.float64)
        # Antialiasing many lines is invisible and takes most of the time.
        self._lines.setData(
            *joined(profiles.lines), connect="finite", antialias=profiles.lines.size <= SMOOTH
        )
        low, high = around(profiles)
        self._band.setPath(band_path(x, low, high))
        self._show_range(insight)
        self._show_features(insight)

    def recolour(self) -> None:
        """Apply the colours of the theme."""
        super().recolour()
        if self.closed:
            return
        theme, insight = the_theme().colours, self._insight
        n_lines = 1 if insight is None else max(len(insight.profiles.lines), 1)
        line = QColor(theme.series[0])
        alpha = FAINTEST + (STRONGEST - FAINTEST) * FEW / n_lines
        line.setAlpha(int(min(alpha, STRONGEST)))
        if insight is not None:
            self._show_means(insight)
        pen = QPen(line, self.devicePixelRatioF())
        pen.setCosmetic(True)
        self._lines.setPen(pen)
        band = QColor(theme.series[0])
        band.setAlpha(BAND)
        self._band.setBrush(band)
        self._band.setPen(QPen(Qt.PenStyle.NoPen))
        for cut in self._cuts:
            cut.setPen(QPen(QColor(theme.border_strong), 0.0))

    def _title(self, x: float) -> str:
        insight = self._insight
        if insight is None:
            return ""
        name = insight.profiles.places[round(x)]
        group = next((one.name for one in insight.profiles.spans if one.begin <= x < one.end), "")
        return f"{name}, {group}" if group else name

    def _show_means(self, insight: Insight) -> None:
        """Draw the mean and, for comparison, the mean of all others."""
        theme = the_theme().colours
        x = np.arange(len(insight.profiles.mean), dtype=np.float64)
        if insight.rest is None:
            self.remove_curve(REST)
        else:
            self.show_curve(REST, x, insight.rest, name="others", colour=theme.axis, dashed=True)
        self.show_curve(MEAN, x, insight.profiles.mean, name="mean", colour=theme.series[0])

    def _show_range(self, insight: Insight) -> None:
        profiles = insight.profiles
        known = profiles.lines[np.isfinite(profiles.lines)]
        ends = np.percentile(known, (EDGE, 100.0 - EDGE)) if known.size else np.array([0.0, 1.0])
        ends = np.concatenate([ends, *around(profiles)])
        low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
        room = max(ROOM * (high - low), 1e-9)
        self.view.setYRange(low - room, high + room, padding=0.0)
        self.view.setXRange(-0.5, len(profiles.mean) - 0.5, padding=0.0)
        heights = ticks(low - room, high + room, most=6)
        self.getAxis("left").setTicks([list(zip(heights, tick_texts(heights), strict=True))])

    def _show_features(self, insight: Insight) -> None:
        """Label the groups of features, or their number."""
        spans = insight.profiles.spans
        if spans:
            places = [((one.begin + one.end - 1) / 2.0, one.name or "none") for one in spans]
            step = max(1, -(-len(places) // MOST_TEXTS))
            texts = places[::step]
            self._add_cuts([one.begin - 0.5 for one in spans[1:]])
        else:
            texts = []
        self.getAxis("bottom").setTicks([texts])
        self.name_axes("" if texts else insight.along, "")
        self.recolour()

    def _add_cuts(self, places: list[float]) -> None:
        for place in places:
            cut = pg.InfiniteLine(place)
            cut.setZValue(-3.0)
            self.view.addItem(cut, ignoreBounds=True)
            self._cuts.append(cut)


def around(profiles: Profiles) -> tuple[Floats, Floats]:
    """Return mean ± one standard deviation; the mean itself where there is none."""
    spread = np.nan_to_num(profiles.sd)
    return profiles.mean - spread, profiles.mean + spread


def joined(lines: Floats) -> tuple[Floats, Floats]:
    """Return all lines (n, D) as one line with gaps, which is faster to draw."""
    n_lines, n_features = lines.shape
    x = np.tile(np.append(np.arange(n_features, dtype=np.float64), np.nan), n_lines)
    y = np.column_stack([lines, np.full(n_lines, np.nan)]).ravel()
    return x, y


def band_path(x: Floats, low: Floats, high: Floats) -> QPainterPath:
    """Return the area between two curves, with gaps where either is unknown."""
    path = QPainterPath()
    known = np.isfinite(low) & np.isfinite(high)
    ends = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]]).astype(np.int8)))
    for begin, end in zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True):
        there = list(zip(x[begin:end].tolist(), low[begin:end].tolist(), strict=True))
        back = list(zip(x[begin:end].tolist(), high[begin:end].tolist(), strict=True))[::-1]
        path.moveTo(*there[0])
        for place in (*there[1:], *back):
            path.lineTo(*place)
        path.closeSubpath()
    return path


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
    head = ("", "selected", "by chance", "q")
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
