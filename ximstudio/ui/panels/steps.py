"""The steps on the left: their names one below the other, and the chosen one opened beneath."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from ximstudio.model.words import counted
from ximstudio.prepare.input import Labelled
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, Size, label, line, mark
from ximstudio.ui.look.icons import icon
from ximstudio.ui.panels.data_panel import DataPanel
from ximstudio.ui.panels.data_sides import has_map, items_in_rows
from ximstudio.ui.panels.method_panel import MethodPanel
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.panels.prepare_panel import PreparePanel
from ximstudio.ui.panels.train_panel import TrainPanel
from ximstudio.ui.studio import Studio
from ximstudio.ui.tab_order import stops
from ximstudio.ui.turns import Turns

PANELS: tuple[type[Panel], ...] = (DataPanel, PreparePanel, MethodPanel, TrainPanel)

WIDTH = 320
# Style sheets cannot set the gap between icon and text, but an icon may be wider than high.
ICON, SMALL_ICON = QSize(spacing.ICON + 4, spacing.ICON), QSize(spacing.ICON - 2, spacing.ICON - 4)
LOW = 520
"""Where there is less height the steps stand side by side: the open one needs the room more."""


class Steps(QFrame):
    """Data, Prepare, Method, Train: numbered, and ticked once seen and done."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self.setProperty("kind", "sidebar")
        self.setMinimumWidth(WIDTH)
        self.setWhatsThis(
            "The way from a table to a map. Steps that you have seen and that need nothing more"
            " carry a tick; arrow keys go from one to the next."
        )
        self._studio = studio
        self.panels: tuple[Panel, ...] = ()
        self._group = QButtonGroup(self)
        self._buttons: list[StepButton] = []
        self._table = self._present
        self._visited: set[str] = set()
        """Keys of the steps that were open since this side of this table is mapped."""
        self._title = label("Steps", kind="section")
        self._stack = QStackedWidget()
        self._names = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._names.setSpacing(spacing.HAIR)
        self._stale: list[Panel] = []
        self._about: tuple[object, ...] = (None,) * 4
        self._turns = Turns(self)
        self._lay_out()
        self._group.idClicked.connect(self.open)
        self._fresh = False
        """Whether another table is about to be shown."""
        studio.began.connect(self._expect_table)
        studio.desk.changed.connect(self._follow)
        studio.phase_changed.connect(self.show_session)

    def add(self, panel: Panel) -> None:
        """Put one more step after the others; the first one is open."""
        made = StepButton(panel)
        panel.step_wanted.connect(self.open_step)
        self._group.addButton(made, len(self.panels))
        self._names.addWidget(made)
        area = _scroll_area()
        self._stack.addWidget(area)
        # Last: a panel that is moved with what it lies in takes as long again each time.
        area.setWidget(panel)
        self._buttons.append(made)
        self.panels = (*self.panels, panel)
        if len(self.panels) == 1:
            self.open(0)
        panel.show_session()
        self._mark(len(self.panels) - 1)

    def _lay_out(self) -> None:
        head = QVBoxLayout()
        head.setContentsMargins(0, 0, spacing.LARGE, 0)
        head.setSpacing(spacing.SMALL)
        head.addWidget(self._title)
        head.addLayout(self._names)
        head.addWidget(line())
        layout = QVBoxLayout(self)
        # What scrolls reaches to the edges: its bar is in the margin, its end below the window.
        layout.setContentsMargins(spacing.LARGE, spacing.MEDIUM, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)

    def open(self, number: int) -> None:
        """Open one step; Tab goes to its name, and arrows from there to the others."""
        self._fill(self.panels[number])
        self._buttons[number].setChecked(True)
        self._stack.setCurrentIndex(number)
        self._visited.add(self.panels[number].key)
        self._mark(number)
        if any(made.hasFocus() for made in self._buttons):
            # The ring would stay at a step that is not the open one any more.
            self._buttons[number].setFocus()
        for place, made in enumerate(self._buttons):
            policy = Qt.FocusPolicy.TabFocus if place == number else Qt.FocusPolicy.NoFocus
            made.setFocusPolicy(policy)

    @property
    def buttons(self) -> tuple[StepButton, ...]:
        """The names of the steps, in their order."""
        return tuple(self._buttons)

    def open_step(self, key: str) -> None:
        """Open the step with this key."""
        self.open([panel.key for panel in self.panels].index(key))

    def _expect_table(self) -> None:
        self._fresh = True

    def stops(self) -> Iterator[QWidget]:
        """What takes the keyboard: the name of the open step, and what is in it as it is seen."""
        number = self._stack.currentIndex()
        yield self._buttons[number]
        yield from stops(self.panels[number])

    def _follow(self) -> None:
        """Fill the steps anew if the session has changed in what they are about."""
        session = self._studio.session
        about = session.data, session.plan, session.runs, session.shown
        if any(one is not other for one, other in zip(about, self._about, strict=True)):
            self._about = about
            self.show_session()

    def show_session(self) -> None:
        """Fill the open step, tick those that are done, and fill the others one after the other.

        All at once would take longer than a person should have to wait.
        """
        (table, side), self._table = self._table, self._present
        if self._table[0] is not table or self._table[1] is not side:
            self._visited = {self.panels[self._stack.currentIndex()].key} if self.panels else set()
        self._stale = list(self.panels)
        if self._fresh and self.panels:
            # What the doctor found comes before anything else is done with the table.
            self._fresh = False
            self._visited = set()
            self.open(0)
        if self.panels:
            self._fill(self.panels[self._stack.currentIndex()])
        for number, panel in enumerate(self.panels):
            if panel not in self._stale:
                self._mark(number)
        self._turns.take(*[partial(self._catch_up, panel) for panel in self._stale])

    def _fill(self, panel: Panel) -> None:
        if panel in self._stale:
            self._stale.remove(panel)
            panel.show_session()

    def _catch_up(self, panel: Panel) -> None:
        self._fill(panel)
        self._mark(self.panels.index(panel))

    @property
    def _present(self) -> tuple[Labelled | None, bool]:
        """The table as it was read, and whether its rows are mapped."""
        data = self._studio.session.data
        return (None, False) if data is None else (data.labelled, items_in_rows(data))

    def _mark(self, number: int) -> None:
        """Tick a step, or number it; a map shows that all of them were taken."""
        panel, made = self.panels[number], self._buttons[number]
        seen = panel.key in self._visited or has_map(self._studio.session)
        ticked = panel.done and seen
        made.show_icon(icon("check") if ticked else icon(f"step-{number + 1}", role="muted"))
        made.show_open(panel.n_open, number + 1, done=ticked)
        made.setEnabled(panel.ready)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._arrange(low=event.size().height() < LOW)

    def _arrange(self, *, low: bool) -> None:
        """Put the names below each other, or side by side where there is little height."""
        direction = QBoxLayout.Direction
        wanted = direction.LeftToRight if low else direction.TopToBottom
        if wanted is self._names.direction():
            return
        self._names.setDirection(wanted)
        self._names.setSpacing(0 if low else spacing.HAIR)
        self._title.setHidden(low)
        for made in self._buttons:
            mark(made, "beside", "true" if low else "")
            made.show_beside(low)


class StepButton(QPushButton):
    """The name of a step, with a badge that counts what waits for a decision in it."""

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel.name)
        self.setProperty("kind", Kind.STEP.value)
        self.setProperty("extent", Size.NORMAL.value)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIcon(icon(panel.icon))
        self.setIconSize(ICON)
        self.setCheckable(True)
        self.badge = label(kind="badge", tone="warning")
        self.badge.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.badge.hide()
        self._icon = QIcon()
        self._beside = False
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, spacing.SMALL, 0)
        row.addStretch(1)
        row.addWidget(self.badge, alignment=Qt.AlignmentFlag.AlignVCenter)

    def show_icon(self, shown: QIcon) -> None:
        """Show this before the name, unless the badge needs its room."""
        self._icon = shown
        self._make_room()

    def show_beside(self, beside: bool) -> None:
        """Say whether the steps lie side by side, with little room for each."""
        self._beside = beside
        self.setIconSize(SMALL_ICON if beside else ICON)
        self._make_room()

    def _make_room(self) -> None:
        crowded = self._beside and self.badge.isVisibleTo(self)
        self.setIcon(QIcon() if crowded else self._icon)
        mark(self, "crowded", "true" if crowded else "")

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        """As much as the name takes, and the badge beside it."""
        hint = super().sizeHint()
        more = self.badge.sizeHint().width() if self.badge.isVisibleTo(self) else 0
        return QSize(hint.width() + more, hint.height())

    def show_open(self, n_open: int, number: int, *, done: bool) -> None:
        """Say how many things wait here, in the step of this number, and whether it is done."""
        self.badge.setText(str(n_open))
        self.badge.setVisible(bool(n_open))
        self._make_room()
        self.updateGeometry()
        waiting = f"{counted(n_open, 'finding')} to look at" if n_open else ""
        self.setToolTip(": ".join(filter(None, (f"Step {number}", waiting))))
        self.setAccessibleDescription(", ".join(filter(None, ("done" if done else "", waiting))))


def _scroll_area() -> QScrollArea:
    """An area for a panel that keeps its width, whether or not there is anything to scroll."""
    made = QScrollArea()
    made.setWidgetResizable(True)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    bar = made.verticalScrollBar()
    # The style sheet hides the bar of a panel that is all in sight.
    bar.rangeChanged.connect(lambda low, high: bar.setEnabled(high > low))
    bar.setEnabled(False)
    return made
