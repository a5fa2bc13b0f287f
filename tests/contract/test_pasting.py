"""The output of `inspect` can be pasted into any shell, and does no harm."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.contract.test_troublesome import CASES
from tests.contract.troublesome.case import Case
from tests.doctor.tables import DEFECTS, counts, logs, named, table
from tests.shells import SHELLS, bash
from ximstudio.cli.grammar import parser
from ximstudio.commands.input import Delivery, TableRequest
from ximstudio.commands.inspect import as_lines
from ximstudio.doctor.sequence import proposals
from ximstudio.model.problem import Severity, UserError
from ximstudio.model.table import ITEMS, Table
from ximstudio.prepare.recipe import planned

pytestmark = pytest.mark.thorough
DATA = Path(__file__).parent.parent / "data"
FILES = sorted(
    path
    for folder in ("text", "excel", "gct", "geo", "h5ad", "pcl", "orange", "cls", "tenx", "arrow")
    for path in (DATA / folder).rglob("*")
    if path.is_file()
)


class _Task:
    """Somebody who watches and says nothing."""

    def report(self, state: Any) -> None:
        """Hear of the state."""


def delivered(path: Path, options: list[str]) -> Delivery:
    order = TableRequest.of(parser().parse_args(["inspect", str(path), *options]))
    return order.carry_out(_Task())  # type: ignore[arg-type]


def printed(found: Delivery) -> list[str]:
    """Everything that is to be pasted, line by line, without the last line, which has it all."""
    proposed = proposals(found.input, found.opened.labelled, found.opened.prepared.table)
    lines = list(as_lines(found, proposed))
    options = [line.strip() for line in lines if line.strip().startswith("--")]
    if len(options) > 1:
        *options, together = options
        assert together == " ".join(options)
    return options


def pasted(path: Path) -> Delivery:
    """The table after all that is printed about it; hints of refusals are followed first."""
    found = delivered(path, [])
    lines = printed(found)
    for shell in SHELLS.values():
        assert shell(" ".join(lines)) == bash(" ".join(lines))
    again = delivered(path, bash(" ".join(lines)))
    # Each was proposed for the table as it was by then.
    assert again.asked == ()
    return again


def hold(found: Delivery) -> None:
    """What every table keeps after all that was recommended."""
    left = [each for each in found.findings if each.severity is Severity.ERROR and each.repairs]
    assert left == []
    if not any(each.severity is Severity.ERROR for each in found.findings):
        assert found.opened.matrix.values.size
    steps = [each for each in found.input.recipe.steps if each.step.key == "library_size"]
    if steps:
        assert np.ptp(library_sizes(found)) < 1e-6 * library_sizes(found).max()


def library_sizes(found: Delivery) -> np.ndarray:
    """The sums of samples behind log2(x + 1)."""
    values = found.opened.prepared.table
    sums = np.nansum(2.0**values.dense - 1, axis=0 if values.genes == ITEMS else 1)
    return np.asarray(sums)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_that_all_that_is_printed_about_a_file_can_be_pasted(path: Path) -> None:
    try:
        delivered(path, [])
    except UserError:
        # What cannot be read at all is told elsewhere.
        return
    hold(pasted(path))


@pytest.mark.parametrize(
    "case", [case for case in CASES if not case.refused], ids=lambda case: case.name
)
def test_that_all_that_is_printed_about_a_troublesome_file_can_be_pasted(
    case: Case, tmp_path: Path
) -> None:
    path = tmp_path / case.name
    path.write_bytes(case.content)
    try:
        delivered(path, [])
    except UserError:
        return
    hold(pasted(path))


def written(start: Table, path: Path) -> Path:
    """The table as a file, letter by letter."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = [["name", *start.features.names]]
        rows += [
            [name, *("" if np.isnan(value) else f"{value:.10g}" for value in row)]
            for name, row in zip(start.items.names, start.dense, strict=True)
        ]
        for row in rows:
            file.write(",".join('"' + cell.replace('"', '""') + '"' for cell in row) + "\n")
    return path


ODD_NAMES = ("$HOME", "100%", 'a "b"', "x`y", "a;b|c&d", "(e)", "ümläut", "it's", "c:\\d\\", "!e")


def tallied() -> Table:
    """Counts with tallies, a total, a class and a repeated gene, under names that shells expand."""
    values = counts()
    names = dict(enumerate(ODD_NAMES, start=20))
    start = named(ITEMS, {5: "YAL002C", 58: "__no_feature", 59: "N_unmapped", **names})
    values[58:] *= 40
    return table(values, items=start.items.names)


def everything() -> Table:
    """A date, a code, a repeated name, an infinite value, a total and an empty row together."""
    values = logs() ** 4
    values[3, 3], values[4, 4:7], values[9] = np.inf, -9999.0, np.nan
    values[59] = np.nansum(np.where(np.isfinite(values[:59]), values[:59], 0), axis=0)
    start = named(ITEMS, {2: "1-Mar", 5: "YAL007C", 11: "", 59: "Total"})
    return table(values, items=start.items.names)


TABLES: dict[str, Callable[[], Table]] = {
    **{
        f"{key} {number}": lambda key=key, number=number: DEFECTS[key]()[number]  # type: ignore[misc]
        for key in DEFECTS
        for number in range(len(DEFECTS[key]()))
        if key not in {"few", "limits"}
    },
    "tallied": tallied,
    "everything": everything,
}


@pytest.mark.parametrize("name", TABLES)
def test_that_all_that_is_printed_about_a_defect_can_be_pasted(name: str, tmp_path: Path) -> None:
    path = written(TABLES[name](), tmp_path / "table.csv")
    try:
        delivered(path, [])
    except UserError:
        return
    hold(pasted(path))


def test_that_tallies_go_before_library_sizes_are_made_equal(tmp_path: Path) -> None:
    path = written(tallied(), tmp_path / "table.csv")
    assert printed(delivered(path, [])) == [
        "--repair repeated_names",
        "--repair summaries",
        "--repair unlogged",
    ]
    found = pasted(path)
    assert not {"__no_feature", "N_unmapped"} & set(found.opened.prepared.table.items.names)
    assert np.ptp(library_sizes(found)) < 1e-6
    # Whoever asks for the last alone gets what it relies on.
    alone = delivered(path, ["--repair", "unlogged"])
    assert [each.step.key for each in alone.input.recipe.steps] == ["drop", "library_size", "log2"]
    assert np.ptp(library_sizes(alone)) < 1e-6


def test_that_everything_at_once_is_repaired_in_the_order_of_dependence(tmp_path: Path) -> None:
    path = written(everything(), tmp_path / "table.csv")
    lines = printed(delivered(path, []))
    assert lines[0] == "--read missing=-9999"
    keys = [re.sub(r"--repair (\w+).*", r"\1", line) for line in lines[1:]]
    assert keys == ["infinite", "excel_dates", "repeated_names", "summaries", "empty", "unlogged"]
    hold(pasted(path))


def test_that_asking_twice_or_for_more_does_no_harm(tmp_path: Path) -> None:
    path = written(tallied(), tmp_path / "table.csv")
    once = bash(" ".join(printed(delivered(path, []))))
    twice = delivered(path, [*once, *once, "--repair", "repeated_names:2"])
    assert twice.input.recipe == delivered(path, once).input.recipe
    assert {note.key for note in twice.asked} == {"doctor.settled"}


def test_that_names_are_not_made_alike_by_taking_versions_off(tmp_path: Path) -> None:
    names = [f"ENSG{number // 2:011}.{number % 2 + 1}" for number in range(60)]
    path = written(table(logs(), items=names), tmp_path / "table.csv")
    assert printed(delivered(path, [])) == []
    assert [finding.key for finding in delivered(path, []).findings] == ["versions"]


def test_that_steps_spelt_out_before_are_taken_into_account(tmp_path: Path) -> None:
    path = written(table(counts()), tmp_path / "table.csv")
    assert printed(delivered(path, [])) == ["--repair unlogged"]
    assert printed(delivered(path, ["--step", "log2"])) == []
    assert delivered(path, ["--step", "log2"]).input.recipe.steps == (planned("log2"),)


def test_that_what_is_said_to_be_measured_is_no_gap_after_all_repairs(tmp_path: Path) -> None:
    values = logs()
    values[7], values[30:33, 4] = np.resize([-9999.0, -999.0], values.shape[1]), -9999.0
    path = written(table(values), tmp_path / "table.csv")
    assert "--repair empty" in printed(delivered(path, []))
    found = delivered(path, ["--read", "measured=-9999,-999"])
    proposed = proposals(found.input, found.opened.labelled, found.opened.prepared.table)
    assert "empty" not in {each.finding.key for each in proposed}
