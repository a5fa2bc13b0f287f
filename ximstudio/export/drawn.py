"""Convert a record in a figure's file to a map that can be retrained."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ximstudio.explore.remake import WITHOUT_TABLE
from ximstudio.export.places import FILES, files_at_hand
from ximstudio.export.provenance import record_in
from ximstudio.load.samples import called
from ximstudio.model.identity import Likeness
from ximstudio.model.method_params import MethodParams
from ximstudio.model.parent import CONTINUED, CONTINUED_ALONE
from ximstudio.model.problem import UserError
from ximstudio.model.words import counted
from ximstudio.prepare.input import Input
from ximstudio.session import Data, Run, TrainingPlan
from ximstudio.session.descent import planned_again
from ximstudio.train.record import MapRecord

Made = Mapping[str, str]
"""Runs trained for the figure that differ from its maps: hash in the figure → key of the run."""
NONE_MADE: Made = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A map in a figure, or one that such a map descends from.

    Parameters
    ----------
    record
        How it was made, with files where they are now.
    table
        What its table is called, how large it was, and its fingerprint, for users.
    start
        The file with the prototypes that it began with; None if there was none, or it is gone.
    """

    record: MapRecord
    table: str
    start: Path | None = None

    @property
    def finished(self) -> bool:
        """True if its training was complete."""
        return self.record.stop_after is None

    @property
    def input(self) -> Input | None:
        """Its table by the names of files; None if all items are those of an earlier map.

        New items are prepared by what was learnt for those of the earlier map, which is known once
        that is there, whatever file kept it.
        """
        parent, given = self.record.parent, self.record.input
        if parent is None:
            return given
        return None if parent.kind in WITHOUT_TABLE else replace(given, frozen=None)

    @property
    def began_unknown(self) -> bool:
        """True if it began with unknown prototypes, or with lost ones."""
        record = self.record
        given = record.params.as_values().get("init") == "given"
        return given and not record.earlier_hash and self.start is None

    def run_in(self, runs: Iterable[Run], made: Made = NONE_MADE) -> Run | None:
        """Return the run with this map, or the one trained for it; None if there is none."""
        return _with_map(runs, self.record.result_hash, made)

    def earlier_in(self, runs: Iterable[Run], made: Made = NONE_MADE) -> Run | None:
        """Return the run that it began from; None if there is none."""
        wanted = self.record.earlier_hash
        return _with_map(runs, wanted, made) if wanted else None

    def is_of(self, data: Data | None) -> bool:
        """Return whether it was trained on this table."""
        matrix = None if data is None else data.matrix
        return matrix is not None and self.record.likeness(matrix) is not Likeness.DIFFERENT

    def plan(self, before: TrainingPlan) -> TrainingPlan:
        """Return the plan for a map of its own with these settings; other methods keep theirs."""
        record, key = self.record, self.record.method.key
        params = planned_again(record.params, record.parent)
        if record.start is not None and "init" in params.specs():
            params = params.replace(init=params.defaults()["init"])
        return TrainingPlan(
            method_key=key, parameters={**before.parameters, key: params}, seed=record.seed
        )


def drawn_of(values: Mapping[str, Any], path: Path, known: tuple[Path, ...]) -> Drawn:
    """Return the map of a record in the figure at `path`; `known` are files opened before."""
    record = record_in(values, path)
    params = _placed(_left_open(record), path, known)
    starts = files_at_hand(record.start, beside=path, known=known) if record.start else []
    return Drawn(
        record=replace(record, params=params),
        table=_table_words(record),
        start=Path(starts[0]) if starts else None,
    )


def _with_map(runs: Iterable[Run], wanted: str, made: Made) -> Run | None:
    runs = tuple(runs)
    found = next((run for run in runs if run.result.hash == wanted), None)
    key = made.get(wanted)
    return found or next((run for run in runs if run.key == key), None)


def _placed(params: MethodParams, path: Path, known: tuple[Path, ...]) -> MethodParams:
    """Return the parameters with present paths of files; those not found stay mere names."""
    values = params.as_values()
    names = (name for name in FILES if isinstance(values.get(name), str) and values[name])
    found = {name: files_at_hand(values[name], beside=path, known=known) for name in names}
    return params.replace(**{name: places[0] for name, places in found.items() if places})


def _left_open(record: MapRecord) -> MethodParams:
    """Return the parameters as the user gave them: what followed from the data is open again."""
    params, n_items = record.params, record.data.n_items
    names = [name for name in record.automatic if name in params.specs()]
    try:
        given = params.replace(**{name: params.defaults()[name] for name in names})
        same = given.resolved(n_items) == params.resolved(n_items)
    except (UserError, TypeError, ValueError):
        return params
    return given if same else params


def _table_words(record: MapRecord) -> str:
    """Describe the table: "counts.csv (186 items × 79 features, fingerprint 3fa2b1c0…)"."""
    size = size_words(record.data.n_items, record.data.n_features)
    kind = None if record.parent is None else record.parent.kind
    if kind == CONTINUED:
        size = f"with the items of the earlier map {size}"
    elif kind == CONTINUED_ALONE:
        size = f"new in it {size}"
    return f"{called(record.input.name)} ({size}, fingerprint {record.data.fingerprint[:8]}…)"


def size_words(n_items: int, n_features: int) -> str:
    """Describe the size of a table."""
    return f"{counted(n_items, 'item')} × {counted(n_features, 'feature')}"
