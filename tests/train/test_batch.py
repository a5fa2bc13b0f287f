"""Training in epochs, epoch by epoch, against its float64 twin."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tests import twins
from ximstudio.kernels import parallel
from ximstudio.measure.neighbourhoods import trustworthiness
from ximstudio.measure.ranks import neighbour_ranks
from ximstudio.model import Matrix, PrototypeMap, Result
from ximstudio.model.arrays import Floats
from ximstudio.train import TrainingJob, checkpoints, method_named, problems, train
from ximstudio.train.batch import Epochs
from ximstudio.train.batch_items import BatchItems, blocks_of, parts_of
from ximstudio.train.batch_params import BatchParams
from ximstudio.train.batch_sums import MapTable, Presentation, Sums, Workplace, force_sums
from ximstudio.train.divergences import DIVERGENCES, force_of
from ximstudio.train.local_reach import reaches_at
from ximstudio.train.online import MAP_KERNELS
from ximstudio.train.space import training_space
from ximstudio.train.xim_family import XimParams, learning

N_EPOCHS = 5
KERNELS = {"xim": "gaussian", "t-xim": "t", "c-xim": "cauchy", "som": "gaussian"}
WIDTHS = {"xim": (2.0, 0.6), "t-xim": (0.6, 4.0), "c-xim": (2.0, 0.5), "som": (2.0, 0.6)}


def items(*, blanks: bool = False, n_items: int = 50) -> Floats:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n_items, 5)) * 2.0 + 30.0 + 5.0 * rng.integers(0, 3, (n_items, 1))
    if blanks:
        hidden = np.less(rng.random(values.shape), 0.25)
        hidden[np.arange(n_items), rng.integers(0, 5, n_items)] = False
        values[hidden] = np.nan
    return values


def params_of(key: str, **changes: Any) -> BatchParams:
    wanted = {"shape": (4, 6), "n_epochs": N_EPOCHS, "algorithm": "batch", "width": WIDTHS[key]}
    found = method_named(key).params.from_values(wanted | changes)
    assert isinstance(found, BatchParams)
    return found


def prototypes_of(result: Result) -> Floats:
    assert isinstance(result.model, PrototypeMap)
    return result.model.prototypes


def assert_epochs_equal_twins(key: str, values: Floats, **changes: Any) -> None:
    """Every epoch, from where the one before it ended: errors of rounding do not add up."""
    matrix = Matrix.from_array(values)
    start = np.random.default_rng(4).normal(size=(24, 5)) + 33.0
    params = params_of(key, init="given", **changes)
    d_map = twins.map_distances(params.grid)
    repulsion, reach = getattr(params, "repulsion", 0.0), getattr(params, "reach", (1.0, 1.0))
    rule = twins.BatchRule(
        kernel=KERNELS[key],
        match=params.best_match,
        fixed_point=getattr(params, "fixed_point", "damped"),
        repulsion=0.5 if getattr(params, "rule", "") == "gradient" else repulsion,
        relaxation=params.relaxation_of(len(values)),
        repelled_by=getattr(params, "repelled_by", "items"),
        scale=params.length_scale,
        divergence=getattr(params, "divergence", "kl"),
        order=params.force.order if isinstance(params, XimParams) else 1.0,
    )
    results = [
        checkpoint.result()
        for checkpoint in checkpoints(matrix, method_named(key), params, start=start, chunk=1)
    ]
    assert [result.step for result in results] == list(range(1, N_EPOCHS + 1))
    history = results[-1].history
    before, n_steady = start, 0
    for epoch, result in enumerate(results):
        fraction = epoch / (N_EPOCHS - 1)
        sigma = twins.annealed("exponential", params.widths, fraction)
        gamma = twins.annealed("exponential", reach, fraction) * matrix.median_distance
        twin = twins.batch_epoch(rule, values, before, d_map, sigma, gamma)
        before = prototypes_of(result)
        if not twin.steady:
            continue
        n_steady += 1
        off = np.abs(before - twin.prototypes)
        assert (off < 1e-4 * (1.0 + twin.strain)).all()
        assert history.quantisation_error[epoch] == pytest.approx(twin.error, rel=1e-4)
        assert history.cost[epoch] == pytest.approx(twin.cost, rel=1e-4)
        assert history.width[epoch] == pytest.approx(sigma, rel=1e-12)
        if rule.repulsion > 0.0:
            assert history.reach[epoch] == pytest.approx(gamma, rel=1e-12)
        if rule.fixed_point == "literal":
            assert history.stalled[epoch] == twin.stalled
    assert n_steady >= N_EPOCHS - 2
    assert np.isnan(history.step_size).all()
    assert np.isnan(history.reach).all() == (rule.repulsion == 0.0)
    assert np.isnan(history.stalled).all() == (rule.fixed_point == "damped")


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("match", ["distance", "heskes", "divergence"])
@pytest.mark.parametrize("fixed_point", ["damped", "literal"])
@pytest.mark.parametrize("key", ["xim", "t-xim", "c-xim"])
def test_that_every_epoch_equals_its_twin(
    key: str, fixed_point: str, match: str, blanks: bool
) -> None:
    for repelled_by in ("items", "means"):
        assert_epochs_equal_twins(
            key,
            items(blanks=blanks),
            best_match=match,
            fixed_point=fixed_point,
            repelled_by=repelled_by,
        )


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("match", ["distance", "heskes"])
@pytest.mark.parametrize(
    ("lattice", "toroidal"), list(product(("rectangular", "hexagonal"), (False, True)))
)
def test_that_every_epoch_of_a_som_equals_its_twin(
    lattice: str, toroidal: bool, match: str, blanks: bool
) -> None:
    assert_epochs_equal_twins(
        "som", items(blanks=blanks), best_match=match, lattice=lattice, toroidal=toroidal
    )


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("match", ["distance", "heskes", "divergence"])
@pytest.mark.parametrize("divergence", [each.key for each in DIVERGENCES if each.key != "kl"])
def test_that_every_epoch_of_any_divergence_equals_its_twin(
    divergence: str, match: str, blanks: bool
) -> None:
    assert_epochs_equal_twins(
        "c-xim",
        items(blanks=blanks),
        divergence=divergence,
        best_match=match,
        reach=(2.0, 0.8),
        width=(2.0, 1.0),
    )


def test_that_means_do_not_repel_where_attraction_depends_on_the_distance() -> None:
    params = params_of("c-xim", repelled_by="means", divergence="hellinger")
    found = problems(Matrix.from_array(items()), method_named("c-xim"), params)
    assert [problem.key for problem in found] == ["params.means"]


def test_that_the_gradient_rule_weighs_attraction_and_repulsion_alike() -> None:
    assert_epochs_equal_twins("c-xim", items(), rule="gradient")


def test_that_relaxation_goes_a_share_of_the_way() -> None:
    for fixed_point in ("damped", "literal"):
        assert_epochs_equal_twins("c-xim", items(), relaxation=0.4, fixed_point=fixed_point)


def test_that_without_repulsion_batch_xim_is_a_batch_som() -> None:
    matrix, settings = Matrix.from_array(items(blanks=True)), {"width": (2.0, 0.6)}
    som = train(matrix, method_named("som"), params_of("som", **settings))
    xim = train(matrix, method_named("xim"), params_of("xim", repulsion=0.0, **settings))
    np.testing.assert_array_equal(prototypes_of(xim), prototypes_of(som))


def test_that_a_node_nothing_pulls_at_stays() -> None:
    values = np.array([[0.0, 0.0], [0.1, 0.0], [0.0, 0.1]])
    start = np.column_stack([np.arange(50.0), np.zeros(50)])
    params = params_of("som", shape=(1, 50), n_epochs=1, width=(0.5, 0.5), init="given")
    found = prototypes_of(
        train(Matrix.from_array(values), method_named("som"), params, start=start)
    )
    np.testing.assert_allclose(found[40:], start[40:], atol=1e-5)
    np.testing.assert_allclose(found[0], values.mean(axis=0), atol=1e-5)


def test_that_the_energy_falls_at_constant_width_with_heskes_winners() -> None:
    params = params_of(
        "som", shape=(5, 5), n_epochs=15, width=(1.2, 1.2), best_match="heskes", init="random"
    )
    history = train(Matrix.from_array(items()), method_named("som"), params).history
    assert (np.diff(history.cost) <= 1e-5 * history.cost[0]).all()
    assert history.cost[-1] < 0.9 * history.cost[0]


@pytest.mark.parametrize("divergence", ["kl", "hellinger"])
@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_items_with_reaches_of_their_own_repel_by_them(blanks: bool, divergence: str) -> None:
    matrix, method = Matrix.from_array(items(blanks=blanks)), method_named("c-xim")
    local = {"reach_from": "neighbours", "reach_neighbours": (20.0, 5.0), "divergence": divergence}
    params = params_of("c-xim", n_epochs=2, **local)
    start = np.random.default_rng(4).normal(size=(24, 5)) + 33.0
    first = next(checkpoints(matrix, method, params.replace(init="given"), start=start)).result()
    order = force_of(divergence).order
    rule = twins.BatchRule(kernel="cauchy", divergence=divergence, order=order)
    reaches = reaches_at(
        matrix.values, 0.0, by="neighbours", annealing="exponential", neighbours=(20, 5), seed=0
    )
    twin = twins.batch_epoch(
        rule, matrix.values, start, twins.map_distances(params.grid), 2.0, reaches
    )
    np.testing.assert_allclose(prototypes_of(first), twin.prototypes, atol=5e-4)
    assert first.history.cost[0] == pytest.approx(twin.cost, rel=1e-4)
    assert first.history.reach[0] == pytest.approx(reaches.mean(), rel=1e-4)


@pytest.mark.parametrize("algorithm", ["batch", "mini-batch"])
@pytest.mark.parametrize("key", ["som", "c-xim"])
def test_that_pinned_nodes_stay_and_the_others_do_not(key: str, algorithm: str) -> None:
    matrix = Matrix.from_array(items())
    params = params_of(key, algorithm=algorithm, block_items=20, anchors=("0=item 3", "17=item 8"))
    found = prototypes_of(train(matrix, method_named(key), params))
    np.testing.assert_array_equal(found[[0, 17]], matrix.values[[2, 7]])
    free = prototypes_of(train(matrix, method_named(key), params.replace(anchors=())))
    assert (np.abs(found - free).max(axis=1) > 1e-3).sum() > 6


# Which items an epoch presents --------------------------------------------------------------------


def test_that_a_share_of_the_items_rises_to_all_of_them() -> None:
    """With one node the prototype is the mean of the items presented."""
    values = items(n_items=200)
    params = params_of("som", shape=(1, 1), n_epochs=11, first_share=0.1)
    maps = [
        prototypes_of(checkpoint.result())[0]
        for checkpoint in checkpoints(Matrix.from_array(values), method_named("som"), params)
    ]
    off = np.abs(np.array(maps) - values.mean(axis=0)).max(axis=1)
    assert (off[8:] < 1e-5).all()
    assert (off[:8] > 1e-3).all()
    assert len({tuple(found) for found in maps[:8]}) == 8


def test_that_small_tables_are_presented_whole_from_the_first_epoch() -> None:
    params = params_of("c-xim")
    assert params.first_share_of(4000) == 1.0
    assert params.first_share_of(16_000) == 0.25
    assert params.replace(first_share=0.5).first_share_of(10) == 0.5


def test_that_mini_batches_follow_the_damped_rule_block_by_block() -> None:
    values = items(n_items=60)
    start = np.random.default_rng(4).normal(size=(24, 5)) + 33.0
    params = params_of(
        "c-xim", algorithm="mini-batch", block_items=25, n_epochs=1, init="given", relaxation=0.5
    )
    matrix = Matrix.from_array(values)
    found = train(matrix, method_named("c-xim"), params, seed=3, start=start)
    rule = twins.BatchRule(kernel="cauchy", relaxation=0.5)
    d_map, gamma = twins.map_distances(params.grid), 1.5 * matrix.median_distance
    order, twin, costs = np.random.default_rng([3, 0]).permutation(60), start, []
    for block in (order[:20], order[20:40], order[40:]):
        epoch = twins.batch_epoch(rule, values[block], twin, d_map, 2.0, gamma)
        twin = epoch.prototypes
        costs.append(epoch.cost)
    np.testing.assert_allclose(prototypes_of(found), twin, atol=1e-3)
    assert found.history.cost[0] == pytest.approx(np.mean(costs), rel=1e-4)


def test_that_a_mini_batch_moves_by_the_share_of_items_that_it_holds() -> None:
    params = params_of("c-xim", algorithm="mini-batch", block_items=50)
    assert params.relaxation_of(200) == 0.25
    assert params.relaxation_of(20) == 1.0
    assert params_of("c-xim").relaxation_of(200) == 1.0


# Which items repel --------------------------------------------------------------------------------


def summed(values: Floats, *, turns: int = 1, turn: int = 0) -> Sums:
    """What items do to nine prototypes among them, all or those whose turn it is."""
    grid = params_of("c-xim", shape=(3, 3)).grid
    table = MapTable(grid, kernel=MAP_KERNELS["cauchy"], length_scale=1.0)
    table.set_width(1.0, own=True)
    laid_out = BatchItems.of(np.nan_to_num(values), (~np.isnan(values)).astype(np.float32))
    how = Presentation(
        best_match="distance", reach=3.0, fraction=0.0, repels=True, turns=turns, turn=turn
    )
    prototypes = np.nan_to_num(values[:9], nan=30.0).astype(np.float32)
    place = Workplace(9, laid_out, repels=True)
    return force_sums(laid_out, prototypes, table=table, how=how, place=place)


@pytest.mark.parametrize(("n_items", "turns"), [(2049, 4), (3000, 2), (9000, 5)])
@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_every_item_repels_once_while_all_have_their_turn(
    n_items: int, turns: int, blanks: bool
) -> None:
    values = items(n_items=n_items, blanks=blanks)
    everyone = summed(values)
    each = [summed(values, turns=turns, turn=turn) for turn in range(turns)]
    for sums in each:
        np.testing.assert_array_equal(sums.pulled, everyone.pulled)
        assert sums.error == everyone.error
        assert 0.9 < sums.pushed.sum() / everyone.pushed.sum() < 1.1
        assert not np.allclose(sums.pushed, everyone.pushed, rtol=1e-4)
    shares = np.array([n_in_turn(n_items, turns, turn) for turn in range(turns)]) / n_items
    assert shares.sum() == pytest.approx(1.0)
    together = np.einsum("t,tjc->jc", shares, [sums.pushed for sums in each])
    np.testing.assert_allclose(together, everyone.pushed, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(summed(values, turns=turns, turn=turns).pushed, each[0].pushed)


def n_in_turn(n_items: int, turns: int, turn: int) -> int:
    """How many items repel in a turn; a turn that nobody has would divide by none."""
    bare = BatchItems.of(np.zeros((n_items, 1)), None)
    n_parts = parts_of(n_items, 9)
    blocks = [block for part in range(n_parts) for block in blocks_of(bare, part, n_parts)]
    assert [number for number, _ in blocks] == list(range(len(blocks)))
    found = sum(len(block) for number, block in blocks if number % turns == turn)
    assert found > 0
    return found


def test_that_all_items_repel_in_the_last_fifth_of_the_epochs() -> None:
    matrix = Matrix.from_array(items(n_items=2600))
    space = training_space(matrix, steps=0.0)

    def epochs(repelling_share: float) -> Epochs:
        params = params_of("c-xim", n_epochs=11, repelling_share=repelling_share)
        assert isinstance(params, XimParams)
        job = TrainingJob(matrix=matrix, method="c-xim", params=params)
        return Epochs(job, space, learning(space, params, map_kernel="cauchy"))

    in_turn, by_all = epochs(0.2), epochs(1.0)
    before = np.random.default_rng(4).normal(size=(24, 5)).astype(np.float32)
    for epoch in range(11):
        found, expected = (each.after(epoch, before)[0] for each in (in_turn, by_all))
        assert np.allclose(found, expected, rtol=1e-4, atol=1e-5) == (epoch >= 8)


def test_that_a_map_repelled_in_turn_is_as_good_as_one_repelled_by_all() -> None:
    matrix, method = Matrix.from_array(items(n_items=9000)), method_named("c-xim")
    params = params_of("c-xim", shape=(10, 10), n_epochs=20, width=(4.0, 0.4), first_share=1.0)
    assert params.resolved(9000).as_values()["repelling_share"] == pytest.approx(4 / 9)
    in_turn = train(matrix, method, params)
    by_all = train(matrix, method, params.replace(repelling_share=1.0))
    assert in_turn.hash != by_all.hash
    found = [
        trustworthiness(neighbour_ranks(matrix.values, result.positions, result.periods, 15))[-1]
        for result in (in_turn, by_all)
    ]
    assert found[0] == pytest.approx(found[1], abs=0.003)
    half = next(checkpoints(matrix, method, params, chunk=10)).result()
    assert train(matrix, method, params, resume=half.resume).hash == in_turn.hash


def test_that_turns_are_taken_where_they_save_something_and_do_no_harm() -> None:
    def share(n_items: int, **changes: Any) -> Any:
        return params_of("c-xim", **changes).resolved(n_items).as_values()["repelling_share"]

    assert share(4000) == 1.0
    assert share(16_000) == 0.25
    assert share(16_000, repelling_share=0.5) == 0.5
    assert share(16_000, fixed_point="literal") == 1.0
    assert share(16_000, divergence="hellinger") == 1.0
    params = params_of("c-xim", repelling_share=0.5, divergence="hellinger")
    found = problems(Matrix.from_array(items()), method_named("c-xim"), params)
    assert [problem.key for problem in found] == ["params.turns"]


# Ending -------------------------------------------------------------------------------------------


def settled(**changes: Any) -> list[tuple[int, int]]:
    params = params_of("c-xim", settling=300, tolerance=0.01, **changes)
    matrix = Matrix.from_array(items())
    return [
        (checkpoint.step, checkpoint.n_steps)
        for checkpoint in checkpoints(matrix, method_named("c-xim"), params)
    ]


def test_that_training_ends_when_nothing_moves_any_more() -> None:
    *before, last = settled()
    assert N_EPOCHS < last[0] < N_EPOCHS + 300
    assert last[1] == last[0]
    assert [step for step, _ in before] == list(range(1, last[0]))
    assert {planned for _, planned in before} == {N_EPOCHS + 300}


def test_that_it_does_not_end_while_something_is_annealed_or_without_tolerance() -> None:
    params = params_of("c-xim", n_epochs=200, tolerance=1.0)
    matrix = Matrix.from_array(items())
    assert train(matrix, method_named("c-xim"), params).step == 200
    constant = train(matrix, method_named("c-xim"), params.replace(annealing="constant"))
    assert constant.step == 1
    assert constant.finished
    endless = params_of("c-xim", settling=20, tolerance=0.0)
    assert train(matrix, method_named("c-xim"), endless).step == N_EPOCHS + 20


def test_that_a_training_at_rest_stays_there_when_it_is_resumed() -> None:
    params = params_of("c-xim", settling=300, tolerance=0.01)
    matrix, method = Matrix.from_array(items()), method_named("c-xim")
    whole = train(matrix, method, params)
    middle = next(checkpoints(matrix, method, params, chunk=whole.step - 2)).result()
    resumed = train(matrix, method, params, resume=middle.resume)
    assert middle.step < resumed.step == whole.step
    assert resumed.hash == whole.hash
    (again,) = checkpoints(matrix, method, params, resume=whole.resume)
    assert (again.step, again.n_steps) == (whole.step, whole.step)
    assert again.result().hash == whole.hash


def test_that_chunks_thin_out_the_checkpoints_and_keep_the_last() -> None:
    params = params_of("som", shape=(3, 3), n_epochs=10)
    steps = [
        checkpoint.step
        for checkpoint in checkpoints(
            Matrix.from_array(items()), method_named("som"), params, chunk=4
        )
    ]
    assert steps == [4, 8, 10]


# Machine ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_the_number_of_cores_does_not_change_a_bit(
    monkeypatch: pytest.MonkeyPatch, blanks: bool
) -> None:
    matrix, method = Matrix.from_array(items(n_items=3000, blanks=blanks)), method_named("c-xim")
    hashes = set()
    for cores in (1, 2, 3):
        monkeypatch.setattr(parallel, "n_cores", lambda cores=cores: cores)
        hashes.add(train(matrix, method, params_of("c-xim", shape=(12, 13))).hash)
    assert len(hashes) == 1


def test_that_a_map_whose_kernel_between_nodes_does_not_fit_is_refused() -> None:
    """A million nodes have 10¹² pairs: 8 TB, which no machine holds."""
    matrix = Matrix.from_array(items())
    for key in ("som", "c-xim"):
        found = problems(matrix, method_named(key), params_of(key, shape=(1000, 1000)))
        assert [problem.key for problem in found] == ["params.memory"]
