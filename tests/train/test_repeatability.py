"""Same seed, same bits, whatever the chunks, pauses or stops."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from ximstudio.model import Matrix, Params, Result, UserError
from ximstudio.train import METHODS, checkpoints, method_named, train
from ximstudio.train.method import Method
from ximstudio.train.online import BLOCK, ItemOrder

N_STEPS = 6000


@dataclass(frozen=True)
class Case:
    """A method with parameters small enough to train many times."""

    name: str
    method: Method
    params: Params

    @property
    def in_steps(self) -> bool:
        """Whether it trains step by step; else the map follows from the data alone."""
        return hasattr(self.params, "n_steps")

    @property
    def n_steps(self) -> int:
        return int(getattr(self.params, "n_steps", 1))


def cases() -> list[Case]:
    found = []
    for method in METHODS:
        known = method.params.specs()
        # A step of the methods of other packages moves all items.
        wanted = {"shape": (5, 6), "n_steps": N_STEPS if method.package is None else 200}
        params = method.params.from_values({k: v for k, v in wanted.items() if k in known})
        found.append(Case(method.key, method, params))
        for name, options in (
            ("algorithm", {"algorithm": "batch", "n_epochs": 30}),
            ("algorithm", {"algorithm": "mini-batch", "n_epochs": 12, "block_items": 25}),
            ("rule", {"rule": "gradient", "best_match": "divergence", "n_steps": 2000}),
        ):
            if name in known:
                other = params.replace(**options)
                found.append(Case(f"{method.key} {options[name]}", method, other))
    return found


CASES = cases()


def every(case: Case) -> str:
    return case.name


def data(*, blanks: bool = False) -> Matrix:
    rng = np.random.default_rng(7)
    values = rng.normal(size=(60, 5)) + 3.0 * rng.integers(0, 3, (60, 1))
    if blanks:
        hidden = np.less(rng.random(values.shape), 0.1)
        hidden[:, 0] = False
        values[hidden] = np.nan
    return Matrix.from_array(values)


def history_bytes(result: Result) -> list[bytes]:
    history = result.history
    return [getattr(history, field.name).tobytes() for field in fields(history)]


def finished(
    case: Case, *, seed: int = 3, chunk: int | None = None, blanks: bool = False
) -> Result:
    *_, last = checkpoints(data(blanks=blanks), case.method, case.params, seed=seed, chunk=chunk)
    assert last.step == last.n_steps
    return last.result()


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("case", CASES, ids=every)
def test_that_the_chunk_length_does_not_change_a_bit(case: Case, blanks: bool) -> None:
    whole = finished(case, chunk=10_000, blanks=blanks)
    for chunk in (1, 7, None):
        other = finished(case, chunk=chunk, blanks=blanks)
        assert other.hash == whole.hash
        assert history_bytes(other) == history_bytes(whole)


@pytest.mark.parametrize("case", CASES, ids=every)
def test_that_another_seed_gives_another_map_where_there_is_chance(case: Case) -> None:
    chance = case.in_steps and not case.name.endswith(" batch")
    assert (finished(case, seed=3).hash != finished(case, seed=4).hash) is chance


@pytest.mark.parametrize("start", ["items", "random"])
def test_that_another_seed_starts_elsewhere_where_the_start_is_drawn(start: str) -> None:
    som = method_named("som")
    params = som.params.from_values(
        {"algorithm": "batch", "shape": (5, 6), "n_epochs": 3, "init": start}
    )
    one, same, other = (train(data(), som, params, seed=seed).hash for seed in (1, 1, 2))
    assert one == same
    assert one != other


@pytest.mark.parametrize("case", [case for case in CASES if case.in_steps], ids=every)
@settings(max_examples=8)
@given(share=st.floats(0.0, 1.0), again=st.floats(0.0, 1.0), blanks=st.booleans())
def test_that_stopping_and_resuming_does_not_change_a_bit(
    case: Case, share: float, again: float, blanks: bool
) -> None:
    matrix = data(blanks=blanks)
    whole = finished(case, blanks=blanks)

    def stopped(at: int, before: Result | None) -> Result:
        """The training cut off at step `at`, or the last checkpoint before it."""
        resume = None if before is None else before.resume
        kept = before
        chunk = max(1, at - (0 if before is None else before.step))
        for checkpoint in checkpoints(
            matrix, case.method, case.params, seed=3, resume=resume, chunk=chunk
        ):
            if checkpoint.step <= max(at, 1):
                kept = checkpoint.result()
            break
        assert kept is not None
        return kept

    first = stopped(1 + int(share * (whole.n_steps - 1)), None)
    second = stopped(first.step + int(again * (whole.n_steps - first.step)), first)
    last = train(matrix, case.method, case.params, seed=3, resume=second.resume)
    assert last.hash == whole.hash
    assert history_bytes(last) == history_bytes(whole)
    assert last.finished


def test_that_resuming_a_finished_training_returns_it() -> None:
    case = CASES[0]
    whole = finished(case)
    again = list(checkpoints(data(), case.method, case.params, seed=3, resume=whole.resume))
    assert [checkpoint.step for checkpoint in again] == [whole.n_steps]
    assert again[0].result().hash == whole.hash


def test_that_a_checkpoint_stays_what_it_was_while_training_goes_on() -> None:
    case = CASES[0]
    early: list[tuple[Result, str]] = []
    kept = []
    for checkpoint in checkpoints(data(), case.method, case.params, seed=3, chunk=1000):
        result = checkpoint.result()
        early.append((result, result.hash))
        kept.append(checkpoint)
    for (result, then), checkpoint in zip(early, kept, strict=True):
        late = checkpoint.result()
        assert late.hash == then
        assert history_bytes(late) == history_bytes(result)
        assert late.step == checkpoint.step
    assert len({then for _, then in early}) == len(early)


def test_that_a_wide_table_gives_the_same_bits_however_many_threads_linear_algebra_has() -> None:
    rng = np.random.default_rng(0)
    wide = Matrix.from_array(rng.normal(size=(72, 2000)))
    method = method_named("c-xim")
    params = method.params.from_values({"shape": (5, 5), "n_steps": 100})
    hashes = set()
    for threads in (1, 2):
        with threadpool_limits(threads):
            hashes.add(train(wide, method, params).hash)
    assert len(hashes) == 1


def test_that_a_training_cannot_be_resumed_on_a_larger_map() -> None:
    method = method_named("c-xim")
    small = method.params.from_values({"shape": (3, 3), "n_steps": 200})
    begun = next(checkpoints(data(), method, small, chunk=100)).result()
    with pytest.raises(UserError):
        train(data(), method, small.replace(shape=(6, 6)), resume=begun.resume)


ON_A_SMALLER_MAP = """
import numpy as np
from ximstudio.model import Matrix, UserError
from ximstudio.train import checkpoints, method_named, train

method = method_named("c-xim")
matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(60, 40)))
large = method.params.from_values({"shape": (40, 40), "n_steps": 200})
begun = next(checkpoints(matrix, method, large, chunk=50)).result()
for _ in range(20):
    try:
        train(matrix, method, large.replace(shape=(2, 2)), resume=begun.resume)
    except UserError:
        raise SystemExit(0)
raise SystemExit("trained on")
"""


def test_that_a_training_cannot_be_resumed_on_a_smaller_map() -> None:
    """In a process of its own: a kernel that trusts the sizes writes beyond its arrays."""
    done = subprocess.run(
        [sys.executable, "-c", ON_A_SMALLER_MAP], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_that_a_training_cannot_be_resumed_on_other_features() -> None:
    method = method_named("c-xim")
    params = method.params.from_values({"shape": (3, 3), "n_steps": 200})
    begun = next(checkpoints(data(), method, params, chunk=100)).result()
    wider = Matrix.from_array(np.hstack([data().values, data().values]))
    with pytest.raises(UserError):
        train(wider, method, params, resume=begun.resume)


def test_that_a_training_cannot_be_resumed_with_another_number_of_steps() -> None:
    method = method_named("c-xim")
    params = method.params.from_values({"shape": (3, 3), "n_steps": 200})
    begun = next(checkpoints(data(), method, params, chunk=100)).result()
    with pytest.raises(UserError):
        train(data(), method, params.replace(n_steps=50), resume=begun.resume)


def test_that_a_seed_that_is_no_seed_is_refused_with_a_key() -> None:
    with pytest.raises(UserError):
        train(data(), CASES[0].method, CASES[0].params, seed=-1)


# The order of items -------------------------------------------------------------------------------


@given(
    n_items=st.integers(2, 5000),
    seed=st.integers(0, 2**31),
    cuts=st.lists(st.integers(0, 12_000), max_size=6),
)
def test_that_the_order_of_items_does_not_depend_on_how_it_is_asked_for(
    n_items: int, seed: int, cuts: list[int]
) -> None:
    def asked(edges: list[int]) -> list[int]:
        order, found = ItemOrder(n_items, seed), list[int]()
        for begin, end in pairwise(edges):
            step = begin
            while step < end:
                piece = order.of_steps(step, end)
                assert 0 < len(piece) <= end - step
                found += piece.tolist()
                step += len(piece)
        return found

    whole = asked([0, 12_000])
    assert asked(sorted({0, 12_000, *cuts})) == whole
    for begin in range(0, 12_000 - n_items, n_items):
        assert sorted(whole[begin : begin + n_items]) == list(range(n_items))


def test_that_every_round_is_shuffled_anew() -> None:
    order = ItemOrder(10, 0)
    rounds = {tuple(order.of_steps(10 * number, 10 * number + 10)) for number in range(50)}
    assert len(rounds) == 50
    later = ItemOrder(10, 0).of_steps(order.rounds * 10, order.rounds * 10 + 10)
    assert tuple(later) not in rounds
    assert order.rounds == BLOCK // 10
