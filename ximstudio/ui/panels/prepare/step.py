"""Card of one step of the recipe, with small histograms of the values before and after it."""

from __future__ import annotations

from functools import partial
from math import isfinite

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox, QFrame, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from ximstudio.model.problem import Problem
from ximstudio.model.words import counted, grouped, number
from ximstudio.prepare.statistics import TableStatistics
from ximstudio.session import Data
from ximstudio.session.data import Change, Histogram
from ximstudio.session.step_accounts import Account
from ximstudio.session.words import shortened
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.drawing.guard import guarded, painting
from ximstudio.ui.widgets.forms.form import ParamsForm
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, Tone, button, mark, tool_button
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.message_card import TONES, Fold, MessageCard, clear, prose

BARS = 32
"""Height of the bars; their range stands below."""
GAP = spacing.WIDE
"""Room for the arrow."""
MOST_NAMES = 500
"""Number of removed names that are listed; the rest is counted."""
LIST_HEIGHT = 84
SWITCH_WIDTH = 34
"""Width without the space that Qt reserves for text."""
REMOVED = "prepare.removed"
"""Key of the note that is replaced by a list of names."""


class ChangePicture(QWidget):
    """Two histograms with an arrow between them."""

    def __init__(self) -> None:
        super().__init__()
        self.change: Change | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(2 * spacing.HUGE + GAP, BARS + spacing.LARGE)

    def show_change(self, change: Change, before: TableStatistics, after: TableStatistics) -> None:
        """Show what a step did to the values."""
        self.change = change
        summary = "\n".join((f"Before: {_summary(before)}", f"After: {_summary(after)}"))
        self.setToolTip(summary)
        self.setAccessibleDescription(summary)
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        del event
        if self.change is None:
            return
        colours = the_theme().colours
        width = (self.width() - GAP) / 2.0
        with painting(self) as painter:
            painter.setFont(font(Text.CAPTION, tabular=True))
            _paint(painter, self.change.before, QRectF(0.0, 0.0, width, BARS), colours.axis)
            right = QRectF(width + GAP, 0.0, width, BARS)
            _paint(painter, self.change.after, right, colours.accent)
            painter.setPen(QPen(QColor(colours.muted), 1.2))
            middle, height, half = self.width() / 2.0, BARS / 2.0, spacing.HAIR
            painter.drawLine(QPointF(middle - half, height), QPointF(middle + half, height))
            tip = [(0.0, -3.0), (half, 0.0), (0.0, 3.0)]
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF([QPointF(middle + x, height + y) for x, y in tip]))


def _paint(painter: QPainter, histogram: Histogram, area: QRectF, colour: str) -> None:
    """Paint the bars, a base line, and the range of the values below it."""
    colours = the_theme().colours
    counts = histogram.counts
    highest = float(counts.max()) if len(counts) else 0.0
    step = area.width() / max(len(counts), 1)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    for place, count in enumerate(counts.tolist()):
        if count > 0:
            # At least one pixel, so that a few outliers are visible.
            height = max(1.0, count / highest * (area.height() - 2.0))
            left = area.left() + place * step
            painter.drawRect(QRectF(left, area.bottom() - height, max(step - 0.5, 0.5), height))
    painter.setPen(QPen(QColor(colours.border_strong), 1.0))
    painter.drawLine(area.bottomLeft(), area.bottomRight())
    painter.setPen(QColor(colours.muted))
    below = QRectF(area.left(), area.bottom() + 1.0, area.width(), spacing.LARGE - 1.0)
    painter.drawText(below, Qt.AlignmentFlag.AlignLeft, number(histogram.edges[0]))
    painter.drawText(below, Qt.AlignmentFlag.AlignRight, number(histogram.edges[-1]))


def _summary(statistics: TableStatistics) -> str:
    if not isfinite(statistics.mean):
        return "no values"
    missing = f", {grouped(statistics.missing)} missing" if statistics.missing else ""
    return (
        f"{number(statistics.minimum)} to {number(statistics.maximum)},"
        f" median {number(statistics.quartiles[1])}, mean {number(statistics.mean)},"
        f" sd {number(statistics.sd)}{missing}"
    )


class StepCard(QFrame):
    """Card with a switch, a sentence, histograms and parameters; it emits the user's changes."""

    switched = Signal(bool)
    changed = Signal(object)
    """New parameters."""
    moved = Signal(int)
    """The user moves the step: −1 up, 1 down."""
    removed = Signal()

    def __init__(self, account: Account, data: Data) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.account = account
        self.switch = QCheckBox()
        self.switch.setProperty("kind", "switch")
        self.switch.setFixedSize(SWITCH_WIDTH, spacing.CONTROL_SMALL)
        self.switch.clicked.connect(self.switched)
        self._sentence = prose()
        self.opener = tool_button("chevron-right", tip="Parameters and details", size=Size.SMALL)
        self.opener.clicked.connect(lambda: self.set_open(not self.is_open))
        self.picture = ChangePicture()
        self._summary = prose(kind="caption")
        self._problems = vbox(gap=spacing.HAIR)
        self.form: ParamsForm | None = None
        self._body = self._built_body()
        top = Qt.AlignmentFlag.AlignTop
        head = hbox((self.switch, top), (self._sentence, 1), (self.opener, top), gap=spacing.SMALL)
        self._sentence.setMinimumHeight(spacing.CONTROL_SMALL)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        # The arrow at the right already has a margin.
        below = vbox(
            self.picture,
            self._summary,
            self._problems,
            self._body,
            gap=spacing.SMALL,
            margins=(0, 0, spacing.HAIR, 0),
        )
        vbox(
            head,
            below,
            into=self,
            gap=spacing.SMALL,
            margins=(spacing.MEDIUM, spacing.SMALL + 2, spacing.SMALL, spacing.SMALL + 2),
        )
        self.set_open(False)
        self.show_account(account, data, last=False)

    def _built_body(self) -> QWidget:
        body = QWidget()
        self._about = prose(kind="caption")
        self._form_place = QVBoxLayout()
        self._names = Fold()
        self._list = QPlainTextEdit()
        self._list.setReadOnly(True)
        self._list.setFixedHeight(LIST_HEIGHT)
        self._names.column.addWidget(self._list)
        self._notes = vbox(gap=spacing.SMALL)
        ghost = partial(button, kind=ButtonKind.GHOST, size=Size.SMALL)
        self.up = ghost("Up", icon_name="chevron-up", tip="Move this step up")
        self.down = ghost("Down", icon_name="chevron-down", tip="Move this step down")
        self.remove = ghost("Remove", icon_name="delete")
        self.up.clicked.connect(lambda: self.moved.emit(-1))
        self.down.clicked.connect(lambda: self.moved.emit(1))
        self.remove.clicked.connect(self.removed)
        actions = hbox(
            self.up, self.down, STRETCH, self.remove, gap=0, margins=(-spacing.SMALL, 0, 0, 0)
        )
        vbox(
            self._about,
            self._form_place,
            self._names,
            self._notes,
            actions,
            into=body,
            gap=spacing.SMALL,
            margins=0,
        )
        return body

    @property
    def is_open(self) -> bool:
        return not self._body.isHidden()

    def set_open(self, open: bool) -> None:  # noqa: A002
        """Show or hide the parameters."""
        if open and self.form is None and self.account.planned.params.specs():
            self._make_form()
        self._body.setVisible(open)
        self.opener.setIcon(icon("chevron-down" if open else "chevron-right", role="muted"))

    def _make_form(self) -> None:
        self.form = ParamsForm(self.account.planned.params, words=self.account.words)
        self.form.changed.connect(self.changed)
        self._form_place.addWidget(self.form)
        self.form.show_risks(self.account.problems)

    def show_account(self, account: Account, data: Data, *, last: bool) -> None:
        """Show the current state of the step; text that the user is typing stays."""
        self.account = account
        planned = account.planned
        self.switch.setChecked(planned.on)
        self.switch.setToolTip("Apply this step" if not planned.on else "Skip this step")
        self.switch.setAccessibleName(account.words.said(planned.step.name))
        sentence = account.words.sentence(planned)
        self._sentence.setText(sentence.replace(" + ", "\u00a0+\u00a0"))
        self._about.setText(account.words.said(planned.step.about))
        mark(self._sentence, "kind", "" if planned.on else "muted")
        if self.form is not None and self.form.words != account.words:
            # Rows and columns were exchanged before this step.
            self.form.hide()
            self.form.deleteLater()
            self._make_form()
        elif self.form is not None:
            self.form.show_params(planned.params)
            self.form.show_risks(account.problems)
        if self.form is not None and "label" in self.form.params.specs():
            table = data.table
            self.form.suggest("label", (*table.items.labels, *table.features.labels))
        stage, change = account.stage, account.change
        self.picture.setVisible(account.values_changed)
        if stage is not None and change is not None:
            self.picture.show_change(change, stage.before, stage.after)
        self._summary.setText(account.summary)
        self._summary.setVisible(bool(account.summary))
        self._show_messages(data)
        self._show_removed()
        self.up.setEnabled(account.number > 0)
        self.down.setEnabled(not last)

    def _show_messages(self, data: Data) -> None:
        """Show the problems of the step below its histograms, and its notes among the details."""

        def said(text: str) -> str:
            return self.account.words.said(shortened(text, data))

        def card(of: Problem, tone: Tone) -> MessageCard:
            where, way_out = ("", "") if of.key == REMOVED else (said(of.where), said(of.way_out))
            return MessageCard(tone, said(of.what), where=where, way_out=way_out, framed=False)

        clear(self._problems)
        for problem in self.account.problems:
            self._problems.addWidget(card(problem, Tone.DANGER))
        clear(self._notes)
        for note in () if self.account.stage is None else self.account.stage.notes:
            tone = Tone.NOTE if note.key == REMOVED else TONES[note.severity]
            self._notes.addWidget(card(note, tone))

    def _show_removed(self) -> None:
        stage = self.account.stage
        names = () if stage is None else (*stage.removed_items, *stage.removed_features)
        self._names.setVisible(bool(names))
        if not names:
            return
        self._names.set_title(f"{counted(len(names), 'name')} removed")
        more = len(names) - MOST_NAMES
        rest = [f"… and {more} more"] if more > 0 else []
        self._list.setPlainText("\n".join([*names[:MOST_NAMES], *rest]))
