"""Which values a session is made of, under which names a file knows them, and which are shared.

A file has the fields of these classes under their own names, so a change of a class is a change of
the schema: `described` tells the whole of it, and a test compares that with what every schema was.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Union, get_args, get_origin, get_type_hints

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
from ximstudio.model.params import Params
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import ItemMap, LinearMap, PrototypeMap, Result
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.input import Input, Labelled
from ximstudio.prepare.recipe import Frozen
from ximstudio.prepare.step import Step
from ximstudio.session.projected import ProjectedFile
from ximstudio.session.run import Run
from ximstudio.session.session import Session
from ximstudio.store.references import File
from ximstudio.train import Method

NAMED: Mapping[str, type] = MappingProxyType(
    {
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
)
"""Values that are shared or of several kinds, and what a file calls them."""

NAMES: Mapping[type, str] = MappingProxyType({kind: name for name, kind in NAMED.items()})

SHARED: frozenset[type] = frozenset(
    {Axis, Table, Reading, Labelled, Input, Frozen, Matrix, Dissimilarities, Result}
)
"""Values that several others may hold: each is written once, and one again when it was read."""

BY_KEY: frozenset[type] = frozenset({Method, Measure, Step})
"""What the program has, and a file only names."""

LEFT_OUT: frozenset[tuple[type, str]] = frozenset({(Run, "evidence")})
"""What can be had again."""

FAMILIES: Mapping[Any, tuple[str, ...]] = MappingProxyType(
    {
        np.float64: ("<f8", "<f4"),
        np.float32: ("<f4", "<f8"),
        np.int64: ("<i8", "<i4", "<i2", "|i1"),
        np.bool_: ("|b1",),
        Any: ("<f8", "<f4", "<i8", "<i4", "|b1", "|u1"),
    }
)
"""Types that an array may have in a file, by the type that it is declared with."""

STORED_AS: Mapping[str, str] = MappingProxyType(
    {
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
)
"""Names of classes in the description of the schema, where the program has other names by now."""

_LATE = {
    kind.__name__: kind
    for kind in (
        ProjectedFile,
        Clustering,
        Comparison,
        Joined,
        ProjectedItems,
        Params,
        MapStability,
    )
}
"""Those that their users import for the type checker alone."""

_FIELDS: dict[type, Mapping[str, Any]] = {}
"""Worked out once."""


def fields_of(kind: type) -> Mapping[str, Any]:
    """The fields of a class that are stored, with their types."""
    if kind not in _FIELDS:
        hints = get_type_hints(kind, localns={**_LATE, "Values": Any})
        _FIELDS[kind] = MappingProxyType(
            {
                field.name: hints[field.name]
                for field in dataclasses.fields(kind)
                if (kind, field.name) not in LEFT_OUT
            }
        )
    return _FIELDS[kind]


def with_defaults(kind: type) -> frozenset[str]:
    """The fields of a class that need not be given."""
    return frozenset(
        field.name
        for field in dataclasses.fields(kind)
        if field.default is not dataclasses.MISSING
        or field.default_factory is not dataclasses.MISSING
    )


def is_union(hint: Any) -> bool:
    """Whether a type is one of several."""
    return get_origin(hint) in (Union, types.UnionType)


def described() -> str:
    """Every class that a file holds, and its fields with their types, in the order of names."""
    found: dict[str, str] = {}
    open_ = [Session, File, *NAMED.values()]
    while open_:
        kind = open_.pop()
        if (name := _stored_name(kind)) in found or issubclass(kind, Params):
            continue
        fields = fields_of(kind)
        found[name] = ", ".join(f"{field}: {_told(hint)}" for field, hint in fields.items())
        open_ += [each for hint in fields.values() for each in _classes_in(hint)]
    return "".join(f"{name}({fields})\n" for name, fields in sorted(found.items()))


def _classes_in(hint: Any) -> list[type]:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return [] if hint in BY_KEY else [hint]
    return [each for part in get_args(hint) for each in _classes_in(part)]


def _told(hint: Any) -> str:
    if get_origin(hint) is np.ndarray:
        (kind,) = get_args(get_args(hint)[1]) or (Any,)
        return f"array of {getattr(kind, '__name__', kind)}"
    if is_union(hint):
        return " | ".join(_told(part) for part in get_args(hint))
    if get_args(hint):
        inner = ", ".join(_told(part) for part in get_args(hint))
        return f"{getattr(get_origin(hint), '__name__', hint)}[{inner}]"
    if hint is Ellipsis:
        return "..."
    return "None" if hint is type(None) else _stored_name(hint)


def _stored_name(hint: Any) -> str:
    name = getattr(hint, "__name__", str(hint))
    return STORED_AS.get(name, name)
