"""The centre of the window: one, two or four panes, each with a view of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from ximstudio import views
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.session.shown import Pictures
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.views import AnyView, view_widget
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.drop_area import let_drops_through
from ximstudio.ui.widgets.focus import stops
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import icon_segments, mark
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.slices import EventLoopSlices
from ximstudio.views.common.state import ViewState

SPLITS = {
    "1": ("split-1", "Show one view"),
    "2": ("split-2", "Show two views side by side"),
    "4": ("split-4", "Show four views"),
}
LEAST = 268, 120
"""Smallest readable size of a pane."""
LEAST_ALONE = 280
"""Width of a pane that has the switch between one, two and four views alone in its row of tabs."""
LEAST_ROOM = "least"
SQUEEZED = {26: "tight", 20: LEAST_ROOM}
"""Width of a tab with only its icon, in pixels with edges, and its name in the style sheet."""
ALIKE = 1000
"""Any size that is the same for all."""


class Pane(QFrame):
    """A row of tabs with the selected view; a view is built when it is first shown."""

    wanted = Signal()
    """Another view is shown, or its options changed: its request has to be fetched again."""
    chosen = Signal(object, object)
    """The user selects items: a Selection, and how to combine it with the present one."""

    def __init__(self, actions: Actions, key: str, first: int) -> None:
        super().__init__()
        self._actions = actions
        # The same for all: preferred sizes of views would put the columns of both rows out of line.
        self.setMinimumSize(*LEAST)
        self._key = key
        self._built: dict[int, AnyView] = {}
        self._made: dict[int, AnyView] = {}
        """Views that are not yet in the stack."""
        self._states: dict[str, ViewState] = {}
        """States of views that have not been built."""
        self._selection = NOTHING
        self._widths: dict[frozenset[int], int] = {}
        """Widths of the tabs, by views whose names are written."""
        self.tabs = QTabBar()
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        for number, kind in enumerate(views.VIEWS):
            self.tabs.addTab(icon(kind.icon), kind.name)
            self.tabs.setTabToolTip(
                number, f"{kind.name}: {kind.about[:1].lower()}{kind.about[1:]}"
            )
            self.tabs.setAccessibleTabName(number, kind.name)
        self.tabs.setCurrentIndex(first)
        self._stack = QStackedWidget()
        self._head = hbox((self.tabs, 1), margins=(spacing.SMALL, 0, spacing.SMALL, 0))
        vbox(self._head, (self._stack, 1), into=self, gap=0, margins=0)
        self.tabs.currentChanged.connect(self._show)

    def keep_free(self, width: int) -> None:
        """Reserve this many pixels at the end of the row of tabs."""
        self._head.setContentsMargins(spacing.SMALL, 0, spacing.SMALL + width, 0)
        self._name_tabs()

    @property
    def view(self) -> AnyView:
        """The view on display."""
        return self._view(self.tabs.currentIndex())

    @property
    def views(self) -> tuple[AnyView, ...]:
        """All views, built if necessary."""
        return tuple(self._view(number) for number in range(len(views.VIEWS)))

    @property
    def key(self) -> str:
        """Key of the view on display, so that a picture for an earlier view is not used."""
        return f"{self._key}, {views.VIEWS[self.tabs.currentIndex()].key}"

    def show_view(self, key: str) -> None:
        """Show the view with this key."""
        self.tabs.setCurrentIndex(_keys().index(key))

    @property
    def state(self) -> dict[str, Any]:
        """The view on display and the states of all views, as plain values."""
        states = self._states | {view.kind.key: view.state for view in self.built}
        values = {key: state.as_values() for key, state in states.items()}
        return {"view": views.VIEWS[self.tabs.currentIndex()].key, "views": values}

    def restore(self, values: object) -> None:
        """Restore the state of the views; what is not understood stays."""
        given = _mapping(values)
        states = _mapping(given.get("views"))
        self._states = {}
        for number, kind in enumerate(views.VIEWS):
            values_of = states.get(kind.key)
            state = views.state_named(kind.key, _mapping(values_of))
            if number in self._built:
                self._built[number].restore(state)
            elif isinstance(values_of, dict):
                self._states[kind.key] = state
        if given.get("view") in _keys():
            self.show_view(str(given["view"]))

    def state_of(self, key: str) -> ViewState:
        """State of a view, also of one that has not been built."""
        number = _keys().index(key)
        if number not in self._built:
            return self._states.get(key) or views.state_named(key)
        state: ViewState = self._built[number].state
        return state

    def build_for(self, values: object) -> Iterator[None]:
        """Build the view that `restore` shows for these values, then add it to the stack."""
        key = _mapping(values).get("view")
        if key not in _keys():
            return
        number = _keys().index(key)
        if number not in self._built:
            self._made[number] = view_widget(key)
            yield
            self._view(number)
            yield

    @property
    def built(self) -> tuple[AnyView, ...]:
        """The views that were built."""
        return tuple(self._built.values())

    def show_selection(self, selection: Selection) -> None:
        """Mark the selected items in the view on display; the others follow when they are shown."""
        self._selection = selection
        self.view.show_selection(selection)

    def stops(self) -> Iterator[QWidget]:
        """Yield the widgets that take the keyboard focus, in visual order."""
        yield self.tabs
        yield from stops(self.view)

    def build(self) -> Iterator[None]:
        """Build the remaining views one by one."""
        for number in range(len(views.VIEWS)):
            self._view(number)
            yield

    def _view(self, number: int) -> AnyView:
        if number not in self._built:
            view = self._made.pop(number, None) or view_widget(views.VIEWS[number].key)
            self._built[number] = view
            view.setWhatsThis(view.whatsThis() or view.kind.about)
            view.asked.connect(self.show_view)
            view.wanted.connect(self.wanted)
            view.chosen.connect(self.chosen)
            view.show_selection(self._selection)
            view.meet(self._actions)
            if view.kind.key in self._states:
                view.restore(self._states.pop(view.kind.key))
            let_drops_through(view)
            self._stack.addWidget(view)
            if number == self.tabs.currentIndex():
                self._stack.setCurrentWidget(view)
        return self._built[number]

    def look(self) -> None:
        """Show the view of the selected tab, building it if necessary."""
        self._stack.setCurrentWidget(self.view)
        self.view.show_selection(self._selection)

    def _show(self) -> None:
        self._name_tabs()
        if not self.isHidden():
            self.look()
            self.wanted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._name_tabs()

    def _name_tabs(self) -> None:
        """Write the names of the views on the tabs, or only icons without room."""
        margins = self._head.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        for ways in (range(len(views.VIEWS)), (self.tabs.currentIndex(),), ()):
            named = frozenset(ways)
            # Measuring is slow, and a pane is resized pixel by pixel.
            if named not in self._widths:
                self._write_tabs(named)
                self._widths[named] = self.tabs.sizeHint().width()
            if self._widths[named] <= room:
                self._write_tabs(named)
                return
        for width, wanted in SQUEEZED.items():
            if len(views.VIEWS) * width <= room or wanted == LEAST_ROOM:
                self._write_tabs(frozenset(), room=wanted)
                return

    def _write_tabs(self, named: frozenset[int], *, room: str = "") -> None:
        """Write the names of these views on their tabs; without any, icons may stand closer."""
        if (self.tabs.property("room") or "") != room:
            mark(self.tabs, "room", room)
            # Qt lays tabs out again, and scrolls them back, only after a change of style.
            QApplication.sendEvent(self.tabs, QEvent(QEvent.Type.StyleChange))
        for number, kind in enumerate(views.VIEWS):
            text = kind.name if number in named else ""
            if self.tabs.tabText(number) != text:
                self.tabs.setTabText(number, text)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802  (Qt's name)
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._widths.clear()


class ViewArea(QWidget):
    """Panes side by side, whose requests are rendered by the actions."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._slices = EventLoopSlices(self)
        self._late: dict[str, Any] = {}
        """Pictures by pane that are still to be drawn, one at a time."""
        self._drawn: tuple[str, ...] = ()
        """Names of the items on display."""
        self.panes = tuple(
            Pane(actions, f"pane {number}", number % len(views.VIEWS)) for number in range(4)
        )
        upper, lower = QSplitter(), QSplitter()
        for number, pane in enumerate(self.panes):
            (upper if number < 2 else lower).addWidget(pane)
            pane.wanted.connect(lambda pane=pane: self._request(pane))
            pane.chosen.connect(actions.selecting.select)
        self._rows = QSplitter(Qt.Orientation.Vertical)
        self._rows.addWidget(upper)
        self._rows.addWidget(lower)
        self._splitters = (self._rows, upper, lower)
        upper.splitterMoved.connect(lambda: lower.setSizes(upper.sizes()))
        lower.splitterMoved.connect(lambda: upper.setSizes(lower.sizes()))
        vbox(self._rows, into=self, margins=0)
        # In no pane, so that it stays in place whatever it does to them.
        self._last = self.panes[0]
        """The pane that had the focus last."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)
        self._narrow = False
        """True if panes on the right are hidden for lack of room."""
        self.split = icon_segments(SPLITS, chosen="1")
        self.split.setParent(self)
        actions.drawn.connect(self.draw)
        actions.drawing_failed.connect(self._fail)
        actions.phase_changed.connect(self._wait)
        actions.store.changed.connect(self._follow)
        self.split.chosen.connect(self.show_panes)
        for number in range(len(views.VIEWS)):
            QShortcut(
                QKeySequence(f"Ctrl+{number + 1}"),
                self,
                lambda number=number: self.pane.tabs.setCurrentIndex(number),
            )
        self.show_panes("1")

    @property
    def pane(self) -> Pane:
        """The pane with the focus, or the last one that had it; the first by default."""
        self._follow_focus(None, QApplication.focusWidget())
        return self._last if self._last in self.seen else self.panes[0]

    def _follow_focus(self, _: QWidget | None, focus: QWidget | None) -> None:
        """Remember the pane with the focus, as a click on a card or button takes it away."""
        inside = (pane for pane in self.seen if focus is not None and pane.isAncestorOf(focus))
        self._last = next(inside, self._last)

    def show_panes(self, number: str) -> None:
        """Show one, two or four panes."""
        self.split.choose(number)
        last = 0 if number == "1" or self._narrow else 1
        for place, pane in enumerate(self.panes):
            pane.setVisible(place < int(number) and not (self._narrow and place % 2))
            pane.setMinimumWidth(LEAST_ALONE if self._narrow else LEAST[0])
            if not pane.isHidden():
                pane.look()
            pane.keep_free(self.split.sizeHint().width() + spacing.SMALL if place == last else 0)
        self._splitters[2].setVisible(number == "4")
        for splitter in self._splitters:
            splitter.setSizes([ALIKE, ALIKE])
        self._show_selection()
        self._request()

    @property
    def state(self) -> dict[str, Any]:
        """State of panes and views as plain values; `restore` reads them back."""
        return {"split": self.split.value, "panes": [pane.state for pane in self.panes]}

    def build_for(self, values: object) -> Iterator[None]:
        """Build the views that `restore` shows for these values, one by one."""
        seen = self.panes[: int(self._split_in(values))]
        for pane, state in zip(seen, _panes_in(values), strict=False):
            yield from pane.build_for(state)

    def restore(self, values: object) -> None:
        """Restore panes and views; what is not understood stays."""
        for _ in self.restoring(values):
            pass

    def restoring(self, values: object) -> Iterator[None]:
        """Restore pane by pane."""
        for pane, state in zip(self.panes, _panes_in(values), strict=False):
            pane.restore(state)
            yield
        self.show_panes(self._split_in(values))

    def _split_in(self, values: object) -> str:
        """Number of panes for these values; the present one by default."""
        wanted = _mapping(values).get("split")
        return wanted if wanted in SPLITS else self.split.value

    def draw(self, pictures: Pictures) -> None:
        """Give every visible view its picture; without a map, clear all views."""
        late, self._late = self._late, {}
        self._slices.cancel()
        self._drawn = self._items if pictures else ()
        if pictures:
            # Pictures still to come are not lost to newer ones of other panes.
            pictures = {**late, **pictures}
        one_by_one = len(pictures) > 1 and self._actions.phase is not Phase.RUNNING
        if one_by_one:
            # All together would block the window. During training the next ones are already on
            # their way, and the last panes might never be drawn.
            self._late = dict(pictures)
            self._slices.schedule(*[partial(self._draw_late, key) for key in pictures])
        else:
            self._draw(pictures)

    @property
    def _items(self) -> tuple[str, ...]:
        """Names of the items to display."""
        shown = self._actions.shown
        return () if shown is None else shown.matrix.item_ids

    def _follow(self) -> None:
        """Clear views of other items, so that the user cannot click items outside the table."""
        if self._drawn and self._drawn != self._items:
            self.draw({})
            self._wait()
        self._show_selection()

    @property
    def is_drawn(self) -> bool:
        """True if all pictures are displayed, and none follows in a moment."""
        return not self._late and all(pane.view.is_drawn for pane in self.seen)

    def _draw_late(self, key: str) -> None:
        self._draw({key: self._late.pop(key)})

    def _draw(self, pictures: Pictures) -> None:
        for pane in self.seen:
            if pane.key in pictures:
                pane.view.draw(pictures[pane.key])
            elif not pictures:
                pane.view.draw_nothing()
        if not pictures:
            for view in (view for pane in self.panes for view in pane.built if not view.is_blank):
                view.draw_nothing()

    def stops(self) -> Iterator[QWidget]:
        """Yield the focus widgets pane by pane; the switch comes after the last tabs above."""
        for pane in self.seen:
            first, *others = pane.stops()
            yield first
            if pane is self.seen[:2][-1]:
                yield from stops(self.split)
            yield from others

    def fit_into(self, width: int) -> None:
        """Show only the left panes if two side by side do not fit."""
        narrow = width < 2 * LEAST[0] + self._rows.handleWidth()
        if narrow is not self._narrow:
            self._narrow = narrow
            self.show_panes(self.split.value)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        size, tabs = self.split.sizeHint(), self.panes[0].tabs.sizeHint()
        left = self.width() - size.width() - spacing.SMALL
        self.split.setGeometry(
            left, (tabs.height() - size.height()) // 2, size.width(), size.height()
        )
        self.split.raise_()

    @property
    def seen(self) -> tuple[Pane, ...]:
        """The visible panes."""
        return tuple(pane for pane in self.panes if not pane.isHidden())

    def _request(self, changed: Pane | None = None) -> None:
        """Request the pictures of all panes, or only that of a pane whose options changed."""
        only = None if changed is None else changed.key
        self._actions.render({pane.key: pane.view.request() for pane in self.seen}, only)
        self._wait()

    def _show_selection(self) -> None:
        """Mark the selection, and paint it before lists and statistics are computed."""
        selection = self._actions.session.selection
        fresh = [pane for pane in self.seen if pane.view.selection != selection]
        for pane in self.seen:
            pane.show_selection(selection)
        for pane in fresh:
            pane.view.paint_now()

    def _wait(self) -> None:
        """Show in views without a picture what is being computed, if anything."""
        for pane in self.seen:
            if self._actions.shown is not None:
                pane.view.draw_wait("Drawing…")
            elif self._actions.phase is Phase.RUNNING:
                pane.view.draw_wait("Training begins…", "The first time takes longer.")
            elif pane.view.is_blank:
                pane.view.draw_nothing()

    def _fail(self) -> None:
        for pane in self.seen:
            pane.view.draw_failed()


def _keys() -> list[str]:
    """Keys of all views, in the order of the tabs."""
    return [kind.key for kind in views.VIEWS]


def _mapping(values: object) -> dict[str, Any]:
    """Return values by name; empty if they are something else."""
    return values if isinstance(values, dict) else {}


def _panes_in(values: object) -> list[object]:
    """Values of each pane."""
    panes = _mapping(values).get("panes")
    return panes if isinstance(panes, list) else []
