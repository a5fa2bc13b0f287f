"""Clusters, sets, new items and series in figures: stored compactly, and read without trust."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ui.explored import clustered, with_new
from tests.ui.maps_to_show import run_of, showing, some_matrix
from ximstudio.export.figure_found import figure_found
from ximstudio.export.figure_work import FigureWork, read_work, work_values
from ximstudio.export.planned_figure import provenance_of, runs_in, write_figure
from ximstudio.export.provenance import Provenance, read_provenance
from ximstudio.figures.files import save_figure
from ximstudio.figures.look import Look
from ximstudio.figures.metadata.xmp import MOST_TEXT
from ximstudio.maps.clusters import CLUSTERINGS
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.problem import UserError
from ximstudio.pictures.set_classes import ALL, SET, SET_MEAN
from ximstudio.session import Run, Session
from ximstudio.session.shown import Shown
from ximstudio.views import VIEWS
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import ViewState
from ximstudio.views.compare.state import STABILITY, CompareState
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.picture import CLUSTERS
from ximstudio.views.positions.state import PositionsState
from ximstudio.views.quality.state import QualityState

OLD = Path(__file__).parent.parent / "data" / "figures" / "schema_1.json"
"""The record of a figure as it was before it told of more than maps."""
IDS = some_matrix().item_ids
SETS = (
    NamedSet.of("warm", ["heat", "dark"], side=SetSide.FEATURES, note="/home/jane/warm.gmt"),
    NamedSet.of("first", IDS[:4]),
    NamedSet.of("second", IDS[2:9]),
)
LOOK = Look(width_mm=60.0, dpi=72.0)


def told(shown: Shown, state: ViewState, *, table: bool = False) -> dict[str, Any]:
    plan = FigurePlan(state=state, table=table)
    return work_values(shown, plan, runs_in(shown, plan))


def read(values: Any, *runs: Run) -> FigureWork:
    params = [run.result.params for run in runs or (run_of("som"),)]
    return read_work(json.loads(json.dumps(values)), Path("figure.png"), runs=params)


def test_that_a_figure_of_a_map_alone_says_no_more_than_before() -> None:
    run = run_of("c-xim")
    shown = replace(showing(run, (run,)), compared=(run,), sets=SETS)
    for kind in [kind.state_class for kind in VIEWS]:
        assert told(shown, kind()) == {}
        assert "work" not in json.loads(provenance_of(shown, FigurePlan(state=kind())).text)


@pytest.mark.parametrize("way", [way.key for way in CLUSTERINGS])
def test_that_clusters_of_every_way_are_the_same_again(way: str) -> None:
    run = clustered(way=way)
    values = told(showing(run, (run,)), PositionsState(by=CLUSTERS))
    (clusters,) = read(values).clusters
    found, wanted = clusters.on(run), run.clustering
    assert found is not None
    assert wanted is not None
    assert found.clusters.tolist() == wanted.clusters.tolist()
    assert (found.method, found.params, found.seed) == (wanted.method, wanted.params, wanted.seed)
    assert (found.over, found.names) == (wanted.over, wanted.names)


def test_that_clusters_are_on_no_map_of_another_size() -> None:
    run = clustered()
    (clusters,) = read(told(showing(run, (run,)), MapState())).clusters
    assert clusters.on(run_of("som", shape=(5, 5))) is None
    assert clusters.on(run_of("pca")) is None


def test_that_clusters_are_told_only_where_they_are_seen() -> None:
    run = clustered()
    shown = showing(run, (run,))
    assert set(told(shown, MapState())) == {"clusters"}
    assert told(shown, PositionsState(by="label")) == {}
    assert told(shown, QualityState()) == {}
    by_items = clustered(way="hdbscan")
    assert told(showing(by_items, (by_items,)), MapState()) == {}


@pytest.mark.parametrize(
    ("state", "names"),
    [
        (PositionsState(by=SET, option="second"), ["second"]),
        (PositionsState(by=SET, option=ALL), ["first", "second"]),
        (PositionsState(by=SET_MEAN, option="warm"), ["warm"]),
        (MapState(layer=SET, option="first"), ["first"]),
        (MapState(layer=SET_MEAN, option="warm"), ["warm"]),
        (CompareState(by=SET, option="first"), ["first"]),
        (PositionsState(by="label", option="second"), []),
    ],
)
def test_that_a_figure_tells_of_the_sets_that_it_shows(state: ViewState, names: list[str]) -> None:
    run = run_of("c-xim")
    shown = replace(showing(run, (run,)), compared=(run,), sets=SETS)
    found = read(told(shown, state), run).sets
    assert [each.name for each in found] == names
    places = {each.name: place for place, each in enumerate(SETS)}
    assert [each.colour for each in found] == [places[name] for name in names]
    members = {each.name: each.members for each in SETS}
    assert [each.members for each in found] == [members[name] for name in names]


def test_that_nothing_is_told_that_is_nobodys_business() -> None:
    run = with_new(run_of("c-xim"))
    shown = replace(showing(run, (run,)), sets=SETS)
    for state in (MapState(), PositionsState(by=SET_MEAN, option="warm")):
        text = json.dumps(told(shown, state))
        assert "jane" not in text
        assert "new 1" not in text
        assert "new.csv" in text


def test_that_stability_tells_of_the_run_that_is_shown_alone() -> None:
    runs = (run_of("c-xim"), run_of("som"))
    shown = replace(showing(runs[0], runs), compared=runs[1:])
    assert runs_in(shown, FigurePlan(state=CompareState(page=STABILITY))) == runs[:1]


def test_that_the_run_that_is_looked_at_is_known_among_others() -> None:
    runs = (run_of("c-xim"), run_of("som"))
    work = read(told(showing(runs[1], runs), QualityState(), table=True), *runs)
    assert work.shown == 1
    assert work.seconds == tuple(run.seconds for run in runs)


@pytest.mark.parametrize(
    "values",
    [
        {"shown": 1},
        {"shown": "0"},
        {"sets": [{"name": "a", "side": "items", "colour": 0, "members": [1]}]},
        {"sets": [{"name": "a", "side": "sides", "colour": 0, "members": []}]},
        {"sets": [{"name": "a", "side": "items", "colour": -1, "members": []}]},
        {"sets": 3},
        {"placed": [{"run": 0, "name": "a"}]},
        {"placed": [{"run": 5, "name": "a", "fingerprint": "f"}]},
        {"again": [{"run": 0, "times": 0, "share": 1.0}]},
        {"again": [{"run": 0, "times": 2, "share": 1.5}]},
        {"repeated": {"runs": [0], "times": 2, "share": 0.5}},
        {"repeated": {"runs": [2], "times": 2, "share": 0.5, "seed": 0}},
        {"seconds": [1.0, 2.0]},
        {"sweep": [{"name": "nothing", "values": [1]}]},
        {"sweep": [{"name": "width", "values": ["wide"]}]},
    ],
)
def test_that_what_makes_no_sense_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(UserError) as caught:
        read(values)
    assert caught.value.keys == ("provenance.damaged",)


@pytest.mark.parametrize(
    "changes",
    [
        {"method": "nothing"},
        {"parameters": {"n_clusters": -1}},
        {"names": ["a", "a", "b"]},
        {"names": ["a"]},
        {"lengths": [0, 48, 1]},
        {"lengths": [0, -48]},
        {"lengths": [-2, 48]},
        {"lengths": [0.0, 48]},
    ],
)
def test_that_clusters_that_make_no_sense_are_refused(changes: dict[str, Any]) -> None:
    run = clustered()
    values = told(showing(run, (run,)), MapState())
    with pytest.raises(UserError) as caught:
        read({"clusters": [{**values["clusters"][0], **changes}]})
    assert caught.value.keys == ("provenance.damaged",)


def test_that_no_memory_is_asked_for_by_a_number() -> None:
    run = clustered()
    values = told(showing(run, (run,)), MapState())
    (clusters,) = read({"clusters": [{**values["clusters"][0], "lengths": [0, 10**18]}]}).clusters
    assert clusters.on(run) is None


def test_that_sets_that_are_too_large_are_refused_by_a_sentence(tmp_path: Path) -> None:
    run = run_of("c-xim")
    large = NamedSet.of("large", ("x" * (MOST_TEXT // 2), *IDS[:3], "y" * (MOST_TEXT // 2)))
    shown = replace(showing(run, (run,)), sets=(large,))
    plan = FigurePlan(state=PositionsState(by=SET, option="large"), look=LOOK)
    with pytest.raises(UserError) as caught:
        write_figure(tmp_path / "figure.png", shown, plan)
    assert caught.value.keys == ("provenance.too_long",)
    assert list(tmp_path.iterdir()) == []
    write_figure(tmp_path / "figure.png", shown, replace(plan, state=PositionsState()))


def test_that_figures_of_before_still_open(tmp_path: Path) -> None:
    text = OLD.read_text(encoding="ascii").strip()
    provenance = Provenance.from_text(text, OLD)
    assert provenance.text == text
    assert provenance.work == {}
    from matplotlib.figure import Figure

    save_figure(Figure(), tmp_path / "old.png", None, provenance)
    assert read_provenance(tmp_path / "old.png") == provenance
    found = figure_found(tmp_path / "old.png", Session())
    assert found.work == FigureWork()
    assert found.plan is not None
    assert found.plan.state == PositionsState(by="label", option="function")
    (drawn,) = found.drawn
    assert drawn.record.method.key == "c-xim"
    assert drawn.is_of(found.data)
