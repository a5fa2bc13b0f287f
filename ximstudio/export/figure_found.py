"""A figure's file → settings and maps in it, and the table they were made of, if at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ximstudio.export.places import FILES, files_at_hand, inputs_at_hand
from ximstudio.export.provenance import Provenance, Settings, read_provenance, settings_of
from ximstudio.figures.plan import FigurePlan
from ximstudio.load import Report, silent
from ximstudio.load.samples import called
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.model.words import counted
from ximstudio.session import Data, Plan, Run, Session, open_data


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
    """

    name: str
    settings: Settings
    finished: bool

    def run_in(self, runs: Iterable[Run]) -> Run | None:
        """The run with this very map; None if there is none."""
        return next((run for run in runs if run.result.hash == self.settings.result_hash), None)

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
    table
        What the table is called, how large it was, and its fingerprint, for people.
    data
        The table, if it is at hand.
    """

    path: Path
    drawn: tuple[Drawn, ...]
    plan: FigurePlan | None
    table: str
    data: Data | None = None

    def missing_in(self, runs: Iterable[Run]) -> tuple[Drawn, ...]:
        """The maps that are not among these runs."""
        runs = tuple(runs)
        return tuple(each for each in self.drawn if each.run_in(runs) is None)

    def is_of(self, data: Data | None) -> bool:
        """Whether the maps were made of this very table."""
        matrix = None if data is None else data.matrix
        wanted = self.drawn[0].settings.fingerprint
        return matrix is not None and matrix.fingerprint == wanted


def figure_found(
    path: Path, session: Session, *, known: Iterable[Path] = (), report: Report = silent
) -> FigureFound:
    """What is in a figure's file; one that does not say is refused.

    The table is looked for in the session, among `known` files, and beside the figure: the one that
    gives the same values by the recorded recipe.
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
    places = tuple(known)
    if session.data is not None:
        places = (*session.data.input.files, *places)
    found = _told(provenance, path, places)
    if not found.missing_in(session.runs) or found.is_of(session.data):
        return replace(found, data=session.data)
    for number, wanted in enumerate(
        inputs_at_hand(found.drawn[0].settings.input, beside=path, known=places)
    ):
        data = _opened(wanted, report if number == 0 else silent)
        if found.is_of(data):
            return replace(found, data=data)
    return found


def with_table(found: FigureFound, table: Path, report: Report = silent) -> FigureFound:
    """The figure with its table, which a person says is this file; another one is refused."""
    wanted = found.drawn[0].settings.input
    given = next(iter(inputs_at_hand(wanted, beside=found.path, table=table)), None)
    data = None if given is None else open_data(given, report)
    if not found.is_of(data):
        matrix = None if data is None else data.matrix
        size = "" if matrix is None else f" It gives {_size(matrix.n_items, matrix.n_features)}."
        raise UserError(
            key="figure.other_table",
            what=f"{table.name} is not the table of the figure, or has changed since.{size}",
            where=str(table),
            way_out=f"The figure was made of {found.table}.",
        )
    return replace(found, data=data)


def _told(provenance: Provenance, path: Path, known: tuple[Path, ...]) -> FigureFound:
    """What the file says, without its table."""
    drawn = tuple(_drawn(record, path, known) for record in provenance.runs)
    if not drawn:
        raise UserError(
            key="figure.no_maps",
            what=f"{path.name} shows no map that could be made again.",
            where=str(path),
            way_out="Take a figure of a map, or of maps side by side.",
        )
    try:
        plan = FigurePlan.from_values(provenance.figure)
    except (UserError, KeyError, TypeError, ValueError, AttributeError):
        # Figures of the command line show no view of the window.
        plan = None
    return FigureFound(path=path, drawn=drawn, plan=plan, table=_table_words(provenance.runs[0]))


def _drawn(record: Mapping[str, Any], path: Path, known: tuple[Path, ...]) -> Drawn:
    settings = settings_of(record, path)
    steps = record.get("steps")
    finished = not isinstance(steps, Mapping) or steps.get("done") == steps.get("planned")
    params = _placed(_left_open(settings.params, record), path, known)
    return Drawn(
        name=str(record.get("name", "")),
        settings=replace(settings, params=params),
        finished=finished,
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


def _opened(wanted: Any, report: Report) -> Data | None:
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
