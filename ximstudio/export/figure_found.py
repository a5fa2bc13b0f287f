"""Find the settings, maps and table of a figure's file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ximstudio.explore.remake import FurtherTable, MapTraining, matrix_again, remake
from ximstudio.export.comparison import RECORD as COMPARED
from ximstudio.export.drawn import NONE_MADE, Drawn, Made, drawn_of, size_words
from ximstudio.export.figure_work import NOTHING_MORE, FigureWork, read_work
from ximstudio.export.places import inputs_at_hand, named
from ximstudio.export.provenance import Provenance, read_provenance
from ximstudio.export.work_restored import Arrivals
from ximstudio.files.bounded import parse_json, read_bounded
from ximstudio.load import Report, silent
from ximstudio.load.run import MOST_BYTES
from ximstudio.model.identity import Likeness
from ximstudio.model.problem import UserError
from ximstudio.model.words import counted
from ximstudio.prepare.input import Input
from ximstudio.session import Data, Run, Session, open_data, with_recipe
from ximstudio.session.descent import MapDescent, step_words
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.training import Training
from ximstudio.session.words import item_word
from ximstudio.train.finished import records_of
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.figure import figure_plan_from

NO_RECORD = (UserError, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""Errors of reading a file that is missing or was not written by this program."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Begun:
    """A training of a figure's map that can begin.

    `descent` is what it has from an earlier run; None for a map of its own.
    """

    training: Training
    descent: MapDescent | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class FigureFound:
    """The contents of a figure's file, and what of it is available.

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
    ancestors
        Maps that are not in it, and that those which are descend from.
    sought
        The map that is to be trained next, once its table was looked for.
    data, begun
        The table of that map, and its training, if the table is at hand: maps side by side may be
        of a table that was prepared in several ways.
    work
        What it shows besides maps.
    arrivals
        Items that were placed on its maps again; None until they were looked for.
    """

    path: Path
    drawn: tuple[Drawn, ...]
    plan: FigurePlan | None
    judged: tuple[Drawn, ...] = ()
    ancestors: tuple[Drawn, ...] = ()
    sought: Drawn | None = None
    data: Data | None = None
    begun: Begun | None = None
    work: FigureWork = NOTHING_MORE
    arrivals: Arrivals | None = None

    def missing_in(self, runs: Iterable[Run], made: Made = NONE_MADE) -> tuple[Drawn, ...]:
        """Return the maps that are not among these runs, nor were trained for it."""
        runs = tuple(runs)
        return tuple(each for each in self.drawn if each.run_in(runs, made) is None)

    def next_in(self, runs: Iterable[Run], made: Made = NONE_MADE) -> Drawn | None:
        """Return the map to train next; None if all that can be trained are there."""
        runs = tuple(runs)
        ways = (self._way_to(each, runs, made) for each in self.missing_in(runs, made))
        return next((way[0] for way in ways if way), None)

    def led_to_by(self, step: Drawn, runs: Iterable[Run], made: Made = NONE_MADE) -> Drawn:
        """Return the map of the figure that another one is trained for: itself or a descendant."""
        runs = tuple(runs)
        missing = self.missing_in(runs, made)
        return next((each for each in missing if step in self._way_to(each, runs, made)), step)

    def _way_to(self, drawn: Drawn, runs: tuple[Run, ...], made: Made) -> tuple[Drawn, ...]:
        """Return all maps to train for a map, in order; none if its initial state is unknown."""
        by_hash = {each.record.result_hash: each for each in (*self.ancestors, *self.drawn)}
        way = [drawn]
        while way[0].record.earlier_hash and way[0].earlier_in(runs, made) is None:
            earlier = by_hash.get(way[0].record.earlier_hash)
            if earlier is None or earlier in way:
                return ()
            way.insert(0, earlier)
        return () if any(each.began_unknown for each in way) else tuple(way)


def figure_found(
    path: Path, session: Session, *, known: Iterable[Path] = (), report: Report = silent
) -> FigureFound:
    """Read a figure's file; refuse one without a record.

    The table of the first map that is to be trained is looked for in the session, among `known`
    files, and beside the figure: the one that gives the same values by the recorded recipe.
    """
    provenance = read_provenance(path)
    if provenance is None:
        raise UserError(
            key="figure.no_provenance",
            what=f"{path.name} does not say how it was made.",
            where=str(path),
            way_out="Use a PDF, SVG, PNG or TIFF as XIM Studio exported it: other programs drop the"
            " record when they save a figure.",
        )
    found = _contents(provenance, path, _places(path, session, known))
    wanted = found.next_in(session.runs)
    if wanted is None:
        return replace(found, data=session.data)
    return with_data(found, wanted, session, known=known, report=report)


def with_data(
    found: FigureFound,
    drawn: Drawn,
    session: Session,
    *,
    made: Made = NONE_MADE,
    known: Iterable[Path] = (),
    report: Report = silent,
) -> FigureFound:
    """Return the figure with the table of one of its maps, and its training, if available."""
    earlier = drawn.earlier_in(session.runs, made)
    wanted = drawn.input
    if wanted is None:
        return replace(found, sought=drawn, data=None, begun=_begun(drawn, earlier, None, session))
    for data in _candidates(wanted, found.path, session, known, report):
        begun = None if data is None else _begun(drawn, earlier, data, session)
        if begun is not None:
            return replace(found, sought=drawn, data=data, begun=begun)
    return replace(found, sought=drawn, data=None, begun=None)


def with_table(
    found: FigureFound,
    drawn: Drawn,
    table: Path,
    session: Session,
    *,
    made: Made = NONE_MADE,
    report: Report = silent,
) -> FigureFound:
    """Return the figure with this file as the table of one of its maps, as the user chose.

    Another one is refused.
    """
    wanted = drawn.input
    assert wanted is not None
    given = next(iter(inputs_at_hand(wanted, beside=found.path, table=table)), None)
    data = None if given is None else open_data(given, report)
    earlier = drawn.earlier_in(session.runs, made)
    begun = None if data is None else _begun(drawn, earlier, data, session)
    if begun is None:
        matrix = None if data is None else data.matrix
        size = (
            "" if matrix is None else f" It gives {size_words(matrix.n_items, matrix.n_features)}."
        )
        raise UserError(
            key="figure.other_table",
            what=f"{table.name} is not the table of the figure, or has changed since.{size}",
            where=str(table),
            way_out=f"The figure was made of {drawn.table}.",
        )
    return replace(found, sought=drawn, data=data, begun=begun)


def _begun(drawn: Drawn, earlier: Run | None, data: Data | None, session: Session) -> Begun | None:
    """Return the training of a map on this table; None if the map belongs to another one."""
    record, parent = drawn.record, drawn.record.parent
    if parent is None:
        if data is None or data.matrix is None or not drawn.is_of(data):
            return None
        return Begun(
            training=_training(remake(record, data.matrix, earlier=earlier, start=drawn.start))
        )
    assert earlier is not None
    further = None
    if data is not None:
        further = FurtherTable(table=data.labelled.table, matrix=data.matrix)
    try:
        matrix = matrix_again(parent, earlier, further)
        training = _training(remake(record, matrix, earlier=earlier))
    except UserError:
        if data is None:
            raise
        # Such items cannot have come in.
        return None
    if data is not None and record.likeness(matrix) is Likeness.DIFFERENT:
        return None
    items = counted(matrix.n_items, item_word(session.data, 1))
    descent = MapDescent.of(earlier, step_words(parent.kind, earlier, items=items))
    return Begun(
        training=training, descent=descent if data is None else replace(descent, input=data.input)
    )


def _training(again: MapTraining) -> Training:
    key = again.method.key
    return Training(
        matrix=again.matrix,
        plan=TrainingPlan(method_key=key, parameters={key: again.params}, seed=again.seed),
        start=again.start,
        parent=again.parent,
        stop_after=again.stop_after,
    )


def _places(path: Path, session: Session, known: Iterable[Path]) -> tuple[Path, ...]:
    """Return files that the program has opened for any session or run."""
    present = () if session.data is None else session.data.input.files
    return (*present, *known, *_files_of_run(path))


def _files_of_run(path: Path) -> tuple[Path, ...]:
    """Return files of the run or comparison in whose folder a figure lies.

    Those of the runs that it descends from are among them.
    """
    for records in (records_of, _record_of_comparison):
        try:
            inputs = [record["data"]["input"] for record in records(path.parent)]
            return tuple(file for given in inputs for file in Input.from_values(given).files)
        except NO_RECORD:
            continue
    return ()


def _record_of_comparison(folder: Path) -> tuple[Any, ...]:
    return (parse_json(read_bounded(folder / COMPARED, MOST_BYTES)),)


def _candidates(
    wanted: Input, path: Path, session: Session, known: Iterable[Path], report: Report
) -> Iterator[Data | None]:
    """Yield tables that may be the one; the present one first, whose file may be elsewhere."""
    present = session.data
    yield present
    if present is not None and wanted.frozen is None and _reads_alike(present.input, wanted):
        yield with_recipe(present, wanted.recipe, report)
        report = silent
    for given in inputs_at_hand(wanted, beside=path, known=_places(path, session, known)):
        with suppress(UserError):
            yield open_data(given, report)
        report = silent


def _reads_alike(present: Input, wanted: Input) -> bool:
    """Return whether files of the same names are read in the same way."""
    joinings = tuple(replace(each, name=named(each.name)) for each in present.joinings)
    return (
        named(present.name) == wanted.name
        and present.choices == wanted.choices
        and joinings == wanted.joinings
    )


def _contents(provenance: Provenance, path: Path, known: tuple[Path, ...]) -> FigureFound:
    """Return the contents of the file, without its table."""
    drawn = tuple(drawn_of(record, path, known) for record in provenance.runs)
    judged = tuple(drawn_of(record, path, known) for record in _judged(provenance.figure))
    if not drawn and not judged:
        raise UserError(
            key="figure.no_maps",
            what=f"{path.name} shows no map that could be made again.",
            where=str(path),
            way_out="Take a figure of a map, or of maps side by side.",
        )
    try:
        plan = figure_plan_from(provenance.figure)
    except (UserError, KeyError, TypeError, ValueError, AttributeError):
        # Figures of early command lines do not record a view.
        plan = None
    ancestors = tuple(_understood(provenance.ancestors, path, known))
    work = read_work(provenance.work, path, runs=[each.record.params for each in drawn])
    # One map of a sweep shows it, and all are made by sweeping again.
    drawn = drawn[:1] if work.sweep else drawn
    return FigureFound(
        path=path, drawn=drawn, plan=plan, judged=judged, ancestors=ancestors, work=work
    )


def _understood(
    records: Iterable[Mapping[str, Any]], path: Path, known: tuple[Path, ...]
) -> Iterator[Drawn]:
    """Yield the maps of valid records; the others do not depend on invalid ones."""
    for record in records:
        with suppress(UserError):
            yield drawn_of(record, path, known)


def _judged(figure: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a record for each method that the command line repeated on parts of the items."""
    comparison = figure.get("comparison")
    methods = comparison.get("methods") if isinstance(comparison, Mapping) else None
    if not isinstance(comparison, Mapping) or not isinstance(methods, list):
        return
    data = comparison.get("data")
    if isinstance(data, Mapping):
        # What was left open followed from the items that each run had.
        data = {**data, "items": comparison.get("items_per_run")}
    for method in methods:
        if isinstance(method, Mapping):
            # Only their settings are of use: all runs reached their end.
            ended = {"result_hash": "", "steps": {"done": 0, "planned": 0}, "measures": {}}
            yield {**comparison, **method, **ended, "data": data}
