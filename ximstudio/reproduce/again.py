"""Runs made again from their records or from their folders, and compared with what was expected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ximstudio.explore.descended import start_again
from ximstudio.export.places import FILES, named
from ximstudio.load import Report
from ximstudio.load.prototypes import load_prototypes
from ximstudio.load.samples import PREFIX
from ximstudio.measure.catalogue import measure_named
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.params import Params
from ximstudio.model.parent import CONTINUED_AGAIN, CONTINUED_ALONE, PART
from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Input, Opened
from ximstudio.reproduce import making
from ximstudio.reproduce.making import Made, Making
from ximstudio.reproduce.records import STARTED, Record, Surroundings, damaged
from ximstudio.reproduce.ticks import AS_GOOD, Tick, Verdict, data_tick, map_ticks
from ximstudio.train.finished import Finished, began_with, open_run
from ximstudio.train.params import MapParams

Doing = Callable[[str, float], None]
"""Told what is being done and how much of it is done, from 0 to 1; it may raise to end it."""


def nothing_told(what: str, fraction: float) -> None:
    """For work that nobody watches."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One run made again: its ticks under its name, and a line that says what it is."""

    name: str
    about: str
    ticks: tuple[Tick, ...]


def verify_records(
    receipt: Mapping[str, Any],
    *,
    where: str,
    folder: Path,
    data: str | None = None,
    tell: Doing = nothing_told,
) -> Iterator[Compared]:
    """Make the runs of a receipt again, one after the other, and compare them.

    Parameters
    ----------
    receipt
        {"runs": {name: record}} with records as run.json has them, or a script's receipt: anything
        that carries records can be verified so. Versions and platform may stand beside the runs.
        A run that descends from another names it, {"parent": {"run": name, …}}, and comes later.
    where
        What the receipt was read from, for messages.
    folder
        Where files are looked for that are no longer where they were.
    data
        The table of the runs, if it is elsewhere.
    """
    made: dict[str, Made] = {}
    refused: set[str] = set()
    tables: dict[Input, Opened] = {}
    others = _others_than(data, receipt)
    for name, values in receipt["runs"].items():
        record = Record.from_values(values, where=f"{where}, {name}", common=receipt)
        if record.origin is not None and record.origin.run in refused:
            text = f"data: {record.origin.run}, from which it descends, was not made"
            tick = Tick(run=name, what="data", verdict=Verdict.DIFFERENT, text=text)
            yield Compared(name=name, about=_about(record), ticks=(tick,))
            refused.add(name)
            continue
        given = _there(record.input, folder, None if record.input.name in others else data)
        here = Surroundings.here(record.method.key)
        start = None if record.start is None else making.beside(record.start, folder)
        params = _files_of(record.params, folder)
        record = replace(record, input=given, params=params, start=start)
        found = _again(name, record, made, tables, where=where, tell=tell)
        if isinstance(found, Tick):
            yield Compared(name=name, about=_about(record), ticks=(found,))
            refused.add(name)
            continue
        made[name] = found
        tell(f"Comparing {name}", 1.0)
        ticks = tuple(run_ticks(name, record, found, here))
        yield Compared(name=name, about=_about(record), ticks=ticks)


def run_ticks(name: str, record: Record, made: Made, here: Surroundings) -> Iterator[Tick]:
    """All ticks of a run; of another table nothing but that it is another one."""
    of_data = data_tick(name, record, made.matrix)
    yield of_data
    if of_data.verdict.holds:
        yield from map_ticks(name, record, made, here)


def _about(record: Record) -> str:
    return f"{record.method.name}, seed {record.seed}"


def _again(
    name: str,
    record: Record,
    made: Mapping[str, Made],
    tables: dict[Input, Opened],
    *,
    where: str,
    tell: Doing,
) -> Made | Tick:
    """One run of a receipt, made again; of another table only that it is another one."""
    values = record.params.as_values()
    how: dict[str, Any] = {"seed": record.seed, "stop_after": record.stop_after, **values}

    def report(fraction: float) -> None:
        tell(f"Training {name}", fraction)

    def table() -> Opened:
        if record.input not in tables:
            _require(record.input)
            tables[record.input] = record.input.open(lambda share: tell("Reading", share))
        return tables[record.input]

    origin = record.origin
    earlier = None if origin is None else made.get(origin.run)
    if origin is not None and earlier is None:
        raise damaged(where, f"{name} descends from '{origin.run}', which does not come before it")
    if origin is None or earlier is None or origin.kind == STARTED:
        opened = table()
        of_data = data_tick(name, record, opened.matrix)
        # Nobody need wait for a map of another table.
        if not of_data.verdict.holds:
            return of_data
        return _of_its_own(record, opened, earlier, report)
    how["folder"] = origin.folder
    if origin.kind == PART:
        return making.part(earlier, origin.item_ids, record.method.key, report=report, **how)
    if origin.kind == CONTINUED_AGAIN:
        return making.continued(earlier, report=report, **how)
    # What was learnt for the earlier map is known: nobody has to look for the file it was kept in.
    record = replace(record, input=replace(record.input, frozen=None))
    alone = origin.kind == CONTINUED_ALONE
    return making.continued(earlier, table(), alone=alone, report=report, **how)


def _of_its_own(record: Record, opened: Opened, earlier: Made | None, report: Report) -> Made:
    """A map of a table, which may have begun with the prototypes of an earlier run or of a file."""
    params, matrix, start = record.params, opened.matrix, None
    if isinstance(params, MapParams) and earlier is not None:
        start = start_again(earlier.result, matrix, params, folder=record.start)
    elif isinstance(params, MapParams) and record.start is not None:
        start = load_prototypes(_existing(record.start), matrix.feature_names, params.grid)
    again = Making(
        matrix=matrix,
        method=record.method,
        params=params,
        seed=record.seed,
        stop_after=record.stop_after,
        start=start,
    )
    return Made(result=again.train(report), matrix=matrix, frozen=opened.prepared.frozen)


def _existing(start: str) -> Path:
    """Where the prototypes are that a map began with; refused if they are not there."""
    if not Path(start).is_file():
        raise UserError(
            key="verify.no_start",
            what="The file with the prototypes that a map began with is not there.",
            where=start,
            way_out="Put it beside the file, under the same name.",
        )
    return Path(start)


def _others_than(data: str | None, receipt: Mapping[str, Any]) -> set[str]:
    """Tables of a receipt that a given one is not meant for, because another has its name."""
    if data is None:
        return set()
    records = (
        Record.from_values(values, where=name, common=receipt)
        for name, values in receipt["runs"].items()
    )
    names = {record.input.name for record in records}
    same = {name for name in names if named(name) == named(data)}
    return names - same if same else set()


def _there(given: Input, folder: Path, data: str | None) -> Input:
    """An input with its files where they are now."""

    def place(name: str) -> str:
        return name if name.startswith(PREFIX) else making.beside(name, folder)

    return replace(
        given,
        name=place(given.name) if data is None else data,
        joinings=tuple(replace(each, name=place(each.name)) for each in given.joinings),
        frozen=None if given.frozen is None else place(given.frozen),
    )


def _require(given: Input) -> None:
    """Refuse to look farther for a table that is not there."""
    if not given.name.startswith(PREFIX) and not Path(given.name).exists():
        raise UserError(
            key="verify.no_table",
            what="The table of the maps is not there.",
            where=given.name,
            way_out="Say with --data where it is, or put it beside the file.",
        )


def _files_of(params: Params, folder: Path) -> Params:
    """Parameters that name a file with that file where it is now."""
    values = params.as_values()
    named = {name: values[name] for name in FILES if values.get(name)}
    return params.replace(**{name: making.beside(text, folder) for name, text in named.items()})


def verify_folder(
    folder: Path, *, data: str | None = None, tell: Doing = nothing_told
) -> Iterator[Compared]:
    """Make the run in a folder again, and compare it with what the folder holds."""
    tell("Opening the run", 0.0)
    name = folder.name or str(folder)
    try:
        finished = open_run(folder, data)
    except UserError as error:
        if error.keys != ("run.data_changed",):
            raise
        problem = error.problems[0]
        text = f"data: '{problem.where}' is not the table that the run was trained on"
        tick = Tick(run=name, what="data", verdict=Verdict.DIFFERENT, text=text)
        yield Compared(name=name, about="a run", ticks=(tick,))
        return
    record = _record(finished, name)
    result = finished.result
    again = Making(
        matrix=finished.matrix,
        method=record.method,
        params=record.params,
        seed=record.seed,
        stop_after=record.stop_after,
        start=began_with(finished),
        parent=result.parent,
    )
    made = Made(result=again.train(lambda share: tell("Training", share)), matrix=finished.matrix)
    tell("Comparing", 1.0)
    here = Surroundings.here(record.method.key)
    if made.result.hash != record.result_hash:
        # What the map was worth then is not in its folder, but the map is.
        record = replace(record, measures=_measures(finished))
    yield Compared(
        name=name, about=_about(record), ticks=tuple(run_ticks(name, record, made, here))
    )


def _record(finished: Finished, name: str) -> Record:
    values = {**finished.record, "parent": None}
    data = {**values["data"], "input": finished.input.as_values()}
    record = Record.from_values({**values, "data": data}, where=name)
    result = finished.result
    places = zip(result.item_ids, map(tuple, result.positions.tolist()), strict=True)
    return replace(record, landmarks=dict(places))


def _measures(finished: Finished) -> dict[str, float]:
    evidence = MapEvidence(matrix=finished.matrix, result=finished.result)
    found = {key: measure_named(key).of(evidence) for key in AS_GOOD}
    return {key: estimate.value for key, estimate in found.items() if estimate is not None}
