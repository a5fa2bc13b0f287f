"""XOM and its family: every step as its twin's, points drawn as the hypothesis says, good maps."""

from __future__ import annotations

import numpy as np
import pytest

from tests import twins
from tests.xom_twin import Rule, squared_distances, xom_step
from ximstudio.kernels import xom
from ximstudio.model import Matrix
from ximstudio.model.arrays import Floats
from ximstudio.train import checkpoints, method_named, train
from ximstudio.train import xom_family as family
from ximstudio.train.clock import FIRST_CHUNK
from ximstudio.train.space import training_space
from ximstudio.train.xom_family import (
    BLOCK,
    DEVIATION,
    SIDE,
    NeXomParams,
    Points,
    XomParams,
    start_positions,
)

N_ITEMS, N_STEPS, SEED = 26, 14, 3
MEMBERS = [("xom", "none"), ("ne-xom", "gaussian"), ("t-ne-xom", "cauchy"), ("t-ne-xom", "t")]


def some_items(*, blanks: bool) -> Matrix:
    rng = np.random.default_rng(1)
    values = 5.0 * rng.normal(size=(N_ITEMS, 6)) + 40.0
    if blanks:
        hidden = rng.random(values.shape) < 0.25
        hidden[:, 0] = False
        values[hidden] = np.nan
    return Matrix.from_array(values)


def params_of(key: str, kernel: str, **changes: object) -> XomParams:
    tail = {"tail": kernel} if key == "t-ne-xom" else {}
    repulsion = {} if key == "xom" else {"repulsion": 0.4}
    method = method_named(key)
    params = method.params.from_values({"n_steps": N_STEPS} | tail | repulsion | changes)
    assert isinstance(params, XomParams)
    return params


@pytest.mark.parametrize("annealing", ["exponential", "linear", "constant"])
@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize(("key", "kernel"), MEMBERS)
def test_that_every_step_of_xom_equals_its_twin(
    key: str, kernel: str, blanks: bool, annealing: str
) -> None:
    matrix = some_items(blanks=blanks)
    params = params_of(key, kernel, annealing=annealing, width=(1.0, 0.3))
    median = matrix.median_distance
    repels = isinstance(params, NeXomParams)
    rule = Rule(
        kernel=kernel,
        annealing=annealing,
        step=params.step,
        width=(params.width[0] * median, params.width[1] * median),
        reach=params.reach if isinstance(params, NeXomParams) else (1.0, 1.0),
        repulsion=params.repulsion if isinstance(params, NeXomParams) else 0.0,
    )
    d_data = squared_distances(matrix.values)
    points = Points(params.hypothesis, params.lattice_side, SEED).of_steps(0, N_STEPS)
    first = start_positions(matrix, params.init, SEED).T.astype(np.float64)
    positions, winners, errors, costs = first, set(), [], []
    method = method_named(key)
    for number, checkpoint in enumerate(checkpoints(matrix, method, params, seed=SEED, chunk=1)):
        v = points[number].astype(np.float64)
        step = xom_step(rule, v, positions, d_data, number / N_STEPS)
        positions = step.positions
        winners.add(step.winner)
        errors.append(step.error)
        costs.append(step.cost)
        result = checkpoint.result()
        np.testing.assert_allclose(result.positions, SIDE * positions, rtol=0.0, atol=2e-4)
    history = result.history
    np.testing.assert_allclose(history.quantisation_error, SIDE * np.array(errors), rtol=1e-4)
    unit = 1.0 if repels else SIDE**2
    np.testing.assert_allclose(history.cost, unit * np.array(costs), rtol=1e-3)
    # The steps must be worth comparing.
    assert len(winners) > 2
    assert np.abs(positions - first).max() > 0.02


def test_that_without_repulsion_the_family_is_xom() -> None:
    matrix = some_items(blanks=False)
    plain = train(matrix, method_named("xom"), params_of("xom", "none", width=(1.0, 0.3)))
    params = params_of("ne-xom", "gaussian", width=(1.0, 0.3), repulsion=0.0)
    other = train(matrix, method_named("ne-xom"), params)
    np.testing.assert_allclose(other.positions, plain.positions, atol=1e-4)


@pytest.mark.parametrize("kernel", ["gaussian", "t", "cauchy"])
def test_that_the_force_of_the_family_is_the_slope_of_its_divergence(kernel: str) -> None:
    """With η = ½ the force is (h − g) times the factor: along −∂Div/∂w for every kernel."""
    rng = np.random.default_rng(5)
    positions, v, gamma = rng.random((7, 2)), np.array([0.4, 0.6]), 0.3
    d_data = squared_distances(rng.normal(size=(7, 3)))
    rule = Rule(
        kernel=kernel,
        annealing="constant",
        step=(1e-3, 1e-3),
        width=(1.5, 1.5),
        reach=(gamma, gamma),
        repulsion=0.5,
    )
    step = xom_step(rule, v, positions, d_data, 0.0)
    moves = step.positions - positions

    def slope(item: int, axis: int) -> float:
        ends = []
        for sign in (1.0, -1.0):
            moved = positions.copy()
            moved[item, axis] += sign * 1e-6
            ends.append(xom_step(rule, v, moved, d_data, 0.0).cost)
        return (ends[0] - ends[1]) / 2e-6

    slopes = np.array([[slope(item, axis) for axis in (0, 1)] for item in range(7)])
    ratios = -moves / slopes
    np.testing.assert_allclose(ratios, ratios[0, 0], rtol=1e-4)
    assert ratios[0, 0] > 0.0


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_rows_on_demand_give_the_same_bits_as_a_table(
    blanks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix = some_items(blanks=blanks)
    params = params_of("t-ne-xom", "cauchy", n_steps=300)
    method = method_named("t-ne-xom")
    kept = train(matrix, method, params).hash
    monkeypatch.setattr(family, "MOST_IN_TABLE", 0)
    assert train(matrix, method, params).hash == kept


def test_that_rows_on_demand_begin_with_a_single_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many items with many features each takes as long as a person who stops will wait."""
    method, params = method_named("xom"), params_of("xom", "none", n_steps=300)
    assert next(checkpoints(some_items(blanks=False), method, params)).step == FIRST_CHUNK
    monkeypatch.setattr(family, "MOST_IN_TABLE", 0)
    assert next(checkpoints(some_items(blanks=False), method, params)).step == 1


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_a_table_has_the_same_bits_however_it_is_filled(
    blanks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = training_space(some_items(blanks=blanks), steps=1.0)
    whole = family.lay_out(space).table
    monkeypatch.setattr(family, "DIFFERENCES", 1)
    np.testing.assert_array_equal(family.lay_out(space).table, whole)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_rows_filled_together_have_the_bits_of_single_ones(blanks: bool) -> None:
    n_features, n_items = 50, 4000
    assert n_features * n_items > 2 * xom.CACHED
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n_features, n_items)).astype(np.float32)
    observed = np.empty((0, 0), dtype=np.float32)
    if blanks:
        observed = (rng.random(values.shape) < 0.8).astype(np.float32)
    items = xom.XomItems(values, observed, np.empty((0, 0), dtype=np.float32))
    rows, row = np.empty((5, n_items), dtype=np.float32), np.empty(n_items, dtype=np.float32)
    xom.distance_rows(items, 7, rows)
    for number, found in enumerate(rows):
        xom.data_distances(items, 7 + number, row)
        np.testing.assert_array_equal(found, row)


def test_that_data_distances_are_those_of_the_features_known_of_both() -> None:
    matrix = some_items(blanks=True)
    space = training_space(matrix, steps=1.0)
    table = family.lay_out(space).table
    expected = squared_distances(matrix.values) / space.unit**2
    np.testing.assert_allclose(table, expected, rtol=1e-4, atol=1e-5)


def test_that_items_without_a_common_feature_do_not_attract() -> None:
    values = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 1.0]], dtype=np.float32)
    observed = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], dtype=np.float32)
    row = np.empty(3, dtype=np.float32)
    items = xom.XomItems(values, observed, np.empty((0, 0), dtype=np.float32))
    xom.data_distances(items, 0, row)
    assert row[1] == xom.APART
    assert row[2] == pytest.approx(2.0)


# Drawn points -------------------------------------------------------------------------------------


@pytest.mark.parametrize("hypothesis", ["uniform", "normal", "lattice"])
def test_that_points_do_not_depend_on_how_they_are_asked_for(hypothesis: str) -> None:
    whole = np.concatenate([Points(hypothesis, 5, 7).of_steps(b * BLOCK, 9**9) for b in (0, 1)])
    asked = Points(hypothesis, 5, 7)
    step = 0
    while step < len(whole):
        part = asked.of_steps(step, step + 1000)
        np.testing.assert_array_equal(part, whole[step : step + len(part)])
        step += len(part)
    assert not np.array_equal(whole[:BLOCK], whole[BLOCK:])
    assert not np.array_equal(whole[:BLOCK], Points(hypothesis, 5, 8).of_steps(0, BLOCK))


def test_that_points_follow_the_hypothesis() -> None:
    uniform, normal, lattice = (
        Points(name, 5, 0).of_steps(0, BLOCK) for name in ("uniform", "normal", "lattice")
    )
    assert (uniform >= 0.0).all()
    assert (uniform < 1.0).all()
    cells = np.floor(4.0 * uniform).astype(np.int64)
    counts = np.bincount(4 * cells[:, 0] + cells[:, 1], minlength=16)
    assert counts.sum() == BLOCK
    assert counts.min() > 0.7 * BLOCK / 16
    assert normal.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.02)
    assert normal.std(axis=0) == pytest.approx([DEVIATION, DEVIATION], rel=0.05)
    places = np.unique(lattice, axis=0)
    assert len(places) == 25
    np.testing.assert_allclose(np.unique(places[:, 0]), [0.1, 0.3, 0.5, 0.7, 0.9], rtol=1e-6)


# Maps ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "trust", "continuity"),
    [("xom", 0.84, 0.87), ("ne-xom", 0.87, 0.90), ("t-ne-xom", 0.87, 0.90)],
)
def test_that_the_genes_are_drawn_well(
    key: str, trust: float, continuity: float, yeast: Matrix
) -> None:
    result = train(yeast, method_named(key), seed=1)
    found = twins.quality(yeast.values, result.positions)
    assert found[0] > trust
    assert found[1] > continuity
    order = np.random.default_rng(0).permutation(yeast.n_items)
    assert max(twins.quality(yeast.values, result.positions[order])) < 0.65


def test_that_an_item_far_from_all_others_does_not_stay_outside_of_the_map() -> None:
    values = np.random.default_rng(0).normal(size=(200, 5))
    values[0] += 60.0
    positions = train(Matrix.from_array(values), method_named("xom")).positions
    assert (positions >= 0.0).all()
    assert (positions <= SIDE).all()
    assert (positions.std(axis=0) > 0.1 * SIDE).all()


@pytest.mark.parametrize("key", ["xom", "ne-xom", "t-ne-xom"])
def test_that_a_random_start_unfolds(key: str, yeast: Matrix) -> None:
    method = method_named(key)
    params = method.params(init="random")  # type: ignore[call-arg]
    before = SIDE * start_positions(yeast, "random", 2).T.astype(np.float64)
    after: Floats = train(yeast, method, params, seed=2).positions
    assert min(twins.quality(yeast.values, after)) > 0.75
    assert max(twins.quality(yeast.values, before)) < 0.6
