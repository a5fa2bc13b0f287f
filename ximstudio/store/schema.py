"""Version of the session format, migrations from older ones, and the classes that a session has.

A file has the fields of these classes under their own names, so that changing a class changes the
schema: `described` states all of it, and a test compares it with every schema.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

import numpy as np

from ximstudio.explore.projection import ProjectedItems
from ximstudio.load.annotation.join import Joined
from ximstudio.load.reading import Reading
from ximstudio.maps.clusters import Clustering
from ximstudio.maps.stability import MapStability
from ximstudio.measure.catalogue import Measure
from ximstudio.measure.comparison import Comparison
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import ItemMap, LinearMap, PrototypeMap, Result
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.input import Input, Labelled
from ximstudio.prepare.recipe import Frozen
from ximstudio.prepare.step import Step
from ximstudio.session.projection import ProjectedFile
from ximstudio.session.run import Run
from ximstudio.session.session import Session
from ximstudio.store.json_values import JsonValue, damaged
from ximstudio.store.references import File
from ximstudio.train import Method

FORMAT = "ximstudio session"
SCHEMA = 8
"""The version that is written. Any change of `described()` needs a new one."""

Document: TypeAlias = dict[str, Any]
Migration: TypeAlias = Callable[[Document], Document]


def _with_makers(document: Document) -> Document:
    """Add `made_with`: schema 1 recorded only the program that saved the session."""
    made_with = {"program": document["program"], "versions": {}, "platform": {}}
    session = document["session"]
    runs = [{**run, "made_with": made_with} for run in session["runs"]]
    return {**document, "session": {**session, "runs": runs}}


def _with_colours(document: Document) -> Document:
    """Add `colour`: in schema 2 the position of a set determined its colour."""
    session = document["session"]
    sets = [{**each, "colour": None} for each in session["sets"]]
    return {**document, "session": {**session, "sets": sets}}


RENAMED: Mapping[str, str] = {
    "told_by": "old_label",
    "steadiness": "stability",
    "brought": "projected",
    "newcomers": "items",
}
"""Fields of runs, and of new items placed on them, by their names up to schema 7."""


def _with_plain_names(document: Document) -> Document:
    """Give fields of runs the names that they have since schema 8."""

    def renamed(values: Mapping[str, Any]) -> Document:
        return {RENAMED.get(name, name): value for name, value in values.items()}

    session = document["session"]
    runs = [
        {**run, "projected": [renamed(file) for file in run.get("projected", ())]}
        for run in map(renamed, session["runs"])
    ]
    return {**document, "session": {**session, "runs": runs}}


def _with_defaults(document: Document) -> Document:
    """Do nothing: fields that an older schema lacks take their defaults when they are read."""
    return document


MIGRATIONS: Mapping[int, Migration] = MappingProxyType(
    {
        1: _with_makers,
        2: _with_colours,
        **dict.fromkeys(range(3, 7), _with_defaults),
        7: _with_plain_names,
    }
)
"""By schema: function that converts a document to the next schema. Arrays stay."""


def migrated(
    document: Any,
    where: str,
    *,
    newest: int = SCHEMA,
    migrations: Mapping[int, Migration] = MIGRATIONS,
) -> Document:
    """Convert a document to the newest schema; refuse newer ones and anything else."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise not_a_session(where)
    schema = JsonValue(document.get("schema"), f"{where}: schema").whole(low=1)
    if schema > newest:
        raise UserError(
            key="session.newer",
            what="The session was saved by a newer version of the program"
            f" (schema {schema}; this one knows up to {newest}).",
            where=where,
            way_out="Update XIM Studio, then open the session again.",
        )
    found: Document = document
    for number in range(schema, newest):
        try:
            found = migrations[number](found)
        except UserError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError):
            raise damaged(where, f"it does not follow schema {number}") from None
    return found


def not_a_session(where: str) -> UserError:
    """Error: the file is something else."""
    return UserError(
        key="session.not_ours",
        what="This is not a session of XIM Studio.",
        where=where,
        way_out="Open a file that was saved as a session (.xims).",
    )


NAMED: Mapping[str, type] = {
    "axis": Axis,
    "table": Table,
    "reading": Reading,
    "labelled": Labelled,
    "input": Input,
    "frozen": Frozen,
    "matrix": Matrix,
    "dissimilarities": Dissimilarities,
    "result": Result,
    "prototypes": PrototypeMap,
    "relational": RelationalMap,
    "linear": LinearMap,
    "items": ItemMap,
}
"""Names in files of values that are shared or of several kinds."""

NAMES: Mapping[type, str] = {kind: name for name, kind in NAMED.items()}

SHARED: frozenset[type] = frozenset(
    {Axis, Table, Reading, Labelled, Input, Frozen, Matrix, Dissimilarities, Result}
)
"""Values that several others may hold: written once, and one object again after reading."""

BY_KEY: frozenset[type] = frozenset({Method, Measure, Step})
"""Parts of the program, which files refer to by key."""

LEFT_OUT: frozenset[tuple[type, str]] = frozenset({(Run, "evidence")})
"""Fields that can be computed again."""

FAMILIES: Mapping[Any, tuple[str, ...]] = {
    np.float64: ("<f8", "<f4"),
    np.float32: ("<f4", "<f8"),
    np.int64: ("<i8", "<i4", "<i2", "|i1"),
    np.bool_: ("|b1",),
    Any: ("<f8", "<f4", "<i8", "<i4", "|b1", "|u1"),
}
"""Types that an array may have in a file, by its declared type."""

STORED_AS: Mapping[str, str] = {
    "MethodParams": "Params",
    "ClusteredUnit": "Over",
    "MapStability": "Steadiness",
    "ProjectedFile": "Brought",
    "ProjectedItems": "Newcomers",
    "SetSide": "Side",
    "TableStatistics": "Statistics",
    "TrainingCurves": "Curves",
    "TrainingHistory": "History",
    "TrainingPlan": "Plan",
}
"""Names of classes in the description of the schema, where they have been renamed since."""

_LATE = {
    kind.__name__: kind
    for kind in (
        ProjectedFile,
        Clustering,
        Comparison,
        Joined,
        ProjectedItems,
        Params,
        MethodParams,
        MapStability,
    )
}
"""Classes that others import for the type checker only."""


_FIELDS: dict[type, Mapping[str, Any]] = {}
"""Cache."""


def fields_of(kind: type) -> Mapping[str, Any]:
    """Fields of a class that are stored, with their types."""
    if kind not in _FIELDS:
        hints = get_type_hints(kind, localns={**_LATE, "Values": Any})
        names = (each.name for each in dataclasses.fields(kind))
        _FIELDS[kind] = {name: hints[name] for name in names if (kind, name) not in LEFT_OUT}
    return _FIELDS[kind]


def with_defaults(kind: type) -> frozenset[str]:
    """Fields of a class that have defaults."""
    return frozenset(
        field.name
        for field in dataclasses.fields(kind)
        if field.default is not dataclasses.MISSING
        or field.default_factory is not dataclasses.MISSING
    )


def is_union(hint: Any) -> bool:
    """Return whether a type is a union."""
    return get_origin(hint) in (Union, types.UnionType)


def described() -> str:
    """Describe every stored class and the types of its fields, sorted by name."""
    found: dict[str, str] = {}
    open_ = [Session, File, *NAMED.values()]
    while open_:
        kind = open_.pop()
        if (name := _stored_name(kind)) in found or issubclass(kind, Params):
            continue
        fields = fields_of(kind)
        found[name] = ", ".join(f"{field}: {_type_text(hint)}" for field, hint in fields.items())
        open_ += [each for hint in fields.values() for each in _classes_in(hint)]
    return "".join(f"{name}({fields})\n" for name, fields in sorted(found.items()))


def _classes_in(hint: Any) -> list[type]:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return [] if hint in BY_KEY else [hint]
    return [each for part in get_args(hint) for each in _classes_in(part)]


def _type_text(hint: Any) -> str:
    if get_origin(hint) is np.ndarray:
        (kind,) = get_args(get_args(hint)[1]) or (Any,)
        return f"array of {getattr(kind, '__name__', kind)}"
    if is_union(hint):
        return " | ".join(_type_text(part) for part in get_args(hint))
    if get_args(hint):
        inner = ", ".join(_type_text(part) for part in get_args(hint))
        return f"{getattr(get_origin(hint), '__name__', hint)}[{inner}]"
    if hint is Ellipsis:
        return "..."
    return "None" if hint is type(None) else _stored_name(hint)


def _stored_name(hint: Any) -> str:
    name = getattr(hint, "__name__", str(hint))
    return STORED_AS.get(name, name)
