"""Every view of every method's map can be exported, or says why not and what to do about it."""

from __future__ import annotations

import pytest

# Maps to show are made by what the window tests share.
pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)

from tests.ui.maps_to_show import shown_of
from ximstudio.export.planned_figure import drawn, provenance_of, size_mm
from ximstudio.figures.look import Look
from ximstudio.model.problem import UserError
from ximstudio.model.selection import Selection
from ximstudio.train import METHODS
from ximstudio.views import VIEWS
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.compare.state import MEASURES, STABILITY, SWEEP, CompareState

LOOK = Look(width_mm=114.0, font_size=6.0)
EVERY = (
    *(kind.state_class() for kind in VIEWS),
    *(CompareState(page=page) for page in (MEASURES, SWEEP, STABILITY)),
)


@pytest.mark.thorough
@pytest.mark.parametrize("state", ["finished", "measured"])
@pytest.mark.parametrize("method", [method.key for method in METHODS])
def test_that_a_figure_is_drawn_or_refused_with_a_way_out(method: str, state: str) -> None:
    shown = shown_of(method, state)
    chosen = Selection.of(shown.matrix.item_ids[:5])
    made = []
    for view in EVERY:
        plan = FigurePlan(state=view, selection=chosen, look=LOOK)
        try:
            figure = drawn(shown, plan)
        except UserError as error:
            (problem,) = error.problems
            assert problem.key.startswith("figure.")
            assert all((problem.what, problem.where, problem.way_out))
        else:
            made.append(view.view)
            assert size_mm(figure)[0] == pytest.approx(LOOK.width_mm)
            assert provenance_of(shown, plan).runs
    assert {"positions", "heat_map", "compare"} <= set(made)
