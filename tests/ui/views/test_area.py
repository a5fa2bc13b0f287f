"""The centre of the window: views are built when somebody looks at them, and drawn if seen."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication
from pytestqt.qtbot import QtBot

from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.views import VIEWS, AnyView
from ximstudio.ui.views.area import ViewArea
from ximstudio.ui.views.common.view import View


@pytest.fixture
def area(qtbot: QtBot) -> Iterator[ViewArea]:
    made = ViewArea(Actions())
    qtbot.addWidget(made)
    yield made
    made._actions.jobs.close()


def kinds_built(area: ViewArea) -> list[set[type[AnyView]]]:
    """The views that each pane holds."""
    return [{type(view) for view in pane.findChildren(View)} for pane in area.panes]


def test_that_only_the_view_that_is_seen_is_built(area: ViewArea) -> None:
    assert kinds_built(area) == [{VIEWS[0]}, set(), set(), set()]


@pytest.mark.parametrize("number", ["2", "4"])
def test_that_other_panes_get_their_views_when_they_are_asked_for(
    area: ViewArea, number: str
) -> None:
    area.split.button(number).click()

    seen = [{VIEWS[place % len(VIEWS)]} for place in range(int(number))]
    assert kinds_built(area) == [*seen, *([set()] * (4 - int(number)))]


def test_that_views_can_be_built_one_by_one_before_they_are_seen(area: ViewArea) -> None:
    pane = area.panes[0]
    built = [kinds_built(area)[0] for _ in pane.build()]
    assert built == [set(VIEWS[: number + 1]) for number in range(len(VIEWS))]
    assert isinstance(pane.view, VIEWS[0])
    assert pane.view.isVisibleTo(area)


def test_that_a_view_is_built_once_and_stays(area: ViewArea) -> None:
    pane = area.panes[0]
    first = pane.view

    pane.show_view(VIEWS[1].kind.key)
    assert isinstance(pane.view, VIEWS[1])
    pane.show_view(VIEWS[0].kind.key)

    assert pane.view is first
    assert kinds_built(area)[0] == {VIEWS[0], VIEWS[1]}


def test_that_all_views_can_be_had_without_another_being_seen(qtbot: QtBot, area: ViewArea) -> None:
    with qtbot.waitExposed(area):
        area.show()
    area.show_panes("2")
    pane = area.panes[1]
    before = pane.key

    assert [type(view) for view in pane.views] == list(VIEWS)
    assert pane.key == before
    assert [view.isVisible() for view in pane.views] == [view is pane.view for view in pane.views]


def test_that_a_view_built_late_has_help_and_lets_files_be_dropped(area: ViewArea) -> None:
    for view in area.panes[2].views:
        assert view.whatsThis()
        inside = view.findChildren(QAbstractScrollArea)
        assert not any(each.viewport().acceptDrops() for each in inside)


def test_that_only_views_that_are_seen_request_pictures(area: ViewArea) -> None:
    requested = area._actions.requests
    assert list(requested()) == [area.panes[0].key]

    area.show_panes("2")
    assert list(requested()) == [pane.key for pane in area.panes[:2]]
    area.panes[0].show_view(VIEWS[2].kind.key)
    assert list(requested()) == [pane.key for pane in area.panes[:2]]
    area.show_panes("1")
    assert list(requested()) == [area.panes[0].key]


def test_that_what_a_late_view_wants_is_heard(area: ViewArea) -> None:
    asked: list[object] = []
    area.panes[0].wanted.connect(lambda: asked.append(None))
    late = area.panes[0].views[2]

    late.wanted.emit()

    assert len(asked) == 1


def shown(qtbot: QtBot, area: ViewArea, width: int = 1200, height: int = 800) -> None:
    area.resize(width, height)
    with qtbot.waitExposed(area):
        area.show()


def test_that_the_switch_stays_where_it_is(qtbot: QtBot, area: ViewArea) -> None:
    shown(qtbot, area)
    places = set()
    for number in ("1", "2", "4", "1"):
        area.split.button(number).click()
        QApplication.processEvents()
        corner = area.split.mapTo(area, area.split.rect().topRight())
        places.add((corner.x(), corner.y()))
        # It covers no tab.
        last = area.panes[0 if number == "1" else 1].tabs
        assert last.mapTo(area, last.rect().topRight()).x() < corner.x() - area.split.width()

    (place,) = places
    assert area.width() - 20 < place[0] < area.width()


def test_that_columns_line_up_wherever_they_are_moved_to(qtbot: QtBot, area: ViewArea) -> None:
    shown(qtbot, area)
    area.split.button("4").click()
    QApplication.processEvents()
    _, upper, lower = area._splitters

    for splitter, place in ((upper, 500), (lower, 720), (upper, 10)):
        splitter.moveSplitter(place, 1)
        QApplication.processEvents()
        assert upper.sizes() == lower.sizes()
    area.resize(700, 500)
    QApplication.processEvents()
    assert upper.sizes() == lower.sizes()


def test_that_tabs_of_a_narrow_pane_keep_their_icons(qtbot: QtBot, area: ViewArea) -> None:
    shown(qtbot, area, width=1800)
    area.split.button("2").click()
    QApplication.processEvents()
    tabs = area.panes[1].tabs
    names = [view.kind.name for view in VIEWS]

    def texts() -> list[str]:
        return [tabs.tabText(number) for number in range(len(VIEWS))]

    assert texts() == names
    area.resize(800, 500)
    QApplication.processEvents()
    assert texts() != names
    assert tabs.sizeHint().width() <= area.panes[1].width() - area.split.width()
    assert [tabs.accessibleTabName(number) for number in range(len(VIEWS))] == names
    area.resize(1800, 500)
    QApplication.processEvents()
    assert texts() == names


@pytest.mark.usefixtures("dressed")
def test_that_all_views_can_be_chosen_in_a_narrow_pane(qtbot: QtBot, area: ViewArea) -> None:
    shown(qtbot, area, width=620, height=500)
    area.split.button("2").click()
    QApplication.processEvents()
    for pane in area.panes[:2]:
        assert pane.tabs.sizeHint().width() <= pane.tabs.width()
        for number in (*range(len(VIEWS)), 0):
            pane.tabs.setCurrentIndex(number)
            QApplication.processEvents()
            # None is scrolled out of sight.
            assert pane.tabs.tabRect(0).left() >= 0
    area.resize(1280, 500)
    QApplication.processEvents()
    assert all(not pane.tabs.property("room") for pane in area.panes[:2])


def test_that_four_panes_are_alike(qtbot: QtBot, area: ViewArea) -> None:
    area.resize(1200, 800)
    with qtbot.waitExposed(area):
        area.show()

    area.split.button("4").click()

    def alike() -> bool:
        sizes = [(pane.width(), pane.height()) for pane in area.panes]
        return all(max(each) - min(each) <= 1 for each in zip(*sizes, strict=True))

    qtbot.waitUntil(alike)
