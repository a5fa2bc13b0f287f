"""Equality of maps, exact or up to rounding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.reproduce.conftest import made
from ximstudio.reproduce.making import Made
from ximstudio.reproduce.receipt import receipt_of
from ximstudio.reproduce.records import Record, Surroundings
from ximstudio.reproduce.ticks import AS_GOOD, ROUNDING, Verdict, map_ticks


@pytest.fixture(scope="module")
def known(table: Path) -> tuple[Record, Made]:
    run = made(table, "c-xim", toroidal=True)
    receipt = receipt_of([run])
    record = Record.from_values(receipt["runs"]["run_1"], where="here", common=receipt)
    return record, Made(result=run.result, matrix=run.matrix)


HERE = Surroundings.here("c-xim")
ELSEWHERE = Surroundings(values={**HERE.values, "processor": "another"})


def moved(made: Made, by: float) -> Made:
    """The map with every item moved along its longer side, and so with other bits."""
    positions = made.result.positions.copy()
    positions[:, 0] += by * np.ptp(positions, axis=0).max()
    return replace(made, result=replace(made.result, positions=positions))


def verdicts(record: Record, made: Made, here: Surroundings) -> Mapping[str, Verdict]:
    return {tick.what: tick.verdict for tick in map_ticks("run", record, made, here)}


def test_that_the_same_bits_are_the_same_anywhere(known: tuple[Record, Made]) -> None:
    record, same = known
    for here in (HERE, ELSEWHERE):
        assert set(verdicts(record, same, here).values()) == {Verdict.SAME}


def test_that_on_the_same_platform_other_bits_are_another_map(known: tuple[Record, Made]) -> None:
    record, same = known
    assert verdicts(record, moved(same, ROUNDING / 10), HERE)["map"] is Verdict.DIFFERENT


def test_that_elsewhere_places_may_differ_by_rounding(known: tuple[Record, Made]) -> None:
    record, same = known
    assert verdicts(record, moved(same, ROUNDING / 10), ELSEWHERE)["map"] is Verdict.ROUNDED


def test_that_a_place_beyond_the_seam_is_near(known: tuple[Record, Made]) -> None:
    record, same = known
    period = same.result.periods[0]
    around = replace(same.result, positions=same.result.positions + np.array([period, 0.0]))
    found = verdicts(record, replace(same, result=around), ELSEWHERE)
    assert found["map"] is Verdict.ROUNDED


def test_that_elsewhere_another_map_must_be_as_good(known: tuple[Record, Made]) -> None:
    record, same = known
    far = moved(same, 0.2)
    near = {key: value + 0.9 * AS_GOOD[key] for key, value in record.measures.items()}
    off = {**near, "continuity": record.measures["continuity"] + 1.1 * AS_GOOD["continuity"]}
    found = verdicts(replace(record, measures=near), far, ELSEWHERE)
    assert set(found.values()) == {Verdict.AS_GOOD}
    found = verdicts(replace(record, measures=off), far, ELSEWHERE)
    assert found["map"] is found["continuity"] is Verdict.DIFFERENT
    assert verdicts(replace(record, measures={}), far, ELSEWHERE)["map"] is Verdict.DIFFERENT


@pytest.mark.parametrize("name", ["numpy", "ximstudio", "processor", "system"])
def test_that_what_bits_depend_on_is_compared(name: str) -> None:
    other = Surroundings(values={**HERE.values, name: "another"})
    silent = Surroundings(values={key: each for key, each in HERE.values.items() if key != name})
    assert HERE.unlike(other) == [f"{name} another"]
    assert HERE.unlike(silent) == [f"{name} unknown"]


def test_that_packages_of_other_methods_do_not_count() -> None:
    assert Surroundings.here("pca").unlike(Surroundings.here("pca", "t-sne")) == []
    assert Surroundings.here("t-sne").unlike(Surroundings.here("pca")) != []
