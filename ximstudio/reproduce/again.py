"""Retrain runs from their records or folders, and compare them with what was expected."""

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
from ximstudio.model.problem import SettingsForm, UserError
from ximstudio.prepare.input import Input, Opened
from ximstudio.reproduce import making
from ximstudio.reproduce.making import Made, Making
from ximstudio.reproduce.records import STARTED, Record, Surroundings, damaged
from ximstudio.reproduce.ticks import AS_GOOD, Tick, Verdict, data_tick, map_ticks
from ximstudio.train.finished import Finished, began_with, open_run
from ximstudio.train.params import MapParams

Doing = Callable[[str, float], None]
"""Called with the current activity and its progress from 0 to 1; it may raise to cancel."""


def no_progress(what: str, fraction: float) -> None:
    """Ignore progress."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One retrained run: its ticks under its name, and a line that describes it."""

    name: str
    about: str
    ticks: tuple[Tick, ...]


def verify_records(
    receipt: Mapping[str, Any],
    *,
    where: str,
    folder: Path,
    data: str | None = None,
    tell: Doing = no_progress,
) -> Iterator[Compared]:
    """Retrain the runs of a receipt, one after the other, and compare them.

    Parameters
    ----------
    receipt
        {"runs": {name: record}} with records as run.json has them, or a script's receipt: anything
        that carries records can be verified so. Versions and platform may stand beside the runs.
        A derived run names its parent, {"parent": {"run": name, …}}, and comes later.
    where
        What the receipt was read from, for messages.
    folder
        Folder in which files are sought that have moved.
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
            text = f"data: {record.origin.run}, from which it is derived, was not trained"
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
    """Return all ticks of a run; for a different table, only that it is different."""
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
    """Retrain one run of a receipt; for a different table, only say that it is different."""
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
        # A map of a different table need not be trained.
        if not of_data.verdict.holds:
            return of_data
        return _of_its_own(record, opened, earlier, report)
    how["folder"] = origin.folder
    if origin.kind == PART:
        return making.part(earlier, origin.item_ids, record.method.key, report=report, **how)
    if origin.kind == CONTINUED_AGAIN:
        return making.continued(earlier, report=report, **how)
    # What the earlier map's recipe learnt is known, so its file is not needed.
    record = replace(record, input=replace(record.input, frozen=None))
    alone = origin.kind == CONTINUED_ALONE
    return making.continued(earlier, table(), alone=alone, report=report, **how)


def _of_its_own(record: Record, opened: Opened, earlier: Made | None, report: Report) -> Made:
    """Retrain a map of a table, which may start from prototypes of an earlier run or file."""
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
    """Return the file with the prototypes that a map started from; refused if it is missing."""
    if not Path(start).is_file():
        raise UserError(
            key="verify.no_start",
            what="The file with the start prototypes of a map is missing.",
            where=start,
            way_out="Put it into the folder of this file, under the same name.",
        )
    return Path(start)


def _others_than(data: str | None, receipt: Mapping[str, Any]) -> set[str]:
    """Return tables of a receipt that a given one must not replace, as another has its name."""
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
    """Return an input with its files where they are now."""

    def place(name: str) -> str:
        return name if name.startswith(PREFIX) else making.beside(name, folder)

    return replace(
        given,
        name=place(given.name) if data is None else data,
        joinings=tuple(replace(each, name=place(each.name)) for each in given.joinings),
        frozen=None if given.frozen is None else place(given.frozen),
    )


def _require(given: Input) -> None:
    """Refuse to search further for a missing table."""
    if not given.name.startswith(PREFIX) and not Path(given.name).exists():
        raise UserError(
            key="verify.no_table",
            what="The table of the maps is missing.",
            where=given.name,
            way_out="Put it into the folder of this file, or choose it where it is now.",
            fields=("data",),
            form=SettingsForm.COMMAND,
        )


def _files_of(params: Params, folder: Path) -> Params:
    """Update parameters that name a file with its current place."""
    values = params.as_values()
    named = {name: values[name] for name in FILES if values.get(name)}
    return params.replace(**{name: making.beside(text, folder) for name, text in named.items()})


def verify_folder(
    folder: Path, *, data: str | None = None, tell: Doing = no_progress
) -> Iterator[Compared]:
    """Retrain the run in a folder, and compare it with the folder's contents."""
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
        # The folder lacks the measures of the map, but not the map.
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
