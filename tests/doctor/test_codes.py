"""Codes for missing values are distinguished from measurements, at any share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.doctor.tables import as_sparse, changed, chemistry, counts, keys, logs, table
from ximstudio.doctor import examine
from ximstudio.doctor.evidence import TableEvidence
from ximstudio.load import Guess, Reading
from ximstudio.model.arrays import Floats
from ximstudio.model.table import Table

NEGATIVE = (-9999.0, -999.0, -99999.0, -1.0, -9.0, -32768.0)
POSITIVE = (999.0, 9999.0, 99999.0, 888.0)
FILLERS = (1e30, -1e30, 1e308, 3.4028234663852886e38, 9.969209968386869e36)


def codes(start: Table, **known: float) -> set[float]:
    measured = tuple(known.values())
    return {code.value for code in TableEvidence(start, measured=measured).codes}


@pytest.mark.parametrize("share", [0.003, 0.05, 0.4, 0.9])
@pytest.mark.parametrize("code", [*NEGATIVE, *POSITIVE, *FILLERS])
@pytest.mark.parametrize("start", [logs(), 2 ** logs(), counts()], ids=["logs", "linear", "counts"])
def test_that_codes_are_found_at_any_share(start: Floats, code: float, share: float) -> None:
    rng = np.random.default_rng(3)
    where = rng.random(start.shape) < share
    where[:2, :3] = True
    # What is no farther than the values themselves may be one of them.
    if 0 < code < 2 * start.max():
        return
    assert codes(changed((where,), code, table(start))) == {code}
    assert codes(as_sparse(changed((where,), code, table(start)))) == {code}


def test_that_several_codes_are_found_together() -> None:
    start = changed(([1, 2, 3], [1, 2, 3]), -999.0, table())
    start = changed(([5, 6, 7], [1, 2, 3]), -9999.0, start)
    start = changed(([9, 10, 11], [1, 2, 3]), 1e30, start)
    assert codes(start) == {-999.0, -9999.0, 1e30}


def test_that_a_code_may_be_one_in_a_column_and_beyond_reach_in_another() -> None:
    start = changed(([3, 8, 20], [1, 1, 2]), 99.0, chemistry())
    # Magnesium goes up to 99 and beyond.
    assert codes(start) == {99.0}
    assert codes(changed((5, 3), 99.0, start)) == set()


@pytest.mark.parametrize("seed", range(12))
def test_that_values_are_no_codes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (300, 12)
    levels = rng.gamma(0.5, 300.0, size=(300, 1))
    for values in (
        rng.poisson(levels, shape),
        rng.negative_binomial(2, 0.002, shape),
        rng.normal(size=shape).round(1),
        rng.normal(size=shape).round(0),
        np.exp(rng.normal(5, 2, shape)).round(0),
        np.exp(rng.normal(5, 2, shape)).round(0) - 50,
        rng.integers(0, 1000, shape),
        rng.integers(0, 3, shape),
        rng.integers(-1, 2, shape),
        rng.integers(-2, 3, shape),
        np.clip(np.exp(rng.normal(9, 2, shape)), 0, 65535).round(0),
        np.corrcoef(rng.normal(size=(12, 50))),
        rng.uniform(-1, 1, shape).round(2),
    ):
        cells = np.asarray(values, np.float64)
        names = [f"ENSG{number:011}" for number in range(len(cells))]
        assert codes(table(cells, items=names)) == set()


def test_that_calls_of_gains_and_losses_are_no_codes_and_rare_ones_of_genotypes_are() -> None:
    rng = np.random.default_rng(0)
    calls = rng.choice([-1.0, 0.0, 1.0, 2.0], p=[0.2, 0.5, 0.2, 0.1], size=(100, 20))
    assert codes(table(calls)) == set()
    genotypes = rng.choice([-1.0, 0.0, 1.0, 2.0], p=[0.02, 0.4, 0.4, 0.18], size=(100, 20))
    (code,) = TableEvidence(table(genotypes)).codes
    assert (code.value, code.sure) == (-1.0, False)


def test_that_numbers_known_to_be_measured_are_no_codes() -> None:
    start = changed(([1, 2, 3], [1, 2, 3]), -1.0, table())
    assert codes(start) == {-1.0}
    assert codes(start, minus_one=-1.0) == set()


def test_that_codes_are_told_before_and_left_out_of_what_is_said_of_logarithms() -> None:
    start = changed((slice(0, 25), slice(0, 6)), -9999.0, table())
    assert [key for key, _ in keys(start)] == ["missing_codes", "blanks"]
    linear = changed((slice(0, 25), slice(0, 6)), -9999.0, table(2 ** logs()))
    findings = {finding.key: finding for finding in examine(linear)}
    assert list(findings) == ["missing_codes", "unlogged", "blanks"]
    # Not the one for values below 0, and read as missing before.
    (log,) = findings["unlogged"].repairs
    assert [each.step.key for each in log.steps] == ["log2"]
    assert log.choices == {"missing": ("-9999",)}


def test_that_the_spellings_that_are_missing_already_stay_missing() -> None:
    start = changed(([1, 2, 3], [1, 2, 3]), -9999.0, table())
    guess = Guess(key="missing", label="Missing values", value="NA,n.d.", reason="So.")
    reading = Reading(table=start, format="text", guesses=(guess,))
    finding = examine(start, reading=reading)[0]
    assert finding.repairs[0].choices == {"missing": ("NA", "n.d.", "-9999")}
    assert finding.repairs[1].choices == {"measured": ("-9999",)}


def test_that_only_what_stands_in_the_file_is_read_as_missing() -> None:
    start = changed(([1, 2, 3], [1, 2, 3]), -1.0, table())
    reading = Reading(table=table(), format="text")
    assert TableEvidence(start, reading=reading).codes == ()


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from((*NEGATIVE, *FILLERS)))
def test_that_a_single_code_far_below_is_found_wherever_it_stands(seed: int, code: float) -> None:
    rng = np.random.default_rng(seed)
    place = int(rng.integers(60)), int(rng.integers(12))
    assert codes(changed(place, code, table(logs(seed=seed)))) == {code}


@pytest.mark.parametrize("code", [-77.0, -1000.0, 1e20, -5.0])
@pytest.mark.parametrize("start", [logs(), counts()], ids=["logs", "counts"])
def test_that_any_number_that_stands_alone_again_and_again_is_a_code_to_look_at(
    start: Floats, code: float
) -> None:
    spread = changed(([1, 20, 40], [2, 5, 9]), code, table(start))
    (found,) = TableEvidence(spread).codes
    assert (found.value, found.sure) == (code, False)
    # All in one row it is a tally, and once it may be a slip.
    if code not in (-5.0, -77.0):
        return
    assert codes(changed((1, [2, 5, 9]), code, table(start))) == set()
    assert codes(changed((1, 2), code, table(start))) == set()


@pytest.mark.parametrize(("base", "offset"), [(2.0, 0.5), (10.0, 0.1), (2.0, 0.25)])
def test_that_the_logarithm_of_no_counts_is_no_code(base: float, offset: float) -> None:
    rng = np.random.default_rng(0)
    few = rng.poisson(rng.gamma(0.5, 20.0, size=(60, 1)), (60, 12))
    logarithms = (np.log(few + offset) / np.log(base)).round(4)
    assert logarithms.min() == round(np.log(offset) / np.log(base), 4)
    assert codes(table(logarithms)) == set()


@pytest.mark.parametrize("classes", [(-1, 1), (-1, 0, 1)])
def test_that_classes_among_genes_are_no_codes(classes: tuple[int, ...]) -> None:
    start = table().dense.copy()
    start[30] = np.resize(classes, start.shape[1])
    assert codes(table(start)) == set()
    assert codes(table(start).transposed) == set()


def test_that_counts_with_a_few_codes_are_brought_to_the_same_sum_and_with_many_are_not() -> None:
    rng = np.random.default_rng(3)
    for share, steps in ((0.02, ["library_size", "log2"]), (0.4, ["log2"])):
        start = changed((rng.random(counts().shape) < share,), -9999.0, table(counts()))
        finding = next(found for found in examine(start) if found.key == "unlogged")
        assert [each.step.key for each in finding.repairs[0].steps] == steps


def test_that_nobody_removes_most_of_a_table_without_a_look() -> None:
    start = table().dense.copy()
    start[:10, :7] = np.nan
    (few,) = [found for found in examine(table(start)) if found.key == "mostly_blank"]
    start[:40, :7] = np.nan
    many = [found for found in examine(table(start)) if found.key == "mostly_blank"]
    assert few.sure
    assert not any(found.sure for found in many)
