"""Presets: what ours ask for, and keeping one's own."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ximstudio.measure.neighbourhoods import trustworthiness
from ximstudio.measure.ranks import neighbour_ranks
from ximstudio.model import Matrix
from ximstudio.model.problem import UserError
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.presets import (
    PRESETS,
    OwnPresets,
    Preset,
    free_name,
    holding,
    plan_for_another_table,
    preset_of,
    presets_file,
)
from ximstudio.train import METHODS, train

QUICK = {"shape": (8, 10), "n_steps": 3000}


def quick(preset: Preset) -> TrainingPlan:
    plan = preset.applied(TrainingPlan())
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
        plan = preset.applied(TrainingPlan())
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
    plan = TrainingPlan()
    plan = plan.with_params(plan.params.replace(shape=(12, 20), lattice="hexagonal"))
    for preset in PRESETS:
        params = preset.applied(plan).params
        named = "shape" in preset.changes
        assert getattr(params, "shape") == ((30, 30) if named else (12, 20))  # noqa: B009


def test_that_a_preset_holds_until_something_is_changed() -> None:
    for preset in PRESETS:
        plan = preset.applied(TrainingPlan(seed=4))
        assert plan.seed == 4
        assert holding(plan, PRESETS) == preset
        assert holding(plan.with_params(plan.params.replace(neighbours=5)), PRESETS) is None


def test_that_a_map_the_preset_cannot_have_does_not_hold() -> None:
    odd = Preset(name="odd", method_key="som", changes={"lattice": "hexagonal", "toroidal": True})
    plan = TrainingPlan(method_key="som")
    plan = plan.with_params(plan.params.replace(shape=(7, 8)))
    assert holding(plan, (odd,)) is None


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_own_presets_of_every_method_come_back(method: object, tmp_path: Path) -> None:
    key = method.key  # type: ignore[attr-defined]
    plan = TrainingPlan(method_key=key)
    known = plan.params.specs()
    changes = {"shape": (4, 6), "n_steps": 77}
    changed = {name: value for name, value in changes.items() if name in known}
    plan = plan.with_params(plan.params.replace(**changed))
    kept = OwnPresets(tmp_path / "presets.json")
    kept.keep(preset_of("mine", plan))
    (mine,) = OwnPresets(tmp_path / "presets.json").read()
    assert mine.own
    assert mine.applied(TrainingPlan()).params == plan.params


def test_that_presets_are_replaced_renamed_and_deleted(tmp_path: Path) -> None:
    kept = OwnPresets(tmp_path / "folder" / "presets.json")
    kept.keep(preset_of("a", TrainingPlan()))
    kept.keep(preset_of("b", TrainingPlan()))
    kept.keep(preset_of("a", TrainingPlan(method_key="som")))
    assert [(each.name, each.method_key) for each in kept.read()] == [("a", "som"), ("b", "c-xim")]
    kept.rename("a", "b")
    assert [each.name for each in kept.read()] == ["b 2", "b"]
    kept.rename("b", PRESETS[0].name)
    assert kept.read()[1].name == f"{PRESETS[0].name} 2"
    kept.delete("b 2")
    assert len(kept.read()) == 1


def test_that_own_presets_come_before_ours() -> None:
    plan = PRESETS[3].applied(TrainingPlan())
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


FOREIGN: tuple[object, ...] = (
    {"name": "gone", "method": "no-such", "changes": {}},
    {"name": "strange", "method": "som", "changes": {"no_such": 1}},
    {"name": "wrong", "method": "som", "changes": {"n_epochs": -1}},
    {"name": 7, "method": "som", "changes": {}},
    {"name": "no changes", "method": "som"},
    {"name": "list", "method": ["som"], "changes": [1]},
    {"name": "infinite", "method": "som", "changes": {"n_epochs": 1e400}},
    "text",
    None,
    [[]],
)


@pytest.mark.parametrize("schema", [1, 99])
@pytest.mark.parametrize("foreign", FOREIGN, ids=str)
def test_that_entries_of_other_versions_survive_every_change(
    foreign: object, schema: int, tmp_path: Path
) -> None:
    path = tmp_path / "presets.json"
    good = {"name": "good", "method": "som", "changes": {"n_epochs": 7}}
    values = {"schema": schema, "presets": [foreign, good], "folders": ["later"]}
    path.write_text(json.dumps(values), encoding="utf-8")
    kept = OwnPresets(path)
    assert [each.name for each in kept.read()] == ["good"]
    kept.keep(preset_of("mine", TrainingPlan()))
    kept.rename("mine", "yours")
    kept.delete("good")
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["presets"][0] == foreign
    assert [each["name"] for each in found["presets"][1:]] == ["yours"]
    assert (found["schema"], found["folders"]) == (schema, ["later"])


def test_that_a_new_preset_does_not_replace_one_that_cannot_be_seen(tmp_path: Path) -> None:
    path = tmp_path / "presets.json"
    foreign = {"name": "mine", "method": "no-such", "changes": {}}
    path.write_text(json.dumps({"schema": 1, "presets": [foreign]}), encoding="utf-8")
    assert [each.name for each in OwnPresets(path).keep(preset_of("mine", TrainingPlan()))] == [
        "mine 2"
    ]
    OwnPresets(path).delete("mine")
    assert json.loads(path.read_text(encoding="utf-8"))["presets"][0] == foreign


def test_that_two_windows_keep_each_others_presets(tmp_path: Path) -> None:
    one, other = (OwnPresets(tmp_path / "presets.json") for _ in range(2))
    one.read(), other.read()
    one.keep(preset_of("a", TrainingPlan()))
    other.keep(preset_of("b", TrainingPlan()))
    one.delete("a")
    assert [each.name for each in one.read()] == ["b"]


UNREADABLE = ("", "[]", "{", "null", "[" * 100_000, '{"a":' * 50_000, "\0", "\ud800")


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
def test_that_a_file_that_cannot_be_read_is_told_of_and_set_aside(
    text: str, tmp_path: Path
) -> None:
    path = tmp_path / "presets.json"
    content = text.encode("utf-8", errors="surrogatepass")
    path.write_bytes(content)
    kept = OwnPresets(path)
    assert kept.read() == ()
    assert kept.trouble is not None
    assert kept.trouble.key == "preferences.unreadable"
    assert [each.name for each in kept.keep(preset_of("a", TrainingPlan()))] == ["a"]
    assert (tmp_path / "presets.unreadable-1.json").read_bytes() == content
    assert [each.name for each in kept.read()] == ["a"]
    assert kept.trouble is None


def test_that_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        OwnPresets(tmp_path / "file" / "presets.json").keep(preset_of("a", TrainingPlan()))
    assert caught.value.keys == ("presets.write",)


def test_that_the_folder_can_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XIMSTUDIO_SETTINGS", str(tmp_path))
    assert presets_file() == tmp_path / "presets.json"


def test_that_names_that_are_taken_get_a_number() -> None:
    taken = {"a", "a 2"}
    assert free_name("a", taken) == "a 3"
    assert free_name("b", taken) == "b"


def test_that_a_new_plan_is_the_first_preset() -> None:
    assert holding(TrainingPlan(), PRESETS) == PRESETS[0]


def test_that_another_lattice_is_not_the_preset_any_more() -> None:
    for preset in PRESETS:
        plan = preset.applied(TrainingPlan())
        for change in ({"lattice": "hexagonal"}, {"toroidal": True}):
            changed = plan.with_params(plan.params.replace(**change))
            assert holding(changed, PRESETS) is None
            assert preset.applied(changed).params == plan.params


def test_that_only_a_preset_goes_on_to_another_table() -> None:
    own = TrainingPlan().with_params(
        TrainingPlan().params.replace(metric="correlation", n_steps=6_000_000)
    )
    left = replace(own, seed=7)
    assert plan_for_another_table(left, PRESETS) == TrainingPlan()
    kept = preset_of("mine", own)
    after = plan_for_another_table(left, (*PRESETS, kept))
    assert (after.params, after.seed) == (own.params, 0)
    for preset in PRESETS:
        followed = preset.applied(
            TrainingPlan().with_params(TrainingPlan().params.replace(shape=(7, 9)))
        )
        assert preset.holds(plan_for_another_table(followed, PRESETS))
