"""Contract of every entry of CHECKS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from tests.doctor.tables import DEFECTS, GENES, as_sparse, changed, counts, logs, named, table
from ximstudio.doctor import (
    CHECKS,
    Check,
    Finding,
    RepairPhase,
    TableEvidence,
    examine,
    measured_numbers,
    settled,
)
from ximstudio.doctor.missing_codes import LIMITS
from ximstudio.doctor.proteins import ZEROS
from ximstudio.doctor.sequence import treated
from ximstudio.doctor.shape import SCALED_MATRIX
from ximstudio.load import Choices, Guess, Reading
from ximstudio.model.table import FEATURES, ITEMS, Table
from ximstudio.prepare.input import Input

every_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.key)
every_defect = pytest.mark.parametrize(
    ("check", "defect"),
    [(check, number) for check in CHECKS for number in range(len(DEFECTS[check.key]()))],
    ids=lambda value: value.key if isinstance(value, Check) else str(value),
)


def defective(check: Check, number: int) -> Table:
    return DEFECTS[check.key]()[number]


def reading_of(start: Table, choices: Mapping[str, Any]) -> Reading:
    """How a file was understood that holds limits, quantities, or several matrices."""
    chosen = "censored" in choices
    limits = Guess(key="censored", label="Limits", value="missing", reason="So.", sure=chosen)
    quantity = Guess(key="features", label="Quantity", value="iBAQ *", shown="iBAQ", reason="So.")
    matrices = {"X": "X", "raw": "raw"}
    part = Guess(key="part", label="Matrix", value="X", reason="So.", options=matrices)
    return Reading(table=start, format="h5ad", guesses=(limits, quantity, part))


def found_in(check: Check, start: Table, **choices: Any) -> tuple[Finding, ...]:
    """What is found in a table that was read by some choices."""
    of_file = check in (LIMITS, ZEROS, SCALED_MATRIX)
    return examine(
        start,
        reading=reading_of(start, choices) if of_file else None,
        settled=settled(Input(name="table.h5ad", choices=Choices(**choices))),
        measured=measured_numbers(Choices(**choices)),
    )


def of(check: Check, start: Table) -> list[Finding]:
    return [finding for finding in found_in(check, start) if finding.key == check.key]


def test_that_keys_and_names_are_unique_and_every_check_has_a_defect() -> None:
    assert len({check.key for check in CHECKS}) == len(CHECKS)
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    assert set(DEFECTS) == {check.key for check in CHECKS}


@every_check
def test_that_every_check_says_what_it_is_about(check: Check) -> None:
    for text in (check.name, check.about):
        assert text.strip() == text != ""
    assert check.about.endswith(".")


@pytest.mark.parametrize("seed", range(8))
def test_that_nothing_is_found_where_nothing_is_wrong(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(10, 300)), int(rng.integers(6, 60))
    genes = tuple(f"ENSG{number:011}" for number in range(shape[0]))
    for values in (
        logs(*shape, seed=seed),
        rng.normal(size=shape),
        rng.standard_t(3, size=shape).clip(-12, 12),
        rng.uniform(2, 14, size=shape),
    ):
        assert examine(table(values, items=genes)) == ()


@every_defect
def test_that_a_defect_is_found_with_its_address(check: Check, defect: int) -> None:
    start = defective(check, defect)
    findings = of(check, start)
    assert findings
    assert len({finding.side for finding in findings}) == len(findings)
    for finding in findings:
        assert finding.problem.key == f"doctor.{check.key}"
        assert all((finding.what, finding.where, finding.way_out))
        assert start.source in finding.where
        for address in finding.addresses:
            assert address.item is None or 0 <= address.item < start.n_items
            assert address.feature is None or 0 <= address.feature < start.n_features
            if finding.side == ITEMS:
                assert address.feature is None
            if finding.side == FEATURES:
                assert address.item is None


@every_defect
def test_that_every_repair_settles_what_was_found(check: Check, defect: int) -> None:
    start = defective(check, defect)
    for finding in of(check, start):
        for repair in finding.repairs:
            after = treated(start, repair)
            left = {(one.key, one.side) for one in found_in(check, after, **repair.choices)}
            assert ((finding.key, finding.side) in left) != repair.settles, repair.label
            if not repair.settles:
                np.testing.assert_array_equal(after.dense, start.dense)


@every_defect
def test_that_the_table_is_left_as_it_is(check: Check, defect: int) -> None:
    start = defective(check, defect)
    before = start.dense.copy()
    list(check.look(TableEvidence(start)))
    np.testing.assert_array_equal(start.dense, before)


@every_check
def test_that_tiny_and_empty_tables_are_examined(check: Check) -> None:
    for shape in ((0, 0), (0, 3), (3, 0), (1, 1), (1, 5), (5, 1), (2, 2)):
        for value in (1.0, np.nan, np.inf):
            values = np.full(shape, value)
            start = table(
                values,
                items=[f"g{number}" for number in range(shape[0])],
                features=[f"s{number}" for number in range(shape[1])],
            )
            for each in (start, as_sparse(start)):
                list(check.look(TableEvidence(each)))


@every_check
def test_that_sparse_tables_are_never_written_out(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = sparse.csr_array.toarray
    tables = [as_sparse(each) for each in DEFECTS[check.key]()] + [as_sparse(table(counts()))]

    def one_line_at_most(self: Any, *args: Any, **kwargs: Any) -> Any:
        assert min(self.shape) <= 1, "a sparse table was written out"
        return whole(self, *args, **kwargs)

    for kind in (sparse.csr_array, sparse.csc_array, sparse.coo_array):
        monkeypatch.setattr(kind, "toarray", one_line_at_most)
        monkeypatch.setattr(kind, "todense", one_line_at_most)
    for each in tables:
        list(check.look(TableEvidence(each)))


def test_that_checks_and_findings_come_in_the_order_of_repair() -> None:
    phases = [check.phase for check in CHECKS]
    assert phases == sorted(phases)
    assert set(phases) == set(RepairPhase)
    keys = [check.key for check in CHECKS]
    start = changed((3, 3), np.inf, named(ITEMS, {5: GENES[1], 59: "N_unmapped"}, table(counts())))
    found = [finding.key for finding in examine(start)]
    assert found == ["infinite", "repeated_names", "summaries", "unlogged"]
    assert found == sorted(found, key=keys.index)


def test_that_the_report_may_end_the_examination() -> None:
    class Enough(Exception):
        pass

    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise Enough

    with pytest.raises(Enough):
        examine(table(), stop)
