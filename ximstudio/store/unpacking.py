"""Convert plain JSON values to a session; refuse inconsistent ones with their address."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from ximstudio.doctor.finding import Address, Addresses
from ximstudio.maps.clusters import Clustering, clustering_named
from ximstudio.measure.catalogue import Measure, measure_named
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.model.result import Result
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.planned import Planned, planned_of
from ximstudio.session.plan import TrainingPlan
from ximstudio.store.checks import problem_of, sparse_of
from ximstudio.store.json_values import JsonValue
from ximstudio.store.parts import Parts
from ximstudio.store.schema import (
    FAMILIES,
    NAMED,
    NAMES,
    SHARED,
    fields_of,
    is_union,
    with_defaults,
)
from ximstudio.train import Method, method_named

MOST_TEXT = 2**30
"""Largest array of texts in bytes; each text takes as much as the longest."""

_SIMPLE: Mapping[type, Callable[[JsonValue], Any]] = {
    bool: JsonValue.flag,
    int: JsonValue.whole,
    float: JsonValue.number,
    str: JsonValue.text,
}
"""By type: function that reads a value of JSON itself."""
_BY_NAME: Mapping[type, Callable[[JsonValue], Any]] = {
    Method: lambda plain: method_named(plain.text()),
    Measure: lambda plain: measure_named(plain.text()),
    Planned: lambda plain: planned_of(plain.value),
}
"""By type: function that finds a part of the program."""


class Unpacking:
    """Converts plain values to those of a session.

    Parameters
    ----------
    objects
        Shared objects: each may refer only to earlier ones.
    parts
        Source of arrays and texts.
    room
        Bytes available for what is larger in memory than in the file.
    older
        Whether an earlier version wrote them: fields that it did not know take their defaults.
    """

    def __init__(
        self, objects: JsonValue, parts: Parts, *, room: float, older: bool = False
    ) -> None:
        self._objects = list(objects.entries())
        self._made: dict[int, Any] = {}
        self._matrices: dict[int, Matrix] = {}
        self._limit = len(self._objects)
        self._parts = parts
        self._room = room
        self._older = older

    def matrix_of(self, table: Table) -> Matrix | None:
        """Return the matrix of a table that was read, if something was trained on it."""
        return self._matrices.get(id(table))

    def unpack(self, plain: JsonValue, hint: Any) -> Any:  # noqa: PLR0911  (one for each kind)
        """Convert a value to this type."""
        if hint is Any:
            return plain.anything()
        if is_union(hint):
            return self._one_of(plain, get_args(hint))
        origin = get_origin(hint)
        if origin is np.ndarray:
            return self._array(plain, hint)
        if origin is tuple:
            return self._tuple(plain, get_args(hint))
        if origin is frozenset:
            return frozenset(self._texts(plain))
        if isinstance(origin, type) and issubclass(origin, Mapping):
            inner = get_args(hint)[1]
            return {name: self.unpack(each, inner) for name, each in plain.named()}
        if origin is not None and issubclass(origin, Sequence):
            return self._addresses(plain)
        return self._plain(plain, hint)

    def _plain(self, plain: JsonValue, hint: Any) -> Any:
        if hint in _SIMPLE:
            return _SIMPLE[hint](plain)
        if issubclass(hint, Enum):
            try:
                return hint(plain.text())
            except ValueError:
                raise plain.refused(f"'{plain.text()[:50]}' is unknown") from None
        if hint in _BY_NAME:
            with _known(plain):
                return _BY_NAME[hint](plain)
        if issubclass(hint, Params):
            return _params(plain, hint)
        return self._object(plain, hint)

    def _one_of(self, plain: JsonValue, hints: tuple[Any, ...]) -> Any:
        if plain.value is None and type(None) in hints:
            return None
        others = [hint for hint in hints if hint is not type(None)]
        if len(others) == 1:
            return self.unpack(plain, others[0])
        return self._object(plain, *others)

    def _tuple(self, plain: JsonValue, hints: tuple[Any, ...]) -> tuple[Any, ...]:
        if hints == (str, Ellipsis):
            return self._texts(plain)
        if hints[-1] is Ellipsis:
            return tuple(self.unpack(each, hints[0]) for each in plain.entries())
        entries = list(plain.entries())
        if len(entries) != len(hints):
            raise plain.refused(f"{len(hints)} entries are expected instead of {len(entries)}")
        if hints in ((Method, Params), (Method, MethodParams)):
            method = self.unpack(entries[0], Method)
            return (method, _params(entries[1], method.params))
        return tuple(self.unpack(each, hint) for each, hint in zip(entries, hints, strict=True))

    def _texts(self, plain: JsonValue) -> tuple[str, ...]:
        if isinstance(plain.value, list):
            return plain.texts()
        name = plain.fields(["part"])["part"].text()
        return self._parts.texts(name, plain)

    def _array(self, plain: JsonValue, hint: Any) -> NDArray[Any]:
        (kind,) = get_args(get_args(hint)[1]) or (Any,)
        if kind is Any and isinstance(plain.value, dict):
            return self._array_of_texts(plain)
        return self._parts.array(plain.text(), FAMILIES[kind], plain)

    def _array_of_texts(self, plain: JsonValue) -> NDArray[Any]:
        fields = plain.fields(["texts", "width"])
        texts, width = self._texts(fields["texts"]), fields["width"].whole(low=1)
        if width < max(map(len, texts), default=0) or 4 * width * max(len(texts), 1) > MOST_TEXT:
            raise plain.refused("texts are longer than stated")
        return np.array(texts, dtype=f"<U{width}")

    def _addresses(self, plain: JsonValue) -> Sequence[Address]:
        if isinstance(plain.value, list):
            pairs = [self._tuple(each, (int | None, int | None)) for each in plain.entries()]
            return tuple(Address(*pair) for pair in pairs)
        fields = plain.fields(["items", "features"])
        sides = {name: self._copied(fields[name]) for name in fields}
        with self._fitting(plain):
            return Addresses(**sides)

    def _copied(self, plain: JsonValue) -> NDArray[Any]:
        """Read integers that their owner copies; each use takes memory."""
        array = self._parts.array(plain.text(), FAMILIES[np.int64], plain)
        self._take_room(array.nbytes, plain)
        return array

    def _take_room(self, n_bytes: float, plain: JsonValue) -> None:
        self._room -= n_bytes
        if self._room < 0:
            raise too_large(plain.where)

    def _object(self, plain: JsonValue, *hints: Any) -> Any:
        if any(hint in SHARED for hint in hints):
            return self._shared(plain, hints)
        if any(issubclass(kind, hint) for kind in NAMES for hint in hints):
            return self._named(plain, hints)
        return self._with_fields(plain, hints[0])

    def _shared(self, plain: JsonValue, hints: tuple[Any, ...]) -> Any:
        number = plain.whole(low=0)
        if number >= self._limit:
            raise plain.refused("it refers to a later object")
        if number not in self._made:
            outer, self._limit = self._limit, number
            self._made[number] = self._named(self._objects[number], tuple(SHARED))
            self._limit = outer
        if not isinstance(self._made[number], hints):
            raise plain.refused("it refers to an object of the wrong kind")
        return self._made[number]

    def _named(self, plain: JsonValue, hints: tuple[Any, ...]) -> Any:
        """Convert a value that states its kind, which has to be one of these."""
        fields = dict(plain.named())
        if "is" not in fields:
            raise plain.refused("its kind is missing")
        kind = NAMED.get(fields.pop("is").text())
        if kind is None or not issubclass(kind, hints):
            raise plain.refused("it is of the wrong kind")
        rest = JsonValue({name: each.value for name, each in fields.items()}, plain.where)
        if issubclass(kind, Matrix):
            return self._matrix(rest, kind)
        return self._table(rest) if kind is Table else self._with_fields(rest, kind)

    def _with_fields(self, plain: JsonValue, kind: Any) -> Any:
        hints = fields_of(kind)
        fields = plain.fields(list(hints), optional=self._optional(kind))
        return self._built(plain, kind, fields, hints)

    def _optional(self, kind: type) -> Collection[str]:
        """Fields that may be absent."""
        return with_defaults(kind) if self._older else ()

    def _built(
        self, plain: JsonValue, kind: Any, fields: Mapping[str, JsonValue], hints: Mapping[str, Any]
    ) -> Any:
        values: dict[str, Any] = {}
        for name, hint in hints.items():
            if name not in fields:
                continue
            if name == "params" and hint in (Params, MethodParams):
                values[name] = _params(fields[name], _params_of(kind, values, plain))
            elif kind is TrainingPlan and name == "parameters":
                values[name] = dict(_parameters(fields[name]))
            elif kind is Axis and name == "numbers":
                numbers = fields[name]
                values[name] = None if numbers.value is None else self._copied(numbers)
            else:
                values[name] = self.unpack(fields[name], hint)
        return self._checked(plain, kind, values)

    def _checked(self, plain: JsonValue, kind: Any, values: Mapping[str, Any]) -> Any:
        with self._fitting(plain):
            made = kind(**values)
            wrong = problem_of(made)
        if wrong:
            raise plain.refused(wrong)
        return made

    @contextmanager
    def _fitting(self, plain: JsonValue) -> Iterator[None]:
        """Report as damage whatever a value refuses to be constructed from."""
        try:
            yield
        except UserError as error:
            raise plain.refused(error) from None
        except (ValueError, TypeError, LookupError, ArithmeticError, AssertionError, MemoryError):
            raise plain.refused("its parts do not fit together") from None

    def _matrix(self, plain: JsonValue, kind: type[Matrix]) -> Matrix:
        fields = dict(plain.named())
        if "of" in fields and kind is Matrix:
            stored = plain.fields(["of", "fingerprint"])
            table = self._shared(stored["of"], (Table,))
            if table.is_sparse:
                self._take_room(8.0 * table.n_items * table.n_features, plain)
            with self._fitting(plain):
                matrix: Matrix = table.matrix()
            self._matrices[id(table)] = matrix
        else:
            hints = fields_of(kind)
            stored = plain.fields([*hints, "fingerprint"], optional=self._optional(kind))
            matrix = self._built(plain, kind, stored, hints)
        stated = self.unpack(stored["fingerprint"], str | None)
        if stated is not None and matrix.fingerprint != stated:
            raise plain.refused("its values are corrupt")
        return matrix

    def _table(self, plain: JsonValue) -> Table:
        hints = fields_of(Table)
        fields = plain.fields(list(hints))
        sides = {name: self.unpack(fields[name], Axis) for name in ("items", "features")}
        found = fields["values"]
        values: Any
        if isinstance(found.value, dict):
            parts = found.fields(["data", "indices", "indptr"])
            kinds = {"data": np.float64, "indices": np.int64, "indptr": np.int64}
            arrays = {
                name: self._parts.array(parts[name].text(), FAMILIES[kinds[name]], parts[name])
                for name in kinds
            }
            with self._fitting(found):
                shape = (len(sides["items"]), len(sides["features"]))
                values = sparse_of(shape, **arrays)
        else:
            values = self._parts.array(found.text(), ("<f8",), found)
        given = {**sides, "values": values, "source": fields["source"].text()}
        return self._checked(plain, Table, given)  # type: ignore[no-any-return]


def too_large(where: str) -> UserError:
    """Error: the session does not fit into memory."""
    return UserError(
        key="session.memory",
        what="The session does not fit into the available memory.",
        where=where,
        way_out="Close other programs, or open it on a computer with more memory.",
    )


@contextmanager
def _known(plain: JsonValue) -> Iterator[None]:
    """Report unknown names as those of another version of the program."""
    try:
        yield
    except UserError as error:
        raise UserError(
            key="session.unknown",
            what=f"The session uses something that this version does not have."
            f" {error.problems[0].what}",
            where=plain.where,
            way_out="Open it with the version that saved it.",
        ) from None
    except (TypeError, ValueError, AttributeError):
        raise plain.refused("it is corrupt") from None


def _params(plain: JsonValue, kind: type[Params]) -> Params:
    values = {name: each.value for name, each in plain.named()}
    with _known(plain):
        return kind.from_values(values)


def _params_of(kind: Any, values: Mapping[str, Any], plain: JsonValue) -> type[Params]:
    """Return the class of parameters of the method that a value names."""
    named: dict[Any, Callable[[str], Any]] = {Result: method_named, Clustering: clustering_named}
    with _known(plain):
        found: type[Params] = named[kind](values["method"]).params
    return found


def _parameters(plain: JsonValue) -> Iterator[tuple[str, Params]]:
    for key, each in plain.named():
        with _known(each):
            method = method_named(key)
        yield key, _params(each, method.params)
