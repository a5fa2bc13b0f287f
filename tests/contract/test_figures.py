"""Contract of figures: each view of every method's map is drawn, to size, and saved silently."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.figures.drawn import SMALL, assert_nothing_is_cut, size_mm
from tests.ui.maps_to_show import run_of, shown_of
from ximstudio.figures.files import save_figure
from ximstudio.model.problem import UserError
from ximstudio.model.result import PrototypeMap
from ximstudio.train import METHODS
from ximstudio.views import VIEWS, state_named, view_named
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.compare.state import CompareState
from ximstudio.views.figure import figure_of
from ximstudio.views.map.state import MapState

every_method = pytest.mark.parametrize("key", [method.key for method in METHODS])


@every_method
@pytest.mark.parametrize("view", [kind.key for kind in VIEWS])
def test_that_every_view_of_every_map_is_drawn(key: str, view: str, tmp_path: Path) -> None:
    plan = FigurePlan(state=state_named(view), look=SMALL)
    shown = shown_of(key)
    nodes = isinstance(run_of(key).result.model, PrototypeMap)
    if view_named(view).needs_nodes and not nodes:
        with pytest.raises(UserError) as caught:
            figure_of(shown, plan)
        assert caught.value.keys == ("figure.nothing",)
        return
    drawn = figure_of(shown, plan)
    assert size_mm(drawn)[0] == pytest.approx(85.0)
    if view in (MapState.view, CompareState.view):
        assert_nothing_is_cut(drawn)
    save_figure(drawn, tmp_path / "figure.svg", plan.look)
    assert (tmp_path / "figure.svg").stat().st_size > 2000
