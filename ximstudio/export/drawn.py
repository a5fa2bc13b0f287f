"""A record in a figure's file → the map that it tells of, as it can be trained again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ximstudio.explore.descended import WITHOUT_TABLE
from ximstudio.export.places import FILES, files_at_hand
from ximstudio.export.provenance import Settings, settings_of
from ximstudio.figures.metadata.reading import damaged
from ximstudio.load.samples import called
from ximstudio.model.params import Params
from ximstudio.model.parent import CONTINUED, CONTINUED_ALONE
from ximstudio.model.problem import UserError
from ximstudio.model.words import counted
from ximstudio.prepare.input import Input
from ximstudio.session import Data, Run, TrainingPlan
from ximstudio.session.descent import planned_again

Made = Mapping[str, str]
"""By hash in a figure: key of the run that was trained for it and came out otherwise."""
NONE_MADE: Made = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A map in a figure, or one that such a map descends from.

    Parameters
    ----------
    name
        What its run was called.
    settings
        All it takes to make it again.
    stop_after
        The step after which its training was stopped; None if it came to the end that was planned.
    table
        What its table is called, how large it was, and its fingerprint, for people.
    start
        The file with the prototypes that it began with; None if there was none, or it is gone.
    """

    name: str
    settings: Settings
    stop_after: int | None
    table: str
    start: Path | None = None

    @property
    def finished(self) -> bool:
        """Whether its training came to the end that was planned."""
        return self.stop_after is None

    @property
    def input(self) -> Input | None:
        """Its table by the names of files; None if all items are those of an earlier map.

        New items are prepared by what was learnt for those of the earlier map, which is known once
        that is there, whatever file kept it.
        """
        parent, given = self.settings.parent, self.settings.input
        if parent is None:
            return given
        return None if parent.kind in WITHOUT_TABLE else replace(given, frozen=None)

    @property
    def began_unknown(self) -> bool:
        """Whether it began with prototypes that nobody tells of, or that are gone."""
        settings = self.settings
        given = settings.params.as_values().get("init") == "given"
        return given and not settings.earlier_hash and self.start is None

    def run_in(self, runs: Iterable[Run], made: Made = NONE_MADE) -> Run | None:
        """The run with this very map, or the one that was made for it; None if there is none."""
        return _with_map(runs, self.settings.result_hash, made)

    def earlier_in(self, runs: Iterable[Run], made: Made = NONE_MADE) -> Run | None:
        """The run that it began from; None if it is not there, or there was none."""
        wanted = self.settings.earlier_hash
        return _with_map(runs, wanted, made) if wanted else None

    def is_of(self, data: Data | None) -> bool:
        """Whether it was made of this very table."""
        matrix = None if data is None else data.matrix
        return matrix is not None and matrix.fingerprint == self.settings.fingerprint

    def plan(self, before: TrainingPlan) -> TrainingPlan:
        """The plan for a map of its own with these settings; other methods as they were left."""
        settings = self.settings
        params = planned_again(settings.params, settings.parent)
        if settings.start is not None and "init" in params.specs():
            params = params.replace(init=params.defaults()["init"])
        return TrainingPlan(
            method_key=settings.method,
            parameters={**before.parameters, settings.method: params},
            seed=settings.seed,
        )

    @property
    def trained_as(self) -> TrainingPlan:
        """The plan by which it was trained."""
        settings = self.settings
        parameters = {settings.method: settings.params}
        return TrainingPlan(method_key=settings.method, parameters=parameters, seed=settings.seed)


def drawn_of(record: Mapping[str, Any], path: Path, known: tuple[Path, ...]) -> Drawn:
    """The map of a record in the figure at `path`; `known` are files that were open before."""
    settings = settings_of(record, path)
    try:
        params = _placed(_left_open(settings.params, record), path, known)
        table = _table_words(record, settings)
    except (TypeError, ValueError, ArithmeticError):
        raise damaged(path, "an entry is of another kind") from None
    starts = files_at_hand(settings.start, beside=path, known=known) if settings.start else []
    return Drawn(
        name=str(record.get("name", "")),
        settings=replace(settings, params=params),
        stop_after=_stop_after(record.get("steps")),
        table=table,
        start=Path(starts[0]) if starts else None,
    )


def _with_map(runs: Iterable[Run], wanted: str, made: Made) -> Run | None:
    runs = tuple(runs)
    found = next((run for run in runs if run.result.hash == wanted), None)
    key = made.get(wanted)
    return found or next((run for run in runs if run.key == key), None)


def _stop_after(steps: object) -> int | None:
    """The last step of a training that was stopped; None for others."""
    done, planned = (
        (steps.get("done"), steps.get("planned")) if isinstance(steps, Mapping) else (None, None)
    )
    if not isinstance(done, int) or not isinstance(planned, int):
        return None
    return done if 0 < done < planned else None


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


def _table_words(record: Mapping[str, Any], settings: Settings) -> str:
    """Which table it takes: "counts.csv (186 items × 79 features, fingerprint 3fa2b1c0…)"."""
    data = record.get("data")
    told = data if isinstance(data, Mapping) else {}
    size = size_words(int(told.get("items", 0)), int(told.get("features", 0)))
    print_ = str(told.get("fingerprint", ""))[:8]
    name = called(str(told.get("source", "a table")))
    kind = None if settings.parent is None else settings.parent.kind
    if kind == CONTINUED:
        size = f"with the items of the earlier map {size}"
    elif kind == CONTINUED_ALONE:
        size = f"new in it {size}"
    return f"{name} ({size}, fingerprint {print_}…)"


def size_words(n_items: int, n_features: int) -> str:
    """How large a table is, for people."""
    return f"{counted(n_items, 'item')} × {counted(n_features, 'feature')}"
