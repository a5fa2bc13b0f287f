"""Compare: runs side by side, and how good each is."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ximstudio.pictures.compare import CompareMemory, ComparePicture
from ximstudio.pictures.states import CompareState, ViewState
from ximstudio.pictures.states.compare import MAPS, MEASURES, STABILITY, SWEEP
from ximstudio.pictures.sweep import SweepPicture
from ximstudio.session.shown import Wish
from ximstudio.session.usual import JOINING, usual_title
from ximstudio.session.words import share_text
from ximstudio.train import METHODS, method_named
from ximstudio.train.checks import is_installed
from ximstudio.ui.drop import let_drops_through
from ximstudio.ui.elided import Elided
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Size, button, combo_box, segments, tool_button
from ximstudio.ui.look.icons import icon
from ximstudio.ui.panels.method_names import method_title
from ximstudio.ui.views.compare.maps_page import MapsPage
from ximstudio.ui.views.compare.measures_page import MeasuresPage
from ximstudio.ui.views.compare.stability_page import StabilityPage
from ximstudio.ui.views.compare.sweep_page import SweepPage
from ximstudio.ui.views.empty import Empty
from ximstudio.ui.views.view import View

if TYPE_CHECKING:
    from ximstudio.ui.studio import Studio

PAGES = {MAPS: "Maps", MEASURES: "Measures", SWEEP: "Sweep", STABILITY: "Stability"}
LEAST = 400, 240
ROOMY = 600
"""Pixels of a pane that has room for the words of what can be added."""
TIGHT = 430
"""Pixels of a pane below which its pages are a drop-down."""
WIDE = 800
"""Pixels of a pane that has room for the name of the usual comparison, too."""


class CompareView(View):
    """Maps of several runs, their measures, sweeps and stability: a page each."""

    key = "compare"
    name = "Compare"
    icon = "compare"
    about = "Several maps side by side: turned to agree, linked, and judged by the same measures."

    def __init__(self) -> None:
        super().__init__()
        self._studio: Studio | None = None
        self._memory = CompareMemory()
        self._picture: ComparePicture | None = None
        self._stale: set[str] = set()
        """Pages that do not show the last picture yet."""
        self.pages = segments(PAGES)
        self.pages.setAccessibleName("What is compared")
        self.maps = MapsPage()
        self._parts: dict[str, QWidget] = {}
        """Pages that were built."""
        self.usual = button(usual_title(), size=Size.SMALL, icon_name="compare")
        self.usual.setAccessibleName(usual_title())
        self.usual.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.narrow_pages = combo_box()
        self.narrow_pages.setAccessibleName("What is compared")
        for key, name in PAGES.items():
            self.narrow_pages.addItem(name, key)
        self.usual.setToolTip(f"{usual_title()}: train them on these data, and see them together")
        self.joining = {key: self._made_joining(key) for key in JOINING}
        self.add = self._made_add()
        self.progress = Elided(kind="muted")
        self.stop = tool_button("close", tip="Train no more; what is there stays", size=Size.SMALL)
        self.stop.hide()
        self.empty = Empty("compare")
        self._body = QStackedWidget()
        self._lay_out()
        self.pages.chosen.connect(lambda _: self._show_page())
        self.narrow_pages.activated.connect(
            lambda: self.pages.button(self.narrow_pages.currentData()).click()
        )
        self.maps.wanted.connect(self.wanted)
        self.maps.chosen.connect(self.chosen)
        self.draw_nothing()

    # Pages, each built when first seen: all at once they take longer than a person should wait

    @cached_property
    def measures(self) -> MeasuresPage:
        """How good the runs are."""
        made = MeasuresPage()
        self._add_page(MEASURES, made)
        if self._studio is not None:
            comparing = self._studio.comparing
            made.protocol_wanted.connect(comparing.repeat)
            made.show_repeating(comparing.is_repeating)
        return made

    @cached_property
    def sweep(self) -> SweepPage:
        """One method over many settings."""
        made = SweepPage()
        self._add_page(SWEEP, made)
        made.opened.connect(lambda: self.asked.emit("map"))
        if self._studio is not None:
            made.meet(self._studio)
        return made

    @cached_property
    def stability(self) -> StabilityPage:
        """What of a run stays when it is made again."""
        made = StabilityPage()
        self._add_page(STABILITY, made)
        if self._studio is not None:
            made.meet(self._studio)
        made.draw(None)
        return made

    def _add_page(self, key: str, page: QWidget) -> None:
        self._parts[key] = page
        self._body.addWidget(page)
        let_drops_through(page)

    def _page(self, key: str) -> QWidget:
        """The page with this key, built now if nobody has seen it yet."""
        if key == MEASURES:
            return self.measures
        if key == SWEEP:
            return self.sweep
        return self.stability if key == STABILITY else self.maps

    def _made_add(self) -> QToolButton:
        made = tool_button("plus", tip="Compare one more run or method", text="Add")
        menu = QMenu(made)
        menu.aboutToShow.connect(lambda: self._fill_add(menu))
        made.setMenu(menu)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return made

    def _made_joining(self, key: str) -> QPushButton:
        method = method_named(key)
        made = button(method_title(method), size=Size.SMALL, icon_name="plus")
        train = f"Train {method.name} on these data, and compare it, too"
        made.setToolTip(train if is_installed(method) else f"{method.name}: see how to install it")
        made.setAccessibleName(f"Compare {method.name}, too")
        return made

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.SMALL)
        head.setSpacing(spacing.SMALL)
        head.addWidget(self.pages)
        head.addWidget(self.narrow_pages)
        head.addWidget(self.progress, 100)
        head.addStretch(1)
        head.addWidget(self.stop)
        head.addWidget(self.usual)
        for joins in self.joining.values():
            head.addWidget(joins)
        head.addWidget(self.add)
        self._add_page(MAPS, self.maps)
        self._body.addWidget(self.empty)
        page = QFrame()
        page.setProperty("kind", "panel")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._body, 1)
        # Not what all pages need at once: they make do with less.
        self.setMinimumSize(1, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(page)

    def minimumSizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        """What the pages make do with, words left away; Qt would ask for all words of all pages."""
        return QSize(*LEAST)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Leave words away where a pane is narrow."""
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

    def meet(self, studio: Studio) -> None:
        """Have the studio train and put together what a person asks for."""
        self._studio = studio
        comparing = studio.comparing
        self.usual.clicked.connect(comparing.train_usual)
        for key, joins in self.joining.items():
            joins.clicked.connect(lambda _=False, key=key: comparing.train_method(key))
        self.stop.clicked.connect(comparing.forget)
        self.empty.chosen.connect(comparing.train_usual)
        self.maps.run_wanted.connect(comparing.put)
        self.maps.method_wanted.connect(
            lambda instead, method: comparing.train_method(method, instead)
        )
        self.maps.removed.connect(lambda key: comparing.tick(key, on=False))
        self.maps.led.connect(comparing.lead)
        comparing.changed.connect(self._show_progress)
        studio.desk.changed.connect(self._show_session)
        studio.desk.began.connect(lambda _: self._show_progress())
        self._show_session()
        self._show_progress()

    # What is seen

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

    def restore(self, state: ViewState) -> None:
        assert isinstance(state, CompareState)
        self.maps.palette_button.restore(state.palettes)
        self.maps.colouring.restore(state.by, state.option)
        self.maps.legend.restore(state.hidden)
        self.sweep.restore(state.order)
        self.pages.choose(state.page if state.page in PAGES else MAPS)
        self._show_page()

    def wish(self) -> Wish:
        """The runs that are compared, in the colours that are chosen."""
        return self.state.wish(self._memory)

    def draw(self, picture: Any) -> None:
        """Show a ComparePicture."""
        assert isinstance(picture, ComparePicture)
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
    def is_blank(self) -> bool:
        return self._picture is None

    @property
    def is_drawn(self) -> bool:
        return self.maps.is_drawn

    @property
    def swept(self) -> SweepPicture | None:
        """The sweep as it is seen now, for paper; None if there is none."""
        none = self._studio is None or self._studio.sweeping.sweep is None
        return None if none else self.sweep.picture

    @property
    def selected_ids(self) -> frozenset[str]:
        found = frozenset[str]()
        return found.union(*(panel.selected_ids for panel in self.maps.panels))

    def paint_now(self) -> None:
        if self._body.currentWidget() is self.maps:
            self.maps.paint_now()

    def _mark_selection(self) -> None:
        self.maps.show_selection(self.selection)

    def _show_page(self) -> None:
        """Turn to the page that is chosen; without runs to compare, say how to get some."""
        key, picture = self.pages.value, self._picture
        self.narrow_pages.setCurrentIndex(list(PAGES).index(key))
        compared = picture is not None and bool(picture.panels)
        if picture is not None and key in self._stale:
            self._stale.discard(key)
            self._fill(key, picture)
        if not compared and key in (MAPS, MEASURES):
            self._say_why()
            self._body.setCurrentWidget(self.empty)
        else:
            self._body.setCurrentWidget(self._page(key))

    def _fill(self, key: str, picture: ComparePicture) -> None:
        """Draw a page; nobody sees the others."""
        if key == STABILITY:
            self.stability.draw(picture.stability)
        elif picture.panels and key == MAPS:
            self.maps.draw(picture)
            self._show_session()
        elif picture.panels:
            self.measures.draw(picture)

    def _say_why(self) -> None:
        studio = self._studio
        awaited = "" if studio is None else ", ".join(studio.comparing.awaited)
        if awaited:
            first = "" if studio is None else studio.comparing.waits_for
            when = f"{first} comes first." if first else "Each map is shown as soon as it is ready."
            self.empty.show_wait(f"Training {awaited}", when)
            return
        able = studio is not None and self._is_able(studio)
        self.empty.show_message(
            "Nothing is compared yet",
            "Train four methods on the same data with one click, from the plainest (PCA) to the one"
            " that keeps most (c-XIM), or tick runs below. You can add t-SNE and UMAP, too.",
            action=usual_title() if able else "",
        )

    @staticmethod
    def _is_able(studio: Studio) -> bool:
        data = studio.session.data
        return data is not None and data.matrix is not None

    def _enable(self, studio: Studio) -> None:
        """Let what can be trained now be trained; what is compared or awaited need not be."""
        able, comparing = self._is_able(studio), studio.comparing
        self.usual.setEnabled(able and not comparing.is_busy)
        there = {run.result.method for run in studio.session.compared_runs}
        for key, joins in self.joining.items():
            known = key in there or method_named(key).name in comparing.awaited
            joins.setEnabled(able and not known)

    def _show_session(self, _: str = "") -> None:
        """Offer the runs there are."""
        studio = self._studio
        if studio is None:
            return
        self._enable(studio)
        runs = {run.key: run.name for run in studio.session.runs}
        self.maps.show_entries(runs, {method.key: method_title(method) for method in METHODS})
        if self._body.currentWidget() is self.empty:
            self._say_why()

    def _show_progress(self) -> None:
        """Say what is still to come."""
        studio = self._studio
        if studio is None:
            return
        comparing = studio.comparing
        awaited = ", ".join(comparing.awaited)
        share = share_text(comparing.fraction)
        text = f"Training {awaited}: {share}" if awaited else ""
        text = text or ("Repeating…" if comparing.is_repeating else "")
        first = comparing.waits_for
        self.progress.show_text(f"Waits: {first} comes first" if first else text)
        self.stop.setVisible(bool(awaited) or comparing.is_repeating)
        self._enable(studio)
        if MEASURES in self._parts:
            self.measures.show_repeating(comparing.is_repeating)
        if self._body.currentWidget() is self.empty:
            self._say_why()

    def _fill_add(self, menu: QMenu) -> None:
        """List the runs that are not compared yet, and the methods that can be trained for it."""
        studio = self._studio
        menu.clear()
        if studio is None:
            return
        compared = studio.comparing.keys
        others = [run for run in studio.session.runs if run.key not in compared]
        for run in others:
            action = menu.addAction(icon("eye"), run.name)
            action.triggered.connect(
                lambda _=False, key=run.key: studio.comparing.tick(key, on=True)
            )
        if others:
            menu.addSeparator()
        for method in METHODS:
            action = menu.addAction(icon("train"), f"Train {method_title(method)}")
            action.triggered.connect(
                lambda _=False, key=method.key: studio.comparing.train_method(key)
            )
