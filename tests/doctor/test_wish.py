"""Repairs asked for by name."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.doctor import examine
from ximstudio.doctor.wish import Wish, fulfilled
from ximstudio.model import UserError
from ximstudio.model.table import Axis, Table
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


def keys(one: Table) -> set[str]:
    return {finding.key for finding in examine(one)}


def test_that_a_wish_becomes_the_recommended_repair_and_settles_the_finding() -> None:
    troubled = {"infinite", "repeated_names"}
    assert troubled <= keys(table())
    recipe = fulfilled([Wish(key="infinite"), Wish(key="repeated_names")], table())
    assert [each.step.key for each in recipe.steps] == ["infinite", "repeated"]
    assert not troubled & keys(recipe.prepare(table()).table)


def test_that_the_doctor_looks_at_what_the_steps_before_have_left() -> None:
    steps: list[Planned | Wish] = [planned("infinite"), Wish(key="infinite")]
    with pytest.raises(UserError) as caught:
        fulfilled(steps, table())
    assert caught.value.keys == ("doctor.nothing_to_repair",)


def test_that_another_repair_can_be_chosen_by_its_number() -> None:
    (finding,) = [one for one in examine(table()) if one.key == "repeated_names"]
    recipe = fulfilled([Wish.of("repeated_names:2")], table())
    assert recipe.steps == finding.repairs[1].steps


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("repeated_names:0", "doctor.wish"),
        ("repeated_names:x", "doctor.wish"),
        ("repeated_names:99", "doctor.no_such_repair"),
        ("repetaed_names", "doctor.nothing_to_repair"),
    ],
)
def test_that_wishes_that_mean_nothing_are_refused(text: str, key: str) -> None:
    with pytest.raises(UserError) as caught:
        fulfilled([Wish.of(text)], table())
    assert caught.value.keys == (key,)
