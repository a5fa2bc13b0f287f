"""A message's hint leads to a right table: over every troublesome file that the cases describe."""

from __future__ import annotations

import importlib
import pkgutil
import shlex
from collections import Counter
from pathlib import Path

import pytest

from tests.contract import troublesome
from tests.contract.troublesome.case import Case
from tests.contract.troublesome.following import follow
from ximstudio.cli.grammar import parser
from ximstudio.commands.input import TableRequest
from ximstudio.commands.options import hint_options

MOST_REFUSED = 4
"""Files of all that may be refused by design."""


def _cases() -> list[Case]:
    """The CASES of every module beside `case`."""
    found: list[Case] = []
    for module in pkgutil.iter_modules(troublesome.__path__):
        beside = importlib.import_module(f"{troublesome.__name__}.{module.name}")
        found += getattr(beside, "CASES", ())
    return found


CASES = _cases()


def test_that_cases_have_names_of_their_own() -> None:
    assert [name for name, times in Counter(case.name for case in CASES).items() if times > 1] == []


def test_that_few_files_are_refused_by_design() -> None:
    assert len([case.name for case in CASES if case.refused]) <= MOST_REFUSED


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_that_hints_lead_to_the_true_table(case: Case, tmp_path: Path) -> None:
    path = tmp_path / case.name
    path.write_bytes(case.content)
    followed = follow(path, case)
    if case.refused:
        # Not silently wrong: nothing opens, and nothing is promised by a hint.
        assert followed.wrong == (f"refused: {(case.refused,)}",)
        return
    assert followed.wrong == ()
    for number in range(len(followed.hints)):
        # What the command line prints means the same when it is pasted.
        pasted = shlex.split(" ".join(map(hint_options, followed.hints[: number + 1])))
        order = TableRequest.of(parser().parse_args(["inspect", str(path), *pasted]))
        assert order.input.choices.as_values().items() >= dict(followed.hints[number]).items()
