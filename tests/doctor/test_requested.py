"""Repairs asked for by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ximstudio.doctor import examine
from ximstudio.doctor.requested import RequestedRepair, ResolvedInput, fulfilled
from ximstudio.load import Reading
from ximstudio.load.text.notation import without_codes
from ximstudio.model import UserError
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.input import Input, Labelled
from ximstudio.prepare.recipe import Planned, planned


def table() -> Table:
    values = np.random.default_rng(0).normal(size=(30, 12))
    values[3, 4] = np.inf
    names = [f"gene {number}" for number in range(30)]
    names[7] = names[8]
    return Table(
        values=values,
        items=Axis(names=tuple(names)),
        features=Axis(names=tuple(f"condition {number}" for number in range(12))),
    )


def carried_out(one: Table, *steps: Planned | RequestedRepair) -> ResolvedInput:
    """The steps and wishes for a table that stands for a file."""
    reading = Reading(table=one, format="text")

    def read(wanted: Input) -> Labelled:
        again = without_codes(reading, wanted.choices)
        return Labelled(reading=again, table=again.table)

    wanted = Input(name="file")
    return fulfilled(wanted, steps, read(wanted), read)


def keys(one: Table) -> set[str]:
    return {finding.key for finding in examine(one)}


def test_that_a_wish_becomes_the_recommended_repair_and_settles_the_finding() -> None:
    troubled = {"infinite", "repeated_names"}
    assert troubled <= keys(table())
    recipe = carried_out(
        table(), RequestedRepair(key="infinite"), RequestedRepair(key="repeated_names")
    ).input.recipe
    assert [each.step.key for each in recipe.steps] == ["infinite", "repeated"]
    assert not troubled & keys(recipe.prepare(table()).table)


def test_that_what_the_steps_before_have_settled_is_not_repaired_again_and_told() -> None:
    found = carried_out(table(), planned("infinite"), RequestedRepair(key="infinite"))
    assert [each.step.key for each in found.input.recipe.steps] == ["infinite"]
    assert [note.key for note in found.notes] == ["doctor.settled"]


def test_that_another_repair_can_be_chosen_by_its_number() -> None:
    (finding,) = [one for one in examine(table()) if one.key == "repeated_names"]
    recipe = carried_out(table(), RequestedRepair.of("repeated_names:2")).input.recipe
    assert recipe.steps == finding.repairs[1].steps


def test_that_a_side_can_be_chosen() -> None:
    both = replace(table(), features=Axis(names=("x", "x", *map(str, range(10)))))
    for side, other in (("items", "features"), ("features", "items")):
        recipe = carried_out(both, RequestedRepair.of(f"repeated_names.{side}")).input.recipe
        left = {each.side for each in examine(recipe.prepare(both).table) if each.repairs}
        assert other in left
        assert side not in left
    recipe = carried_out(both, RequestedRepair.of("repeated_names")).input.recipe
    assert "repeated_names" not in keys(recipe.prepare(both).table)


def test_that_a_wish_may_read_the_file_in_another_way() -> None:
    values = np.abs(table().dense) + 1
    values[3, 4] = values[5, 6] = -9999.0
    one = table().with_values(values)
    found = carried_out(
        one, RequestedRepair(key="repeated_names"), RequestedRepair(key="missing_codes")
    )
    assert found.input.choices.missing == ("-9999",)
    assert np.argwhere(np.isnan(found.labelled.table.dense)).tolist() == [[3, 4], [5, 6]]
    assert [each.step.key for each in found.input.recipe.steps] == ["repeated"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("repeated_names:0", "doctor.wish"),
        ("repeated_names:x", "doctor.wish"),
        ("repeated_names.rows", "doctor.wish"),
        ("repeated_names:99", "doctor.no_such_repair"),
        ("repetaed_names", "doctor.nothing_to_repair"),
    ],
)
def test_that_wishes_that_mean_nothing_are_refused(text: str, key: str) -> None:
    with pytest.raises(UserError) as caught:
        carried_out(table(), RequestedRepair.of(text))
    assert caught.value.keys == (key,)


@pytest.mark.parametrize("text", ["blanks", "blanks:2", "constant.items", "constant.features:3"])
def test_that_a_wish_is_written_as_it_is_read(text: str) -> None:
    assert str(RequestedRepair.of(text)) == text
