"""A figure's file → settings and maps in it, and the table they were made of, if at hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ximstudio.export.comparison import RECORD as COMPARED
from ximstudio.export.figure_work import NOTHING_MORE, FigureWork
from ximstudio.export.places import FILES, files_at_hand, inputs_at_hand, named
from ximstudio.export.provenance import Provenance, Settings, read_provenance, settings_of
from ximstudio.export.work_restored import Arrivals
from ximstudio.export.work_told import read_work
from ximstudio.figures.colophon.reading import damaged
from ximstudio.figures.plan import FigurePlan
from ximstudio.load import Report, silent
from ximstudio.load.run import RECORD
from ximstudio.load.samples import called
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.model.words import counted
from ximstudio.prepare.input import Input
from ximstudio.session import Data, Plan, Run, Session, open_data, with_recipe


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A map in a figure.

    Parameters
    ----------
    name
        What its run was called.
    settings
        All it takes to make it again.
    finished
        Whether its training came to the end that was planned.
    table
        What its table is called, how large it was, and its fingerprint, for people.
    """

    name: str
    settings: Settings
    finished: bool
    table: str

    def run_in(self, runs: Iterable[Run]) -> Run | None:
        """The run with this very map; None if there is none."""
        return next((run for run in runs if run.result.hash == self.settings.result_hash), None)

    def is_of(self, data: Data | None) -> bool:
        """Whether it was made of this very table."""
        matrix = None if data is None else data.matrix
        return matrix is not None and matrix.fingerprint == self.settings.fingerprint

    def plan(self, before: Plan) -> Plan:
        """The plan to train it, with other methods as they were left."""
        settings = self.settings
        return Plan(
            method_key=settings.method,
            parameters={**before.parameters, settings.method: settings.params},
            seed=settings.seed,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class FigureFound:
    """What a figure's file says, and what of it is at hand.

    Parameters
    ----------
    path
        The file.
    drawn
        The maps in it.
    plan
        View, selection and look; None for figures that show no view.
    judged
        Methods whose repetitions it shows, with the settings of each; their maps are not in it.
    data
        The table of the first map that is not there, if it is at hand: maps side by side may be of
        a table that was prepared in several ways.
    work
        What it shows besides maps.
    arrivals
        Items that were placed on its maps again; None until they were looked for.
    """

    path: Path
    drawn: tuple[Drawn, ...]
    plan: FigurePlan | None
    judged: tuple[Drawn, ...] = ()
    data: Data | None = None
    work: FigureWork = NOTHING_MORE
    arrivals: Arrivals | None = None

    def missing_in(self, runs: Iterable[Run]) -> tuple[Drawn, ...]:
        """The maps that are not among these runs."""
        runs = tuple(runs)
        return tuple(each for each in self.drawn if each.run_in(runs) is None)


def figure_found(
    path: Path, session: Session, *, known: Iterable[Path] = (), report: Report = silent
) -> FigureFound:
    """What is in a figure's file; one that does not say is refused.

    The table of the first map that is not in the session is looked for there, among `known` files,
    and beside the figure: the one that gives the same values by the recorded recipe.
    """
    provenance = read_provenance(path)
    if provenance is None:
        raise UserError(
            key="figure.no_provenance",
            what=f"{path.name} does not say how it was made.",
            where=str(path),
            way_out="Take a PDF, SVG, PNG or TIFF as XIM Studio exported it: other programs leave"
            " out what they do not know when they save a picture.",
        )
    found = _told(provenance, path, _places(path, session, known))
    missing = found.missing_in(session.runs)
    wanted = next((each for each in missing if each.settings.parent is None), None)
    if wanted is None:
        return replace(found, data=session.data)
    return with_data(found, wanted, session, known=known, report=report)


def with_data(
    found: FigureFound,
    drawn: Drawn,
    session: Session,
    *,
    known: Iterable[Path] = (),
    report: Report = silent,
) -> FigureFound:
    """The figure with the table of one of its maps; with none if it is not at hand."""
    if drawn.is_of(session.data):
        return replace(found, data=session.data)
    wanted = drawn.settings.input
    for data in _candidates(wanted, found.path, session, known, report):
        if drawn.is_of(data):
            return replace(found, data=data)
    return replace(found, data=None)


def with_table(
    found: FigureFound, drawn: Drawn, table: Path, report: Report = silent
) -> FigureFound:
    """The figure with the table of one of its maps, which a person says is this file.

    Another one is refused.
    """
    wanted = drawn.settings.input
    given = next(iter(inputs_at_hand(wanted, beside=found.path, table=table)), None)
    data = None if given is None else open_data(given, report)
    if not drawn.is_of(data):
        matrix = None if data is None else data.matrix
        size = "" if matrix is None else f" It gives {_size(matrix.n_items, matrix.n_features)}."
        raise UserError(
            key="figure.other_table",
            what=f"{table.name} is not the table of the figure, or has changed since.{size}",
            where=str(table),
            way_out=f"The figure was made of {drawn.table}.",
        )
    return replace(found, data=data)


def _places(path: Path, session: Session, known: Iterable[Path]) -> tuple[Path, ...]:
    """Files that the program has had open, for this session or another, or for a run."""
    present = () if session.data is None else session.data.input.files
    return (*present, *known, *_files_of_run(path))


def _files_of_run(path: Path) -> tuple[Path, ...]:
    """Files of the run or comparison in whose folder a figure lies, by the record beside it."""
    for name in (RECORD, COMPARED):
        try:
            record = json.loads((path.parent / name).read_text(encoding="utf-8"))
            return Input.from_values(record["data"]["input"]).files
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue
    return ()


def _candidates(
    wanted: Input, path: Path, session: Session, known: Iterable[Path], report: Report
) -> Iterator[Data | None]:
    """Tables that may be the one; the present one first, whose file may be on another computer."""
    present = session.data
    if present is not None and wanted.frozen is None and _reads_alike(present.input, wanted):
        yield with_recipe(present, wanted.recipe, report)
        report = silent
    for given in inputs_at_hand(wanted, beside=path, known=_places(path, session, known)):
        yield _opened(given, report)
        report = silent


def _reads_alike(present: Input, wanted: Input) -> bool:
    """Whether the same is read from files of the same names."""
    joinings = tuple(replace(each, name=named(each.name)) for each in present.joinings)
    return (
        named(present.name) == wanted.name
        and present.choices == wanted.choices
        and joinings == wanted.joinings
    )


def _told(provenance: Provenance, path: Path, known: tuple[Path, ...]) -> FigureFound:
    """What the file says, without its table."""
    drawn = tuple(_drawn(record, path, known) for record in provenance.runs)
    judged = tuple(_drawn(record, path, known) for record in _judged(provenance.figure))
    if not drawn and not judged:
        raise UserError(
            key="figure.no_maps",
            what=f"{path.name} shows no map that could be made again.",
            where=str(path),
            way_out="Take a figure of a map, or of maps side by side.",
        )
    try:
        plan = FigurePlan.from_values(provenance.figure)
    except (UserError, KeyError, TypeError, ValueError, AttributeError):
        # Figures of the command line did not always tell of a view.
        plan = None
    work = read_work(provenance.work, path, runs=[each.settings.params for each in drawn])
    # One map of a sweep shows it, and all are made by sweeping again.
    drawn = drawn[:1] if work.sweep else drawn
    return FigureFound(path=path, drawn=drawn, plan=plan, judged=judged, work=work)


def _judged(figure: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A record for each method that was repeated by the command line, on parts of the items."""
    told = figure.get("comparison")
    methods = told.get("methods") if isinstance(told, Mapping) else None
    if not isinstance(told, Mapping) or not isinstance(methods, list):
        return
    data = told.get("data")
    if isinstance(data, Mapping):
        # What was left open followed from the items that each run had.
        data = {**data, "items": told.get("items_per_run")}
    for method in methods:
        if isinstance(method, Mapping):
            yield {**told, **method, "data": data}


def _drawn(record: Mapping[str, Any], path: Path, known: tuple[Path, ...]) -> Drawn:
    settings = settings_of(record, path)
    steps = record.get("steps")
    finished = not isinstance(steps, Mapping) or steps.get("done") == steps.get("planned")
    try:
        params = _placed(_left_open(settings.params, record), path, known)
        table = _table_words(record)
    except (TypeError, ValueError, ArithmeticError):
        raise damaged(path, "an entry is of another kind") from None
    return Drawn(
        name=str(record.get("name", "")),
        settings=replace(settings, params=params),
        finished=finished,
        table=table,
    )


def _placed(params: Params, path: Path, known: tuple[Path, ...]) -> Params:
    """The parameters with files where they are now; those that are not found stay mere names."""
    values = params.as_values()
    names = (name for name in FILES if isinstance(values.get(name), str) and values[name])
    found = {name: files_at_hand(values[name], beside=path, known=known) for name in names}
    return params.replace(**{name: places[0] for name, places in found.items() if places})


def _left_open(params: Params, record: Mapping[str, Any]) -> Params:
    """The parameters as a person gave them: what followed from the data is left open again."""
    automatic, data = record.get("automatic"), record.get("data")
    n_items = data.get("items") if isinstance(data, Mapping) else None
    if not isinstance(automatic, list) or not isinstance(n_items, int):
        return params
    names = [name for name in automatic if name in params.specs()]
    try:
        given = params.replace(**{name: params.defaults()[name] for name in names})
        same = given.resolved(n_items) == params.resolved(n_items)
    except (UserError, TypeError, ValueError):
        return params
    return given if same else params


def _opened(wanted: Input, report: Report) -> Data | None:
    """The table of an input; None if it is none any more."""
    try:
        return open_data(wanted, report)
    except UserError:
        return None


def _table_words(record: Mapping[str, Any]) -> str:
    """Which table it takes: "counts.csv (186 items × 79 features, fingerprint 3fa2b1c0…)"."""
    data = record.get("data")
    told = data if isinstance(data, Mapping) else {}
    size = _size(int(told.get("items", 0)), int(told.get("features", 0)))
    print_ = str(told.get("fingerprint", ""))[:8]
    return f"{called(str(told.get('source', 'a table')))} ({size}, fingerprint {print_}…)"


def _size(n_items: int, n_features: int) -> str:
    return f"{counted(n_items, 'item')} × {counted(n_features, 'feature')}"
