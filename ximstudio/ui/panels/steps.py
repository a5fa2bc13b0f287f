"""The steps on the left: their names, and the open one below."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from ximstudio.model.words import counted
from ximstudio.prepare.input import Labelled
from ximstudio.session.sides import has_map, items_in_rows
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.panels.data.panel import DataPanel
from ximstudio.ui.panels.method.panel import MethodPanel
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.panels.prepare.panel import PreparePanel
from ximstudio.ui.panels.train.panel import TrainPanel
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.focus import stops
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, label, line, mark
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.slices import EventLoopSlices

PANELS: tuple[type[Panel], ...] = (DataPanel, PreparePanel, MethodPanel, TrainPanel)

WIDTH = 320
# Style sheets cannot set the gap between icon and text, but an icon may be wider than high.
ICON, SMALL_ICON = QSize(spacing.ICON + 4, spacing.ICON), QSize(spacing.ICON - 2, spacing.ICON - 4)
LOW = 520
"""Below this height the steps are laid out side by side, to leave room for the open one."""


class Steps(QFrame):
    """Data, Prepare, Method, Train: numbered, and ticked once seen and done."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setProperty("kind", "sidebar")
        self.setMinimumWidth(WIDTH)
        self.setWhatsThis(
            "The steps from a table to a map. A tick marks steps that you have seen and that "
            "need no action; move between steps with the arrow keys."
        )
        self._actions = actions
        self.panels: tuple[Panel, ...] = ()
        self._group = QButtonGroup(self)
        self.buttons: list[StepButton] = []
        """The names of the steps, in their order."""
        self._table = self._present
        self._visited: set[str] = set()
        """Keys of the steps that were opened since this side of this table is mapped."""
        self._title = label("Steps", kind="section")
        self._stack = QStackedWidget()
        self._names = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._names.setSpacing(spacing.HAIR)
        self._stale: list[Panel] = []
        self._about: tuple[object, ...] = (None,) * 4
        self._slices = EventLoopSlices(self)
        self._lay_out()
        self._group.idClicked.connect(self.open)
        self._fresh = False
        """True if a new table is about to be shown."""
        actions.table_opening.connect(self._expect_table)
        actions.store.changed.connect(self._follow)
        actions.phase_changed.connect(self.show_session)

    def add(self, panel: Panel) -> None:
        """Add a step; the first one is open."""
        made = StepButton(panel)
        panel.step_wanted.connect(self.open_step)
        self._group.addButton(made, len(self.panels))
        self._names.addWidget(made)
        area = _scroll_area()
        self._stack.addWidget(area)
        # Last: moving a filled panel takes as long as building it.
        area.setWidget(panel)
        self.buttons.append(made)
        self.panels = (*self.panels, panel)
        if len(self.panels) == 1:
            self.open(0)
        panel.show_session()
        self._mark(len(self.panels) - 1)

    def _lay_out(self) -> None:
        head = vbox(
            self._title, self._names, line(), gap=spacing.SMALL, margins=(0, 0, spacing.LARGE, 0)
        )
        # The scroll area reaches to the edges; its bar lies in the margin.
        vbox(
            head, (self._stack, 1), into=self, gap=0, margins=(spacing.LARGE, spacing.MEDIUM, 0, 0)
        )

    def open(self, number: int) -> None:
        """Open a step; Tab focuses its name, arrow keys move to the others."""
        self._fill(self.panels[number])
        self.buttons[number].setChecked(True)
        self._stack.setCurrentIndex(number)
        self._visited.add(self.panels[number].key)
        self._mark(number)
        if any(made.hasFocus() for made in self.buttons):
            # Otherwise the focus ring would stay at a step that is no longer open.
            self.buttons[number].setFocus()
        for place, made in enumerate(self.buttons):
            policy = Qt.FocusPolicy.TabFocus if place == number else Qt.FocusPolicy.NoFocus
            made.setFocusPolicy(policy)

    def open_step(self, key: str) -> None:
        """Open the step with this key."""
        self.open([panel.key for panel in self.panels].index(key))

    def _expect_table(self) -> None:
        self._fresh = True

    def stops(self) -> Iterator[QWidget]:
        """Return the tab stops: the name of the open step, then its content in visual order."""
        number = self._stack.currentIndex()
        yield self.buttons[number]
        yield from stops(self.panels[number])

    def _follow(self) -> None:
        """Update the steps if the session changed in something they show."""
        session = self._actions.session
        about = session.data, session.plan, session.runs, session.shown
        if any(one is not other for one, other in zip(about, self._about, strict=True)):
            self._about = about
            self.show_session()

    def show_session(self) -> None:
        """Update the open step, tick finished ones, and update the others in slices.

        All at once would take too long.
        """
        (table, side), self._table = self._table, self._present
        if self._table[0] is not table or self._table[1] is not side:
            self._visited = {self.panels[self._stack.currentIndex()].key} if self.panels else set()
        self._stale = list(self.panels)
        if self._fresh and self.panels:
            # Findings come first: open the Data step.
            self._fresh = False
            self._visited = set()
            self.open(0)
        if self.panels:
            self._fill(self.panels[self._stack.currentIndex()])
        for number, panel in enumerate(self.panels):
            if panel not in self._stale:
                self._mark(number)
        self._slices.schedule(*[partial(self._catch_up, panel) for panel in self._stale])

    def _fill(self, panel: Panel) -> None:
        if panel in self._stale:
            self._stale.remove(panel)
            panel.show_session()

    def _catch_up(self, panel: Panel) -> None:
        self._fill(panel)
        self._mark(self.panels.index(panel))

    @property
    def _present(self) -> tuple[Labelled | None, bool]:
        """Return the table as read, and whether its rows are mapped."""
        data = self._actions.session.data
        return (None, False) if data is None else (data.labelled, items_in_rows(data))

    def _mark(self, number: int) -> None:
        """Tick or number a step; with a map, all of them are ticked."""
        panel, made = self.panels[number], self.buttons[number]
        seen = panel.key in self._visited or has_map(self._actions.session)
        ticked = panel.done and seen
        made.show_icon(icon("check") if ticked else icon(f"step-{number + 1}", role="muted"))
        made.show_open(panel.n_open, number + 1, done=ticked)
        made.setEnabled(panel.ready)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._arrange(low=event.size().height() < LOW)

    def _arrange(self, *, low: bool) -> None:
        """Lay out the names vertically, or side by side in low windows."""
        direction = QBoxLayout.Direction
        wanted = direction.LeftToRight if low else direction.TopToBottom
        if wanted is self._names.direction():
            return
        self._names.setDirection(wanted)
        self._names.setSpacing(0 if low else spacing.HAIR)
        self._title.setHidden(low)
        for made in self.buttons:
            mark(made, "beside", "true" if low else "")
            made.show_beside(low)


class StepButton(QPushButton):
    """Button of a step, with a badge that counts its open findings."""

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel.name)
        self.setProperty("kind", ButtonKind.STEP.value)
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
        hbox(
            STRETCH,
            (self.badge, Qt.AlignmentFlag.AlignVCenter),
            into=self,
            margins=(0, 0, spacing.SMALL, 0),
        )

    def show_icon(self, shown: QIcon) -> None:
        """Show an icon before the name, unless the badge needs the room."""
        self._icon = shown
        self._make_room()

    def show_beside(self, beside: bool) -> None:
        """Use the layout for steps side by side."""
        self._beside = beside
        self.setIconSize(SMALL_ICON if beside else ICON)
        self._make_room()

    def _make_room(self) -> None:
        crowded = self._beside and self.badge.isVisibleTo(self)
        self.setIcon(QIcon() if crowded else self._icon)
        mark(self, "crowded", "true" if crowded else "")

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        """Return the size of the name and the badge."""
        hint = super().sizeHint()
        more = self.badge.sizeHint().width() if self.badge.isVisibleTo(self) else 0
        return QSize(hint.width() + more, hint.height())

    def show_open(self, n_open: int, number: int, *, done: bool) -> None:
        """Show the number of open findings and whether the step is done."""
        self.badge.setText(str(n_open))
        self.badge.setVisible(bool(n_open))
        self._make_room()
        self.updateGeometry()
        waiting = f"{counted(n_open, 'finding')} to review" if n_open else ""
        self.setToolTip(": ".join(filter(None, (f"Step {number}", waiting))))
        self.setAccessibleDescription(", ".join(filter(None, ("done" if done else "", waiting))))


def _scroll_area() -> QScrollArea:
    """Return a scroll area for a panel whose width does not depend on the scroll bar."""
    made = QScrollArea()
    made.setWidgetResizable(True)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    bar = made.verticalScrollBar()
    # The style sheet hides the bar if there is nothing to scroll.
    bar.rangeChanged.connect(lambda low, high: bar.setEnabled(high > low))
    bar.setEnabled(False)
    return made
