"""Make recorded maps again and compare them with their records, for `verify` and in scripts."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ximstudio.explore.remake import WITHOUT_TABLE, FurtherTable, matrix_again, remake
from ximstudio.export.places import FILES, named, with_files
from ximstudio.load.samples import PREFIX
from ximstudio.measure.catalogue import measure_named
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.method_params import MethodParams
from ximstudio.model.problem import SettingsForm, UserError
from ximstudio.prepare.input import Input, Opened
from ximstudio.prepare.recipe import Frozen
from ximstudio.reproduce import making
from ximstudio.reproduce.making import Made
from ximstudio.reproduce.receipt import records_in, understood
from ximstudio.reproduce.ticks import AS_GOOD, Tick, Verdict, data_tick, map_ticks
from ximstudio.train.finished import Finished, began_from, open_run
from ximstudio.train.record import MapRecord

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
    records: Mapping[str, MapRecord],
    *,
    folder: Path,
    data: str | None = None,
    tell: Doing = no_progress,
) -> Iterator[Compared]:
    """Make recorded maps again, one after the other, and compare them.

    Parameters
    ----------
    records
        Records by names; a map that another one began from comes before it.
    folder
        Folder in which files are sought that have moved.
    data
        The table of the maps, if it is elsewhere.
    """
    made: dict[str, Made] = {}
    refused: dict[str, str] = {}
    tables: dict[Input, Opened] = {}
    others = _others_than(data, records)
    for name, recorded in records.items():
        record = _found(recorded, folder, None if recorded.input.name in others else data)

        def doing(what: str, fraction: float, name: str = name) -> None:
            tell(f"{what} {name}" if what == "Training" else what, fraction)

        ticks: tuple[Tick, ...]
        if record.earlier_hash in refused:
            text = f"data: {refused[record.earlier_hash]}, which it began from, was not made"
            ticks = (Tick(run=name, what="data", verdict=Verdict.DIFFERENT, text=text),)
            refused[record.result_hash] = name
        else:
            found = _again(name, record, made.get(record.earlier_hash), tables, doing)
            if isinstance(found, Tick):
                ticks = (found,)
                refused[record.result_hash] = name
            else:
                made[record.result_hash] = found
                tell(f"Comparing {name}", 1.0)
                ticks = tuple(run_ticks(name, record, found))
        yield Compared(name=name, about=_about(record), ticks=ticks)


def run_ticks(name: str, record: MapRecord, made: Made) -> Iterator[Tick]:
    """Compare a map with its record; of a map of other data, only the data."""
    of_data = data_tick(name, record, made.matrix)
    yield of_data
    if of_data.verdict.holds:
        yield from map_ticks(name, record, made)


def _about(record: MapRecord) -> str:
    return f"{record.method.name}, seed {record.seed}"


def _again(
    name: str, record: MapRecord, earlier: Made | None, tables: dict[Input, Opened], tell: Doing
) -> Made | Tick:
    """Make one map again; if its table is another one, return only that."""

    def table(given: Input) -> Opened:
        if given not in tables:
            _require(given)
            tables[given] = given.open(lambda share: tell("Reading", share))
        return tables[given]

    parent = record.parent
    if parent is None or earlier is None:
        opened = table(record.input)
        of_data = data_tick(name, record, opened.matrix)
        # Do not train a map of other data.
        if not of_data.verdict.holds:
            return of_data
        matrix = opened.matrix
        frozen: Frozen | None = opened.prepared.frozen
    else:
        further = None
        if parent.kind not in WITHOUT_TABLE:
            # The preparation of the earlier map is known, wherever its file is.
            opened = table(replace(record.input, frozen=None))
            now = opened.matrix if parent.folder is None else None
            further = FurtherTable(table=opened.labelled.table, matrix=now)
        matrix, frozen = matrix_again(parent, earlier, further), earlier.frozen
    file = None if earlier is not None or record.start is None else _existing(record.start)
    training = remake(record, matrix, earlier=earlier, start=file)
    result = training.train(lambda share: tell("Training", share))
    return Made(result=result, matrix=matrix, frozen=frozen)


def _existing(start: str) -> Path:
    """Return the file with the initial prototypes of a map; refused if it is missing."""
    if not Path(start).is_file():
        raise UserError(
            key="verify.no_start",
            what="The file with the initial prototypes of a map is missing.",
            where=start,
            way_out="Put it into the folder of this file, under the same name.",
        )
    return Path(start)


def _others_than(data: str | None, records: Mapping[str, MapRecord]) -> set[str]:
    """Return the tables that `data` is not meant for, because another one has its name."""
    if data is None:
        return set()
    names = {record.input.name for record in records.values()}
    same = {name for name in names if named(name) == named(data)}
    return names - same if same else set()


def _found(record: MapRecord, folder: Path, data: str | None) -> MapRecord:
    """Return a record with its files where they are now."""
    return replace(
        record,
        input=_there(record.input, folder, data),
        params=_files_of(record.params, folder),
        start=None if record.start is None else making.beside(record.start, folder),
    )


def _there(given: Input, folder: Path, data: str | None) -> Input:
    """Return an input with its files where they are now."""

    def place(name: str) -> str:
        return name if name.startswith(PREFIX) else making.beside(name, folder)

    there = with_files(given, place)
    return there if data is None else replace(there, name=data)


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


def _files_of(params: MethodParams, folder: Path) -> MethodParams:
    """Update parameters that name a file with its current place."""
    values = params.as_values()
    named = {name: values[name] for name in FILES if values.get(name)}
    return params.replace(**{name: making.beside(text, folder) for name, text in named.items()})


def verify_folder(
    folder: Path, *, data: str | None = None, tell: Doing = no_progress
) -> Iterator[Compared]:
    """Make the map of a run folder again, and compare it with the folder."""
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
    earlier = began_from(finished)
    training = remake(
        finished.record,
        finished.matrix,
        earlier=earlier if isinstance(earlier, Finished) else None,
        start=earlier if isinstance(earlier, Path) else None,
    )
    result = training.train(lambda share: tell("Training", share))
    made = Made(result=result, matrix=finished.matrix)
    tell("Comparing", 1.0)
    record = _with_landmarks(finished)
    if made.result.hash != record.result_hash:
        # The folder has no measures, but the map that they can be taken from.
        record = replace(record, measures=_measures(finished))
    yield Compared(name=name, about=_about(record), ticks=tuple(run_ticks(name, record, made)))


def _with_landmarks(finished: Finished) -> MapRecord:
    result = finished.result
    places = zip(result.item_ids, map(tuple, result.positions.tolist()), strict=True)
    return replace(finished.record, landmarks=dict(places))


def _measures(finished: Finished) -> dict[str, float]:
    evidence = MapEvidence(matrix=finished.matrix, result=finished.result)
    found = {key: measure_named(key).of(evidence) for key in AS_GOOD}
    return {key: estimate.value for key, estimate in found.items() if estimate is not None}


def check(expected: Mapping[str, Any], **made: Made) -> None:
    """Print a tick for all that is as expected; exit with 1 if something is not."""
    receipt = understood(dict(expected), "EXPECTED")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal without "✓" gets a "?" instead of a traceback.
        sys.stdout.reconfigure(errors="replace")
    ticks: list[Tick] = []
    for name, record in records_in(receipt, "EXPECTED").items():
        _say(f"{name.replace('_', ' ')}: {_about(record)}")
        for tick in run_ticks(name, record, made[name]):
            _say(f"  {tick}")
            ticks.append(tick)
    if not all(tick.verdict.holds for tick in ticks):
        raise SystemExit(1)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
