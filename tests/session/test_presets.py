"""Presets: what ours ask for, and keeping one's own."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from ximstudio.measure.neighbourhoods import trustworthiness
from ximstudio.measure.ranks import neighbour_ranks
from ximstudio.model import Matrix
from ximstudio.model.problem import UserError
from ximstudio.session.plan import Plan
from ximstudio.session.presets import (
    PRESETS,
    OwnPresets,
    Preset,
    free_name,
    holding,
    preset_of,
    presets_file,
)
from ximstudio.train import METHODS, train

QUICK = {"shape": (8, 10), "n_steps": 3000}


def quick(preset: Preset) -> Plan:
    plan = preset.applied(Plan())
    return plan.with_params(plan.params.replace(**QUICK))


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_that_our_presets_make_good_maps_of_the_sample(preset: Preset, yeast: Matrix) -> None:
    plan = quick(preset)
    result = train(yeast, plan.method, plan.params, seed=1)
    ranks = neighbour_ranks(yeast.values, result.positions, result.periods, 15)
    assert trustworthiness(ranks).mean() > 0.85


def test_that_our_presets_differ(yeast: Matrix) -> None:
    results = [
        train(yeast, plan.method, plan.params, seed=1) for plan in (quick(each) for each in PRESETS)
    ]
    for one, other in itertools.combinations(results, 2):
        assert np.abs(one.positions - other.positions).max() > 1.0


def test_that_clear_clusters_lie_farther_apart_than_those_of_a_som(yeast: Matrix) -> None:
    def separation(preset: Preset) -> float:
        plan = preset.applied(Plan())
        plan = plan.with_params(plan.params.replace(shape=(20, 20), n_steps=20_000))
        places = train(yeast, plan.method, plan.params, seed=1).positions
        labels = np.array(yeast.item_labels["function"])
        groups = [places[labels == label] for label in ("Ribo", "Resp")]
        between = np.linalg.norm(groups[0].mean(axis=0) - groups[1].mean(axis=0))
        within = np.mean([np.linalg.norm(each.std(axis=0)) for each in groups])
        return float(between / within)

    by_name = {preset.name: preset for preset in PRESETS}
    clear, som = by_name["Clear clusters"], by_name["Classic SOM"]
    assert separation(clear) > 1.3 * separation(som)


def test_that_a_preset_keeps_the_map_unless_it_names_one() -> None:
    plan = Plan()
    plan = plan.with_params(plan.params.replace(shape=(12, 20), lattice="hexagonal"))
    for preset in PRESETS:
        params = preset.applied(plan).params
        named = "shape" in preset.changes
        assert getattr(params, "shape") == ((30, 30) if named else (12, 20))  # noqa: B009


def test_that_a_preset_holds_until_something_is_changed() -> None:
    for preset in PRESETS:
        plan = preset.applied(Plan(seed=4))
        assert plan.seed == 4
        assert holding(plan, PRESETS) == preset
        assert holding(plan.with_params(plan.params.replace(neighbours=5)), PRESETS) is None


def test_that_a_map_the_preset_cannot_have_does_not_hold() -> None:
    odd = Preset(name="odd", method_key="som", changes={"lattice": "hexagonal", "toroidal": True})
    plan = Plan(method_key="som")
    plan = plan.with_params(plan.params.replace(shape=(7, 8)))
    assert holding(plan, (odd,)) is None


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_own_presets_of_every_method_come_back(method: object, tmp_path: Path) -> None:
    key = method.key  # type: ignore[attr-defined]
    plan = Plan(method_key=key)
    known = plan.params.specs()
    changes = {"shape": (4, 6), "n_steps": 77}
    changed = {name: value for name, value in changes.items() if name in known}
    plan = plan.with_params(plan.params.replace(**changed))
    kept = OwnPresets(tmp_path / "presets.json")
    kept.keep(preset_of("mine", plan))
    (mine,) = OwnPresets(tmp_path / "presets.json").read()
    assert mine.own
    assert mine.applied(Plan()).params == plan.params


def test_that_presets_are_replaced_renamed_and_deleted(tmp_path: Path) -> None:
    kept = OwnPresets(tmp_path / "folder" / "presets.json")
    kept.keep(preset_of("a", Plan()))
    kept.keep(preset_of("b", Plan()))
    kept.keep(preset_of("a", Plan(method_key="som")))
    assert [(each.name, each.method_key) for each in kept.read()] == [("a", "som"), ("b", "c-xim")]
    kept.rename("a", "b")
    assert [each.name for each in kept.read()] == ["b 2", "b"]
    kept.rename("b", PRESETS[0].name)
    assert kept.read()[1].name == f"{PRESETS[0].name} 2"
    kept.delete("b 2")
    assert len(kept.read()) == 1


def test_that_own_presets_come_before_ours() -> None:
    plan = PRESETS[3].applied(Plan())
    mine = preset_of("mine", plan)
    assert holding(plan, (*PRESETS, mine)) == mine


def test_that_what_is_not_understood_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "presets.json"
    good = {"name": "good", "method": "som", "changes": {"n_epochs": 7}}
    entries = [
        {"name": "gone", "method": "no-such", "changes": {}},
        {"name": "strange", "method": "som", "changes": {"no_such": 1}},
        {"name": "wrong", "method": "som", "changes": {"n_epochs": -1}},
        good,
    ]
    path.write_text(json.dumps({"schema": 1, "presets": entries}), encoding="utf-8")
    assert [each.name for each in OwnPresets(path).read()] == ["good"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema": 99, "presets": []}', '{"presets": 1}'])
def test_that_a_broken_file_is_no_presets(text: str, tmp_path: Path) -> None:
    path = tmp_path / "presets.json"
    path.write_text(text, encoding="utf-8")
    assert OwnPresets(path).read() == ()


def test_that_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        OwnPresets(tmp_path / "file" / "presets.json").keep(preset_of("a", Plan()))
    assert caught.value.keys == ("presets.write",)


def test_that_the_folder_can_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XIMSTUDIO_SETTINGS", str(tmp_path))
    assert presets_file() == tmp_path / "presets.json"


def test_that_names_that_are_taken_get_a_number() -> None:
    taken = [preset_of(name, Plan()) for name in ("a", "a 2")]
    assert free_name("a", taken) == "a 3"
    assert free_name("b", taken) == "b"


def test_that_a_new_plan_is_the_first_preset() -> None:
    assert holding(Plan(), PRESETS) == PRESETS[0]


def test_that_another_lattice_is_not_the_preset_any_more() -> None:
    for preset in PRESETS:
        plan = preset.applied(Plan())
        for change in ({"lattice": "hexagonal"}, {"toroidal": True}):
            changed = plan.with_params(plan.params.replace(**change))
            assert holding(changed, PRESETS) is None
            assert preset.applied(changed).params == plan.params
