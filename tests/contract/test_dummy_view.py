"""A view that only this module knows works everywhere, once it is in both tuples of views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest

# The window tests say what is missing; without them this module has nothing to say.
pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)

from PySide6.QtWidgets import QApplication, QLabel, QStackedLayout
from pytestqt.qtbot import QtBot

from tests.ui.conftest import WARDROBE, delete_closed
from tests.ui.export_hands import drawn, opened, settled
from tests.ui.hands import choose, click_tab, eventually
from tests.ui.windows import shown_window, take_ready, wait_idle, with_sample
from ximstudio import views
from ximstudio.cli import main
from ximstudio.cli.grammar import parser
from ximstudio.export.provenance import read_provenance
from ximstudio.figures.sheet import PaperSheet
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.session.shown import RenderRequest, Shown
from ximstudio.ui import views as view_widgets
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.exporting.dialog import PAGES
from ximstudio.ui.dialogs.exporting.text_pages import TextPage
from ximstudio.ui.views.common.view import Empty, View
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.ui.widgets.shortcuts import all_keys
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.kind import ViewKind
from ximstudio.views.common.legend import FigureWords, map_panel
from ximstudio.views.common.state import ViewState
from ximstudio.views.figure import figure_plan_from

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DUMMY = ViewKind(
    key="dummy",
    name="Census",
    icon="samples",
    about="How many there are.",
    state=f"{__name__}:DummyState",
    figure=f"{__name__}:draw_dummy",
    legend=f"{__name__}:describe_dummy",
)
TABLE = "id,a,b\n" + "".join(f"g{n},{n},{n * n % 7}\n" for n in range(30))


@dataclass(frozen=True)
class DummyPicture:
    text: str


@dataclass(frozen=True, kw_only=True)
class DummyState(ViewState):
    view: ClassVar[str] = "dummy"

    word: str = "items"

    def picture(
        self,
        shown: Shown,
        selection: Selection = NOTHING,  # noqa: ARG002
    ) -> DummyPicture:
        return DummyPicture(f"{shown.matrix.n_items} {self.word}")


def draw_dummy(picture: DummyPicture, plan: FigurePlan) -> Figure:
    sheet = PaperSheet(plan.look, title=plan.title)
    sheet.text(sheet.left, sheet.top + sheet.line, picture.text)
    return sheet.finish(sheet.top + 2.0 * sheet.line)


def describe_dummy(shown: Shown, plan: FigurePlan) -> FigureWords:
    assert isinstance(plan.state, DummyState)
    shows = f"a census of {plan.state.picture(shown).text}"
    return FigureWords(panels=(map_panel(shown.run, shows),), shared=("Nothing else is drawn.",))


class DummyView(View[DummyState, DummyPicture]):
    kind = DUMMY

    def __init__(self) -> None:
        super().__init__()
        self._state = DummyState()
        self.empty, self.text = Empty(self.kind.icon), QLabel()
        self.pages = QStackedLayout(self)
        for page in (self.empty, self.text):
            self.pages.addWidget(page)

    @property
    def state(self) -> DummyState:
        return self._state

    def restore(self, state: DummyState) -> None:
        self._state = state

    def request(self) -> RenderRequest[DummyPicture]:
        return self._state.picture

    def draw(self, picture: DummyPicture) -> None:
        self.text.setText(picture.text)
        self.pages.setCurrentWidget(self.text)

    def draw_nothing(self) -> None:
        self.pages.setCurrentWidget(self.empty)

    @property
    def is_blank(self) -> bool:
        return self.pages.currentWidget() is self.empty


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line on each side of Qt, and nothing else."""
    monkeypatch.setattr(views, "VIEWS", (*views.VIEWS, DUMMY))
    monkeypatch.setattr(view_widgets, "VIEWS", (*view_widgets.VIEWS, DummyView))


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Iterator[MainWindow]:
    """A window with a map."""
    WARDROBE.dress(qapp)
    the_theme().choose(Scheme.LIGHT)
    shown = with_sample(qtbot, shown_window(qtbot))
    take_ready(qtbot, shown)
    yield shown
    shown.close()
    delete_closed()


def dummy_of(window: MainWindow) -> DummyView:
    """The dummy in the first pane, which shows it."""
    view = window.views.panes[0].view
    assert isinstance(view, DummyView)
    return view


def show_dummy(qtbot: QtBot, window: MainWindow) -> DummyView:
    tabs = window.views.panes[0].tabs
    click_tab(tabs, tabs.count() - 1)
    wait_idle(qtbot, window)
    return dummy_of(window)


def test_that_a_tab_shows_it(qtbot: QtBot, window: MainWindow) -> None:
    view = show_dummy(qtbot, window)
    run = window.user_actions.session.run
    assert run is not None
    assert view.text.text() == f"{run.matrix.n_items} items"


def test_that_a_key_is_told_of_it() -> None:
    (key,) = (key for key in all_keys() if key.key == "view")
    assert key.keys.endswith(str(len(views.VIEWS)))
    assert key.does.endswith(DUMMY.name)


def test_that_it_is_exported_with_its_legend(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window)
    choose(qtbot, dialog.figure.form.view, DUMMY.name)
    drawn(qtbot, window)
    path = tmp_path / "census.png"
    dialog.figure.save_as(path)
    eventually(qtbot, path.is_file)
    settled(qtbot, window)
    provenance = read_provenance(path)
    assert provenance is not None
    assert figure_plan_from(provenance.figure).state == DummyState()

    click_tab(dialog.tabs, [page.key for page in PAGES].index(TextPage.key))
    settled(qtbot, window)
    texts = dialog.page_of(TextPage).texts
    assert texts is not None
    run = window.user_actions.session.run
    assert run is not None
    assert f"A census of {run.matrix.n_items} " in texts.legend
    assert texts.legend.endswith("Nothing else is drawn.")
    assert texts.methods


def test_that_a_session_brings_it_back(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    show_dummy(qtbot, window).restore(DummyState(word="souls"))
    window.settings.change(folder=str(tmp_path))
    dialog = window.keeping.save_as()
    assert dialog is not None
    dialog.name.setText("census.xims")
    dialog.accept()
    path = tmp_path / "census.xims"
    eventually(qtbot, lambda: window.keeping.path == path)
    wait_idle(qtbot, window)

    other = shown_window(qtbot)
    other.opening.open_file(path)
    eventually(qtbot, lambda: other.user_actions.session.run is not None)
    wait_idle(qtbot, other)
    eventually(qtbot, lambda: other.views.is_drawn)
    assert dummy_of(other).state == DummyState(word="souls")
    assert dummy_of(other).text.text().endswith(" souls")
    other.close()


def test_that_a_command_draws_it(tmp_path: Path) -> None:
    table, out = tmp_path / "table.csv", tmp_path / "out"
    table.write_text(TABLE, encoding="utf-8")
    quick = ["--set", "shape=3x3", "--set", "n_steps=100", "--quiet"]
    figure = ["--figure", "census.png", "--view", DUMMY.key]
    assert main(["run", str(table), "--out", str(out), *quick, *figure]) == 0
    provenance = read_provenance(out / "census.png")
    assert provenance is not None
    assert provenance.figure["view"] == DUMMY.key


def test_that_the_help_of_a_command_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["run", "--help"])
    assert DUMMY.key in capsys.readouterr().out
