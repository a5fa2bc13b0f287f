"""A planned figure in its file: which runs are in it, and how it can be drawn again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.ui.explored import clustered, with_new
from tests.ui.maps_to_show import run_of, showing, shown_of, some_matrix
from ximstudio.export.figure_legend import figure_legend
from ximstudio.export.planned_figure import (
    drawn,
    figure_files,
    printed,
    provenance_of,
    runs_in,
    size_mm,
    write_figure,
)
from ximstudio.export.provenance import read_provenance
from ximstudio.figures.look import Look
from ximstudio.model.named_set import NamedSet
from ximstudio.model.problem import UserError
from ximstudio.model.selection import Selection
from ximstudio.pictures.set_classes import ALL, SET
from ximstudio.session.shown import Shown
from ximstudio.train import METHODS
from ximstudio.views import VIEWS
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import ViewState
from ximstudio.views.compare.state import SWEEP, CompareState
from ximstudio.views.compare.sweep_picture import SweepPicture, SweptMap
from ximstudio.views.figure import figure_plan_from
from ximstudio.views.heat_map.state import HeatMapState
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.state import PositionsState
from ximstudio.views.quality.state import QualityState

LOOK = Look(width_mm=85.0, font_size=7.0, dpi=100.0)


def compared() -> Shown:
    runs = (run_of("c-xim"), run_of("som"))
    return replace(showing(runs[0], runs), compared=runs)


def swept() -> SweepPicture:
    maps = (
        SweptMap(place=0, settings=("seed 0",), values={}, result=run_of("som").result),
        SweptMap(place=1, settings=("seed 1",), values={}),
    )
    return SweepPicture(matrix=some_matrix(), maps=maps)


def test_that_a_figure_tells_of_the_runs_that_are_in_it() -> None:
    shown = compared()
    assert runs_in(shown, FigurePlan(state=MapState())) == (shown.run,)
    assert runs_in(shown, FigurePlan(state=CompareState())) == shown.compared
    assert runs_in(shown, FigurePlan(state=QualityState())) == shown.runs
    hashes = [
        record["result_hash"]
        for record in provenance_of(shown, FigurePlan(state=CompareState())).runs
    ]
    assert hashes == [run.result.hash for run in shown.compared]


def test_that_a_sweep_tells_of_the_maps_that_were_trained() -> None:
    shown, plan = compared(), FigurePlan(state=CompareState(page=SWEEP), look=LOOK)
    (only,) = runs_in(shown, plan, swept())
    assert only.result is run_of("som").result
    assert only.input == run_of("som").input
    assert size_mm(drawn(shown, plan, swept()))[0] == pytest.approx(85.0)
    with pytest.raises(UserError) as refused:
        drawn(shown, plan)
    assert refused.value.problems[0].key == "figure.nothing"


def test_that_a_file_holds_its_plan_and_the_same_plan_gives_the_same_file(tmp_path: Path) -> None:
    shown = shown_of("c-xim")
    chosen = Selection.of(shown.matrix.item_ids[:5])
    plan = FigurePlan(state=MapState(layer="hits"), selection=chosen, look=LOOK, title="A map")
    heard: list[float] = []
    written = write_figure(tmp_path / "a.png", shown, plan, report=heard.append)
    provenance = read_provenance(written.path)
    assert provenance is not None
    again = write_figure(tmp_path / "b.png", shown, figure_plan_from(provenance.figure))

    assert written.path.read_bytes() == again.path.read_bytes()
    assert written.n_bytes == written.path.stat().st_size
    assert written.size_mm[0] == pytest.approx(85.0)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


def test_that_a_figure_looks_the_same_in_a_preview_of_its_resolution() -> None:
    shown, plan = shown_of("c-xim"), FigurePlan(state=PositionsState(), look=LOOK)
    figure = drawn(shown, plan)
    coarse = printed(figure, plan, dpi=72.0)
    fine = printed(figure, plan, dpi=LOOK.dpi)
    (saved,) = figure_files(shown, plan, (".png",)).values()
    assert coarse.png != fine.png
    assert coarse.size_mm == fine.size_mm
    assert _pixels(fine.png) == _pixels(saved)


def _pixels(content: bytes) -> bytes:
    import io

    from PIL import Image

    with Image.open(io.BytesIO(content)) as image:
        return image.tobytes()


@pytest.mark.parametrize("method", [method.key for method in METHODS])
def test_that_every_view_of_every_map_is_told_in_words(method: str) -> None:
    shown = shown_of(method)
    texts = set()
    for kind in [kind.state_class for kind in VIEWS]:
        plan = FigurePlan(state=kind(), selection=Selection.of(shown.matrix.item_ids[:3]))
        text = figure_legend(shown, plan)
        assert text.startswith("Figure 1. ")
        assert text.endswith(".")
        assert "item" not in text
        texts.add(text)
    assert len(texts) == len(VIEWS)


def test_that_a_legend_says_what_is_seen() -> None:
    shown = shown_of("c-xim")
    chosen = Selection.of(shown.matrix.item_ids[:3])

    def told(plan: FigurePlan) -> str:
        return figure_legend(shown, plan, number=None)

    assert "‘salt’" in told(FigurePlan(state=MapState(layer="plane", option="salt")))
    assert "‘kind’" in told(FigurePlan(state=PositionsState(by="label", option="kind")))
    assert "3 selected genes" in told(FigurePlan(state=PositionsState(), selection=chosen))
    assert "3 selected genes" in told(FigurePlan(state=HeatMapState(), selection=chosen))
    both = figure_legend(compared(), FigurePlan(state=CompareState()))
    assert "(a) " in both
    assert "(b) " in both


def test_that_a_legend_of_compared_maps_says_once_what_they_share() -> None:
    shown = compared()
    first = shown.matrix.item_ids[:1]
    plan = FigurePlan(state=CompareState(), selection=Selection.of(first), table=True)
    text = figure_legend(shown, plan)
    for once in ("‘kind’", "60 genes", "neighbours", "1 selected gene is marked", "measures"):
        assert text.count(once) == 1, once
    for run in shown.compared:
        assert f"‘{run.name}’" in text
    plain = figure_legend(shown, replace(plan, state=CompareState(by="plain")))
    assert "Colours" not in plain
    heat = figure_legend(shown, replace(plan, state=CompareState(by="feature", option="heat")))
    assert "‘heat’" in heat


@pytest.mark.parametrize(
    ("marks", "coloured"), [("points", True), ("nodes", True), ("hits", False)]
)
def test_that_a_legend_names_the_label_that_colours_points(marks: str, coloured: bool) -> None:
    plan = FigurePlan(state=MapState(marks=marks))
    assert ("‘kind’" in figure_legend(shown_of("c-xim"), plan)) == coloured


def test_that_a_legend_tells_of_borders_of_clusters_where_there_are_some() -> None:
    assert "borders" not in figure_legend(shown_of("som"), FigurePlan(state=MapState()))
    run = clustered("som", n_clusters=3)
    text = figure_legend(showing(run, (run,)), FigurePlan(state=MapState()))
    assert "lines are borders of 3 clusters (Ward)" in text
    coloured = figure_legend(showing(run, (run,)), FigurePlan(state=PositionsState(by="clusters")))
    assert "colours: 3 clusters (Ward)" in coloured
    by_items = clustered("som", way="hdbscan")
    assert "borders" not in figure_legend(
        showing(by_items, (by_items,)), FigurePlan(state=MapState())
    )


@pytest.mark.parametrize("state", [MapState(), PositionsState()])
def test_that_a_legend_tells_of_items_that_came_later(state: ViewState) -> None:
    run = with_new(run_of("som"))
    n_strange = int(run.projected[0].items.strange.sum())
    text = figure_legend(showing(run, (run,)), FigurePlan(state=state))
    assert "diamonds are 4 genes placed on the map after its training" in text
    assert f"{n_strange} of them (hollow)" in text
    assert "diamond" not in figure_legend(shown_of("som"), FigurePlan(state=state))


def test_that_a_legend_tells_of_pins() -> None:
    pinned = run_of("c-xim", anchors=("2:3=YBR001W",))
    text = figure_legend(showing(pinned, (pinned,)), FigurePlan(state=MapState()))
    assert "1 pin marks a node that was pinned to a gene in training" in text
    assert "pin" not in figure_legend(shown_of("c-xim"), FigurePlan(state=MapState()))


def test_that_a_legend_of_compared_maps_tells_of_what_the_first_of_them_shows() -> None:
    runs = (clustered("som"), clustered("c-xim"))
    shown = replace(showing(run_of("pca"), (run_of("pca"), *runs)), compared=runs)
    text = figure_legend(shown, FigurePlan(state=CompareState(by="clusters")))
    assert "Colours: clusters of each map." in text


def test_that_a_legend_names_one_set_and_no_list_of_them() -> None:
    run = run_of("c-xim")
    sets = tuple(NamedSet.of(name, run.matrix.item_ids[:5]) for name in ("mine", "yours"))
    shown = replace(showing(run, (run,)), sets=sets)
    one = figure_legend(shown, FigurePlan(state=PositionsState(by=SET, option="mine")))
    assert "members of the set ‘mine’" in one
    every = figure_legend(shown, FigurePlan(state=PositionsState(by=SET, option=ALL)))
    assert "members of sets" in every
    assert ALL not in every
