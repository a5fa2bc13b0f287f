"""Compare: runs side by side, and their quality."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from ximstudio.session.plan import JOINING, method_title, usual_title
from ximstudio.session.shown import RenderRequest
from ximstudio.session.words import share_text
from ximstudio.train import METHODS, method_named
from ximstudio.train.checks import is_installed
from ximstudio.ui.views.common.view import View
from ximstudio.ui.views.compare.maps_page import MapsPage
from ximstudio.ui.views.compare.measures_page import MeasuresPage
from ximstudio.ui.views.compare.stability_page import StabilityPage
from ximstudio.ui.views.compare.sweep_page import SweepPage
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.drop_area import let_drops_through
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, button, combo_box, segments, tool_button
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.views.compare import COMPARE
from ximstudio.views.compare.picture import CompareMemory, ComparePicture
from ximstudio.views.compare.state import MAPS, MEASURES, STABILITY, SWEEP, CompareState
from ximstudio.views.compare.sweep_picture import SweepPicture
from ximstudio.views.map import MAP

if TYPE_CHECKING:
    from ximstudio.ui.actions.actions import Actions

PAGES = {MAPS: "Maps", MEASURES: "Measures", SWEEP: "Sweep", STABILITY: "Stability"}
LEAST = 400, 240
ROOMY = 600
"""Width of a pane with room for the words of the buttons, in pixels."""
TIGHT = 430
"""Width of a pane below which its pages are a drop-down, in pixels."""
WIDE = 800
"""Width of a pane with room for the name of the default comparison, too, in pixels."""


class CompareView(View[CompareState, ComparePicture]):
    """Maps of several runs, their measures, sweeps and stability: a page each."""

    kind = COMPARE

    def __init__(self) -> None:
        super().__init__()
        self._actions: Actions
        self._compared = CompareMemory()
        self._stale: set[str] = set()
        """Pages that do not show the last picture yet."""
        self.pages = segments(PAGES, name="What is compared")
        self.maps = MapsPage()
        self._parts: dict[str, QWidget] = {}
        """Pages that were built."""
        self.usual = button(
            usual_title(),
            size=Size.SMALL,
            icon_name=COMPARE.icon,
            tip=f"{usual_title()}: train them on this table and compare them",
        )
        self.usual.setAccessibleName(usual_title())
        self.usual.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.narrow_pages = combo_box(name="What is compared")
        for key, name in PAGES.items():
            self.narrow_pages.addItem(name, key)
        self.joining = {key: self._made_joining(key) for key in JOINING}
        self.add = self._made_add()
        self.progress = Elided(kind="muted")
        self.stop = tool_button("close", tip="Stop training; finished maps stay", size=Size.SMALL)
        self.stop.hide()
        self._lay_out()
        self.pages.chosen.connect(lambda _: self._show_page())
        self.narrow_pages.activated.connect(
            lambda: self.pages.button(self.narrow_pages.currentData()).click()
        )
        self.maps.wanted.connect(self.wanted)
        self.maps.chosen.connect(self.chosen)

    # Pages, each built when first shown: together they would block the window

    @cached_property
    def measures(self) -> MeasuresPage:
        """The page of measures."""
        made = MeasuresPage()
        self._add_page(MEASURES, made)
        made.protocol_wanted.connect(self._actions.comparison.repeat)
        made.show_repeating(self._actions.comparison.is_repeating)
        return made

    @cached_property
    def sweep(self) -> SweepPage:
        """The page of sweeps."""
        made = SweepPage(self._actions)
        self._add_page(SWEEP, made)
        made.opened.connect(lambda: self.asked.emit(MAP.key))
        return made

    @cached_property
    def stability(self) -> StabilityPage:
        """The page of stability."""
        made = StabilityPage(self._actions)
        self._add_page(STABILITY, made)
        return made

    def _add_page(self, key: str, page: QWidget) -> None:
        self._parts[key] = page
        self._stack.addWidget(page)
        let_drops_through(page)

    def _page(self, key: str) -> QWidget:
        """The page with this key, built if necessary."""
        page: QWidget = getattr(self, key)
        return page

    def _made_add(self) -> QToolButton:
        made = tool_button("plus", tip="Add a run or a method to the comparison", text="Add")
        menu = QMenu(made)
        menu.aboutToShow.connect(lambda: self._fill_add(menu))
        made.setMenu(menu)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return made

    def _made_joining(self, key: str) -> QPushButton:
        method = method_named(key)
        made = button(method_title(method), size=Size.SMALL, icon_name="plus")
        train = f"Train {method.name} on this table and add it to the comparison"
        made.setToolTip(train if is_installed(method) else f"{method.name}: show how to install it")
        made.setAccessibleName(f"Add {method.name} to the comparison")
        return made

    def _lay_out(self) -> None:
        head = hbox(
            self.pages,
            self.narrow_pages,
            (self.progress, 100),
            STRETCH,
            self.stop,
            self.usual,
            *self.joining.values(),
            self.add,
            gap=spacing.SMALL,
            margins=(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.SMALL),
        )
        self._add_page(MAPS, self.maps)
        self._stack.addWidget(self.empty)
        page = QFrame()
        page.setProperty("kind", "panel")
        vbox(head, (self._stack, 1), into=page, gap=0, margins=0)
        # Not the size that all pages need together: they manage with less.
        self.setMinimumSize(1, 1)
        vbox(page, into=self, margins=0)

    def minimumSizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        """Size that suffices with words dropped; Qt would ask for all words of all pages."""
        return QSize(*LEAST)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Drop words in a narrow pane."""
        super().resizeEvent(event)
        roomy = self.width() >= ROOMY
        self.usual.setText(usual_title() if self.width() >= WIDE else "")
        for joins in self.joining.values():
            joins.setVisible(roomy)
        self.progress.setVisible(roomy)
        tight = self.width() < TIGHT
        self.pages.setVisible(not tight)
        self.narrow_pages.setVisible(tight)
        style = Qt.ToolButtonStyle
        self.add.setToolButtonStyle(
            style.ToolButtonTextBesideIcon if roomy else style.ToolButtonIconOnly
        )

    def meet(self, actions: Actions) -> None:
        """Take the actions that train and compare runs."""
        self._actions = actions
        comparison = actions.comparison
        self.usual.clicked.connect(comparison.train_usual)
        for key, joins in self.joining.items():
            joins.clicked.connect(lambda _=False, key=key: comparison.train_method(key))
        self.stop.clicked.connect(comparison.stop)
        self.empty.chosen.connect(comparison.train_usual)
        self.maps.run_wanted.connect(comparison.replace_run)
        self.maps.method_wanted.connect(
            lambda instead, method: comparison.train_method(method, instead)
        )
        self.maps.removed.connect(lambda key: comparison.set_compared(key, on=False))
        self.maps.led.connect(comparison.align_to)
        comparison.changed.connect(self._show_progress)
        actions.store.changed.connect(self._show_session)
        actions.jobs.began.connect(lambda _: self._show_progress())
        self.draw_nothing()
        self._show_session()
        self._show_progress()

    # Display

    @property
    def state(self) -> CompareState:
        by, option = self.maps.colouring.wanted
        return CompareState(
            palettes=self.maps.palette_button.keys,
            page=self.pages.value,
            by=by,
            option=option,
            hidden=self.maps.legend.hidden,
            order=self.sweep.order_key,
        )

    def restore(self, state: CompareState) -> None:
        self.maps.palette_button.restore(state.palettes)
        self.maps.colouring.restore(state.by, state.option)
        self.maps.legend.restore(state.hidden)
        self.sweep.restore(state.order)
        self.pages.choose(state.page if state.page in PAGES else MAPS)
        self._show_page()

    def request(self) -> RenderRequest[ComparePicture]:
        """Request the compared runs in the chosen colours."""
        return self.state.request(self._compared)

    def draw(self, picture: ComparePicture) -> None:
        before, self._picture = self._picture, picture
        if picture is not before:
            self._stale = {MAPS, MEASURES, STABILITY}
        self._show_page()

    def draw_nothing(self) -> None:
        """Say how to get something to compare."""
        self._picture = None
        self._stale = set()
        self.maps.clear()
        if STABILITY in self._parts:
            self.stability.draw(None)
        self._show_page()

    @property
    def is_drawn(self) -> bool:
        return self.maps.is_drawn

    @property
    def swept(self) -> SweepPicture | None:
        """The sweep as it is displayed, for figures; None if there is none."""
        return None if self._actions.parameter_sweep.sweep is None else self.sweep.picture

    @property
    def selected_ids(self) -> frozenset[str]:
        found = frozenset[str]()
        return found.union(*(panel.selected_ids for panel in self.maps.panels))

    def paint_now(self) -> None:
        if self._stack.currentWidget() is self.maps:
            self.maps.paint_now()

    def _mark_selection(self) -> None:
        self.maps.show_selection(self.selection)

    def _show_page(self) -> None:
        """Show the chosen page; without runs to compare, say how to get some."""
        key, picture = self.pages.value, self._picture
        self.narrow_pages.setCurrentIndex(list(PAGES).index(key))
        compared = picture is not None and bool(picture.panels)
        if picture is not None and key in self._stale:
            self._stale.discard(key)
            self._fill(key, picture)
        if not compared and key in (MAPS, MEASURES):
            self._say_why()
            self._stack.setCurrentWidget(self.empty)
        else:
            self._stack.setCurrentWidget(self._page(key))

    def _fill(self, key: str, picture: ComparePicture) -> None:
        """Draw a page; the others are hidden."""
        if key == STABILITY:
            self.stability.draw(picture.stability)
        elif picture.panels and key == MAPS:
            self.maps.draw(picture)
            self._show_session()
        elif picture.panels:
            self.measures.draw(picture)

    def _say_why(self) -> None:
        awaited = ", ".join(self._actions.comparison.awaited)
        if awaited:
            first = self._actions.comparison.waits_for
            when = f"{first} comes first." if first else "Each map appears as soon as it is ready."
            self.empty.show_wait(f"Training {awaited}", when)
            return
        self.empty.show_message(
            "Nothing to compare yet",
            "Train four methods on the same table with one click, from the simplest (PCA) to "
            "c-XIM, or select runs below. You can add t-SNE and UMAP, too.",
            action=usual_title() if self._able else "",
        )

    @property
    def _able(self) -> bool:
        """True if there is a table to train on."""
        data = self._actions.session.data
        return data is not None and data.matrix is not None

    def _enable(self) -> None:
        """Enable the methods that can be trained now and are neither compared nor awaited."""
        able, comparison = self._able, self._actions.comparison
        self.usual.setEnabled(able and not comparison.busy)
        there = {run.result.method for run in self._actions.session.compared_runs}
        for key, joins in self.joining.items():
            known = key in there or method_named(key).name in comparison.awaited
            joins.setEnabled(able and not known)

    def _show_session(self, _: str = "") -> None:
        """Offer the existing runs."""
        self._enable()
        runs = {run.key: run.name for run in self._actions.session.runs}
        self.maps.show_entries(runs, {method.key: method_title(method) for method in METHODS})
        if self._stack.currentWidget() is self.empty:
            self._say_why()

    def _show_progress(self) -> None:
        """Show what is still being trained."""
        comparison = self._actions.comparison
        awaited = ", ".join(comparison.awaited)
        share = share_text(comparison.fraction)
        text = f"Training {awaited}: {share}" if awaited else ""
        text = text or ("Repeating…" if comparison.is_repeating else "")
        first = comparison.waits_for
        self.progress.show_text(f"Waiting for {first}" if first else text)
        self.stop.setVisible(bool(awaited) or comparison.is_repeating)
        self._enable()
        if MEASURES in self._parts:
            self.measures.show_repeating(comparison.is_repeating)
        if self._stack.currentWidget() is self.empty:
            self._say_why()

    def _fill_add(self, menu: QMenu) -> None:
        """List the runs that are not compared yet, and the methods that can be trained."""
        actions = self._actions
        menu.clear()
        compared = actions.comparison.keys
        others = [run for run in actions.session.runs if run.key not in compared]
        for run in others:
            action = menu.addAction(icon("eye"), run.name)
            action.triggered.connect(
                lambda _=False, key=run.key: actions.comparison.set_compared(key, on=True)
            )
        if others:
            menu.addSeparator()
        for method in METHODS:
            action = menu.addAction(icon("train"), f"Train {method_title(method)}")
            action.triggered.connect(
                lambda _=False, key=method.key: actions.comparison.train_method(key)
            )
