"""Nodes pinned to items: they begin there, never move, and the others arrange around them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ximstudio.model import Matrix, Params, PrototypeMap, Result, UserError
from ximstudio.model.arrays import Floats
from ximstudio.train import checkpoints, method_named, problems, train
from ximstudio.train.anchors import pinned
from ximstudio.train.som import SomParams
from ximstudio.train.xim_family import XimParams

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("c-xim", {}),
    ("t-xim", {}),
    ("xim", {"best_match": "divergence"}),
    ("c-xim", {"divergence": "hellinger", "best_match": "divergence"}),
    ("c-xim", {"divergence": "gamma", "rule": "gradient"}),
    ("c-xim", {"reach_from": "neighbours"}),
    ("som", {}),
    ("som", {"best_match": "heskes"}),
    ("som", {"algorithm": "batch", "n_epochs": 5}),
]


def items(*, wide: bool = False, blanks: bool = False) -> Matrix:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(12, 60) if wide else (40, 4)) * 0.1 + 7.0
    values += rng.integers(0, 2, (len(values), 1))
    if blanks:
        values[rng.random(values.shape) < 0.1] = np.nan
        values[:, 0] = rng.normal(size=len(values))
    return Matrix.from_array(values)


def params_of(key: str, **settings: Any) -> Params:
    small = {"shape": (5, 6), "n_steps": 500, "anchors": ("1:1=item 3", "29=item 8", "14=item 3")}
    return method_named(key).params.from_values(small | settings)


def prototypes_of(result: Result) -> Floats:
    assert isinstance(result.model, PrototypeMap)
    return result.model.prototypes


@pytest.mark.parametrize("wide", [False, True], ids=["narrow", "turned"])
@pytest.mark.parametrize(("key", "settings"), VARIANTS)
def test_that_pinned_prototypes_are_their_items_at_every_checkpoint(
    key: str, settings: dict[str, Any], wide: bool
) -> None:
    matrix, method = items(wide=wide), method_named(key)
    held = matrix.values[[2, 7, 2]]
    free = np.setdiff1d(np.arange(30), [0, 14, 29])
    before: Floats | None = None
    coordinates = []
    chunk = 1 if "algorithm" in settings else 125
    for checkpoint in checkpoints(matrix, method, params_of(key, **settings), chunk=chunk):
        result = checkpoint.result()
        prototypes = prototypes_of(result)
        assert prototypes[[0, 29, 14]].tobytes() == held.tobytes()
        assert result.resume is not None
        coordinates.append(result.resume.prototypes[:, [0, 29, 14]].tobytes())
        if before is not None:
            assert (prototypes[free] != before[free]).any(axis=1).all()
        before = prototypes
    # In training itself they do not move by a bit either, and are there up to its rounding.
    assert len(set(coordinates)) == 1
    assert len(coordinates) > 1


def test_that_in_training_they_lie_on_their_items_up_to_single_precision() -> None:
    """An item among the pinned ones has no distance to its node, and wins it."""
    matrix = items()
    params = params_of("c-xim", anchors=("2:3=item 5",))
    result = train(matrix, method_named("c-xim"), params)
    assert result.winners is not None
    assert result.winners[4] == 8
    assert result.resume is not None
    typical = matrix.median_distance
    unit = 2.0 ** np.round(np.log2(typical))
    at = result.resume.prototypes[:, 8].astype(np.float64) * unit + matrix.middle
    np.testing.assert_allclose(at, matrix.values[4], rtol=0.0, atol=1e-6 * typical)


def test_that_what_is_blank_in_an_item_stays_where_it_began() -> None:
    matrix = items(blanks=True)
    item = int(np.flatnonzero(np.isnan(matrix.values).any(axis=1))[0])
    blank = np.isnan(matrix.values[item])
    start = np.random.default_rng(2).normal(7.0, 1.0, size=(30, 4))
    params = params_of("c-xim", anchors=(f"7=item {item + 1}",), init="given")
    found = prototypes_of(train(matrix, method_named("c-xim"), params, start=start))[7]
    assert found[~blank].tobytes() == matrix.values[item][~blank].tobytes()
    np.testing.assert_allclose(found[blank], start[7][blank], rtol=1e-6)


@pytest.mark.parametrize("key", ["c-xim", "xim", "som"])
def test_that_the_others_arrange_around_the_pinned(key: str) -> None:
    """Two groups change sides of the map with the corners that they are pinned to."""
    matrix = items()
    high = matrix.values.mean(axis=1) > 7.5
    one, other = int(np.flatnonzero(high)[0]), int(np.flatnonzero(~high)[0])

    def lean(left: int, right: int) -> float:
        anchors = tuple(
            f"{row}:{column}=item {item + 1}"
            for column, item in ((1, left), (12, right))
            for row in (1, 2, 3)
        )
        params = params_of(key, shape=(3, 12), anchors=anchors, n_steps=3000, init="random")
        x = train(matrix, method_named(key), params, seed=3).positions[:, 0]
        return float(x[high].mean() - x[~high].mean())

    assert lean(one, other) < -3.0
    assert lean(other, one) > 3.0


def test_that_without_anchors_nothing_is_pinned() -> None:
    held = pinned(items(), XimParams())
    assert held.nodes.tolist() == []
    assert held.values.shape == (0, 4)
    prototypes = np.zeros((3, 4))
    assert held.put(prototypes) is prototypes


def test_that_anchors_survive_texts_and_values() -> None:
    params = XimParams.from_texts({"anchors": '1:2=item 3,"4=a, b=c"'})
    assert params.sized(100).anchored == {1: "item 3", 4: "a, b=c"}
    assert XimParams.from_values(params.as_values()) == params
    assert XimParams.from_texts({"anchors": XimParams.specs()["anchors"].show(params.anchors)}) == (
        params
    )


@pytest.mark.parametrize(
    "anchor",
    [
        "item 3",
        "x=item 3",
        "30=item 3",
        "-1=item 3",
        "0:1=item 3",
        "6:1=item 3",
        "1:7=a",
        "1:1:1=a",
        "2=",
        "=item 3",
        "1.5=a",
    ],
)
@pytest.mark.parametrize("params", [XimParams, SomParams])
def test_that_anchors_that_name_no_node_and_item_are_refused(
    params: type[Params], anchor: str
) -> None:
    with pytest.raises(UserError) as error:
        params.from_values({"shape": (5, 6), "anchors": ("1=item 1", anchor)})
    assert error.value.keys == ("params.anchor",)


def test_that_a_node_is_pinned_once_only() -> None:
    with pytest.raises(UserError) as error:
        XimParams(shape=(5, 6), anchors=("8=item 1", "2:3=item 2"))
    assert error.value.keys == ("params.anchor_twice",)


@pytest.mark.parametrize("key", ["c-xim", "som"])
def test_that_unknown_items_are_refused_with_the_nearest_one(key: str) -> None:
    params = params_of(key, anchors=("1=itme 3", "2=item 4"))
    (found,) = problems(items(), method_named(key), params)
    assert found.key == "params.anchor_item"
    assert "'item 3'" in found.way_out
    with pytest.raises(UserError) as error:
        train(items(), method_named(key), params)
    assert error.value.keys == ("params.anchor_item",)
