"""Equality of maps, exact or up to rounding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.reproduce.conftest import made
from ximstudio.model.made_with import MadeWith
from ximstudio.reproduce.making import Made
from ximstudio.reproduce.receipt import receipt_of, records_in
from ximstudio.reproduce.ticks import AS_GOOD, ROUNDING, Verdict, data_tick, map_ticks
from ximstudio.train.record import MapRecord, made_here


@pytest.fixture(scope="module")
def known(table: Path) -> tuple[MapRecord, Made]:
    run = made(table, "c-xim", toroidal=True)
    receipt = receipt_of([run])
    record = records_in(receipt, "here")["run_1"]
    return record, Made(result=run.result, matrix=run.matrix)


HERE = made_here("c-xim")
ELSEWHERE = replace(HERE, platform={**HERE.platform, "processor": "another"})


def moved(made: Made, by: float) -> Made:
    """The map with every item moved along its longer side, and so with other bits."""
    positions = made.result.positions.copy()
    positions[:, 0] += by * np.ptp(positions, axis=0).max()
    return replace(made, result=replace(made.result, positions=positions))


def verdicts(record: MapRecord, made: Made, there: MadeWith) -> Mapping[str, Verdict]:
    recorded = replace(record, made_with=there)
    return {tick.what: tick.verdict for tick in map_ticks("run", recorded, made)}


def test_that_the_same_bits_are_the_same_anywhere(known: tuple[MapRecord, Made]) -> None:
    record, same = known
    for here in (HERE, ELSEWHERE):
        assert set(verdicts(record, same, here).values()) == {Verdict.SAME}


def test_that_on_the_same_platform_other_bits_are_another_map(
    known: tuple[MapRecord, Made],
) -> None:
    record, same = known
    assert verdicts(record, moved(same, ROUNDING / 10), HERE)["map"] is Verdict.DIFFERENT


def test_that_elsewhere_places_may_differ_by_rounding(known: tuple[MapRecord, Made]) -> None:
    record, same = known
    assert verdicts(record, moved(same, ROUNDING / 10), ELSEWHERE)["map"] is Verdict.ROUNDED


def test_that_a_place_beyond_the_seam_is_near(known: tuple[MapRecord, Made]) -> None:
    record, same = known
    period = same.result.periods[0]
    around = replace(same.result, positions=same.result.positions + np.array([period, 0.0]))
    found = verdicts(record, replace(same, result=around), ELSEWHERE)
    assert found["map"] is Verdict.ROUNDED


def test_that_elsewhere_another_map_must_be_as_good(known: tuple[MapRecord, Made]) -> None:
    record, same = known
    far = moved(same, 0.2)
    near = {key: value + 0.9 * AS_GOOD[key] for key, value in record.measures.items()}
    off = {**near, "continuity": record.measures["continuity"] + 1.1 * AS_GOOD["continuity"]}
    found = verdicts(replace(record, measures=near), far, ELSEWHERE)
    assert set(found.values()) == {Verdict.AS_GOOD}
    found = verdicts(replace(record, measures=off), far, ELSEWHERE)
    assert found["map"] is found["continuity"] is Verdict.DIFFERENT
    assert verdicts(replace(record, measures={}), far, ELSEWHERE)["map"] is Verdict.UNKNOWN
    assert not Verdict.UNKNOWN.holds


@pytest.mark.parametrize("name", ["numpy", "ximstudio", "processor", "system"])
def test_that_what_bits_depend_on_is_compared(name: str) -> None:
    values = HERE.as_values()
    [group] = [key for key, part in values.items() if name in part]
    other = MadeWith.from_record({**values, group: {**values[group], name: "another"}})
    rest = {key: each for key, each in values[group].items() if key != name}
    silent = MadeWith.from_record({**values, group: rest})
    assert HERE.differences(other) == [f"{name} another"]
    assert HERE.differences(silent) == [f"{name} unknown"]


def test_that_packages_of_other_methods_do_not_count() -> None:
    assert made_here("pca").differences(made_here("pca", "t-sne")) == []
    assert made_here("t-sne").differences(made_here("pca")) != []


def test_that_data_prepared_elsewhere_may_differ_by_rounding(known: tuple[MapRecord, Made]) -> None:
    record, same = known
    values = np.nextafter(same.matrix.values, np.inf)
    rounded = same.matrix.with_values(values)
    changed = same.matrix.with_values(values + 1e-6 * np.eye(*values.shape))
    there = replace(record, made_with=ELSEWHERE)
    assert data_tick("run", record, rounded).verdict is Verdict.DIFFERENT
    assert data_tick("run", there, rounded).verdict is Verdict.ROUNDED
    assert data_tick("run", there, changed).verdict is Verdict.DIFFERENT
    assert data_tick("run", there, same.matrix).verdict is Verdict.SAME
    # Records of the first edition have a fingerprint only, and the map decides.
    old = replace(there, data=replace(record.data, names="", sums=()))
    assert data_tick("run", old, rounded).verdict is Verdict.ROUNDED
    assert "cannot be compared" in data_tick("run", old, rounded).text
