"""A part of a map gets a map of its own, with the values and the layout it had."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.model import Grid, Matrix, PrototypeMap, Result, UserError
from ximstudio.model.parent import PART
from ximstudio.train import METHODS, method_named, train
from ximstudio.train.annealing import LateParams, left_open
from ximstudio.train.continued import continued, continued_again
from ximstudio.train.part import chosen_rows, part_of
from ximstudio.train.xim_family import XimParams


@pytest.fixture(scope="module")
def parent(yeast: Matrix) -> Result:
    method = method_named("c-xim")
    return train(yeast, method, XimParams(shape=(10, 12), n_steps=8000), seed=1)


@pytest.fixture(scope="module")
def ribosome(yeast: Matrix) -> list[str]:
    functions = yeast.item_labels["function"]
    return [name for name, text in zip(yeast.item_ids, functions, strict=True) if text == "Ribo"]


def test_that_items_features_and_values_are_the_parents(
    yeast: Matrix, parent: Result, ribosome: list[str]
) -> None:
    # Whatever the order in which they were chosen.
    child = part_of(parent, yeast, items=reversed(ribosome), changes={"n_steps": 60})
    assert list(child.matrix.item_ids) == ribosome
    assert child.matrix.feature_names == yeast.feature_names
    rows = [yeast.item_ids.index(name) for name in ribosome]
    np.testing.assert_array_equal(child.matrix.values, yeast.values[rows])
    result = child.train()
    assert result.parent is not None
    assert result.parent.kind == PART
    assert result.parent.result_hash == parent.hash
    assert result.parent.data_fingerprint == yeast.fingerprint
    assert list(result.parent.item_ids) == ribosome


def test_that_a_part_that_goes_on_is_still_one(
    yeast: Matrix, parent: Result, ribosome: list[str]
) -> None:
    assert not continued_again(parent, yeast).parent.of_part
    part = part_of(parent, yeast, items=ribosome, changes={"n_steps": 60})
    assert part.parent.of_part
    result = part.train()
    for _ in range(2):
        again = continued_again(result, part.matrix, changes={"n_steps": 60})
        result = again.train()
        assert again.parent.of_part
        assert list(again.parent.item_ids) == ribosome
    assert continued(result, yeast.items([0, 1, 2])).parent.of_part


def test_that_nodes_choose_the_items_they_have_won(yeast: Matrix, parent: Result) -> None:
    assert parent.winners is not None
    nodes = np.unique(parent.winners)[:12]
    child = part_of(parent, yeast, nodes=nodes.tolist())
    won = np.flatnonzero(np.isin(parent.winners, nodes))
    assert child.matrix.item_ids == tuple(yeast.item_ids[row] for row in won)
    both = chosen_rows(parent, items=[yeast.item_ids[0]], nodes=nodes.tolist())
    np.testing.assert_array_equal(both, np.union1d(won, [0]))


def test_that_the_part_keeps_the_parents_layout(
    yeast: Matrix, parent: Result, ribosome: list[str]
) -> None:
    child = part_of(parent, yeast, items=ribosome, changes={"shape": (12, 12)})
    result = child.train(seed=2)
    before = parent.positions[chosen_rows(parent, items=ribosome)]
    for axis in (0, 1):
        assert np.corrcoef(before[:, axis], result.positions[:, axis])[0, 1] > 0.7


def test_that_anchors_of_the_parent_pin_nothing_in_a_part(
    yeast: Matrix, ribosome: list[str]
) -> None:
    method = method_named("c-xim")
    absent = next(name for name in yeast.item_ids if name not in ribosome)
    params = method.params.from_values(
        {"shape": (6, 7), "n_steps": 500, "anchors": (f"3={absent}",)}
    )
    pinned = train(yeast, method, params)
    assert part_of(pinned, yeast, items=ribosome).train().item_ids == tuple(ribosome)


def test_that_it_is_finer_than_the_parent(
    yeast: Matrix, parent: Result, ribosome: list[str]
) -> None:
    child = part_of(parent, yeast, items=ribosome, changes={"shape": (12, 12)})
    result = child.train(seed=2)
    rows = chosen_rows(parent, items=ribosome)

    def error(of: Result) -> float:
        assert isinstance(of.model, PrototypeMap)
        prototypes = of.model.prototypes
        apart = [np.nanmean((item - prototypes) ** 2, axis=1).min() for item in yeast.values[rows]]
        return float(np.sqrt(apart).mean())

    assert error(result) < error(parent)


def test_that_the_start_lies_where_the_items_do(
    yeast: Matrix, parent: Result, ribosome: list[str]
) -> None:
    child = part_of(parent, yeast, items=ribosome, changes={"shape": (8, 8)})
    assert child.start is not None
    others = [row for row, name in enumerate(yeast.item_ids) if name not in ribosome]

    def nearest(rows: list[int]) -> float:
        values = yeast.values[rows]
        return float(np.mean([np.nanmean((v - child.start) ** 2, axis=1).min() for v in values]))

    rows = [yeast.item_ids.index(name) for name in ribosome]
    assert nearest(rows) < nearest(others)


def test_that_the_parents_parameters_are_taken_over_but_not_its_sizes(
    yeast: Matrix, ribosome: list[str]
) -> None:
    method = method_named("c-xim")
    set_ = XimParams(shape=(6, 6), repulsion=0.4, lattice="hexagonal").resolved(186)
    result = train(yeast, method, set_.replace(n_steps=50))
    child = part_of(result, yeast, items=ribosome, changes={"shape": (20, 4)})
    values = child.params.as_values()
    assert (values["repulsion"], values["lattice"], values["shape"]) == (0.4, "hexagonal", (20, 4))
    assert values["n_steps"] == 14_000
    assert left_open(set_).as_values()["width"] == (None, 0.4)
    whole = part_of(result, yeast, items=ribosome, late=LateParams(begin=0.0))
    assert whole.params.as_values()["n_steps"] == 20_000


def test_that_a_part_that_was_stopped_goes_on_to_the_same_map(
    yeast: Matrix, parent: Result, ribosome: list[str]
) -> None:
    child = part_of(parent, yeast, items=ribosome, changes={"shape": (5, 5), "n_steps": 300})
    half = next(child.checkpoints(seed=4, chunk=100)).result()
    assert half.parent is not None
    *_, last = child.checkpoints(seed=4, resume=half.resume)
    assert last.result().hash == child.train(seed=4).hash


@pytest.mark.parametrize("key", [method.key for method in METHODS])
def test_that_every_method_can_be_parent_and_part(
    key: str, yeast: Matrix, parent: Result, ribosome: list[str]
) -> None:
    method = method_named(key)
    known = method.params.specs()
    small = {"shape": (4, 5), "n_steps": 200, "n_epochs": 5}
    changes = {name: value for name, value in small.items() if name in known}
    child = part_of(parent, yeast, items=ribosome, method=method, changes=changes).train()
    assert child.method == key
    # And a part of the part, as the usual method.
    c_xim = method_named("c-xim")
    grandchild = part_of(
        child,
        yeast.items(chosen_rows(parent, items=ribosome)),
        items=ribosome[:20],
        method=c_xim,
        changes={"shape": (4, 4), "n_steps": 100},
    )
    assert grandchild.start is not None
    assert grandchild.start.shape == (Grid(4, 4).n_nodes, yeast.n_features)
    result = grandchild.train()
    assert result.parent is not None
    assert result.parent.result_hash == child.hash


def test_that_what_is_not_on_the_map_is_refused(yeast: Matrix, parent: Result) -> None:
    pca = train(yeast, method_named("pca"))
    for result, chosen, key in (
        (parent, {"items": ["no such gene"]}, "part.unknown_items"),
        (parent, {"items": yeast.item_ids[:1]}, "part.too_few"),
        (parent, {"items": []}, "part.too_few"),
        (parent, {"nodes": [0, 120]}, "part.unknown_nodes"),
        (parent, {"nodes": [-1]}, "part.unknown_nodes"),
        (pca, {"nodes": [0]}, "part.no_nodes"),
    ):
        with pytest.raises(UserError) as caught:
            part_of(result, yeast, **chosen)
        assert caught.value.keys == (key,)
