"""Convert a session to plain values for JSON, with arrays and texts as separate parts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ximstudio.doctor.finding import Addresses
from ximstudio.measure.catalogue import Measure
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.table import Table
from ximstudio.prepare.planned import Planned
from ximstudio.session.data import Data
from ximstudio.store.json_values import plain_number
from ximstudio.store.parts import FEWEST_TEXTS, CollectedParts, Texts
from ximstudio.store.schema_types import NAMES, SHARED, fields_of
from ximstudio.train import Method


class SessionPacker:
    """Converts the values of a session; `objects` holds the shared ones, parts before wholes.

    A matrix that derives from the table of `data` is stored as a reference to that table.
    """

    def __init__(self, parts: CollectedParts, data: Data | None) -> None:
        self.objects: list[dict[str, Any]] = []
        self._parts = parts
        self._places: dict[int, int] = {}
        self._data = data

    def pack(self, value: Any) -> Any:  # noqa: PLR0911  (one for each kind)
        """Convert a value to plain values; `Unpacking.unpack` reverses it."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return str(value)
        if isinstance(value, int | np.integer):
            return int(value)
        if isinstance(value, float | np.floating):
            return plain_number(float(value))
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, Mapping):
            return {str(name): self.pack(each) for name, each in value.items()}
        if isinstance(value, Addresses):
            return {"items": self.pack(value.items), "features": self.pack(value.features)}
        if isinstance(value, frozenset):
            return self._texts(value)
        if isinstance(value, tuple | list):
            if len(value) >= FEWEST_TEXTS and all(isinstance(each, str) for each in value):
                return self._texts(tuple(value))
            return [self.pack(each) for each in value]
        return self._object(value)

    def _texts(self, texts: Texts) -> Any:
        if len(texts) < FEWEST_TEXTS:
            return sorted(texts)
        return {"part": self._parts.add_texts(texts)}

    def _array(self, array: NDArray[Any]) -> Any:
        if array.dtype.kind != "U":
            return self._parts.add_array(array)
        texts = tuple(str(text) for text in array)
        return {"texts": self.pack(texts), "width": max(array.dtype.itemsize // 4, 1)}

    def _object(self, value: Any) -> Any:
        if isinstance(value, Params):
            return value.as_values()
        if isinstance(value, Method | Measure):
            return value.key
        if isinstance(value, Planned):
            parameters = value.params.as_values()
            return {"step": value.step.key, "parameters": parameters, "on": value.on}
        kind = type(value)
        if kind not in SHARED:
            named = {"is": NAMES[kind]} if kind in NAMES else {}
            return {**named, **self._fields(value)}
        if id(value) not in self._places:
            # What it holds comes before it, so that nothing can hold itself.
            packed = {"is": NAMES[kind], **self._fields(value)}
            self.objects.append(packed)
            self._places[id(value)] = len(self.objects) - 1
        return self._places[id(value)]

    def _fields(self, value: Any) -> dict[str, Any]:
        if isinstance(value, Matrix):
            return self._matrix(value)
        if isinstance(value, Table):
            return {**self._plain_fields(value, without="values"), **self._values(value)}
        return self._plain_fields(value)

    def _plain_fields(self, value: Any, *, without: str = "") -> dict[str, Any]:
        assert dataclasses.is_dataclass(value), f"{type(value)} is not stored"
        return {
            name: self.pack(getattr(value, name))
            for name in fields_of(type(value))
            if name != without
        }

    def _matrix(self, matrix: Matrix) -> dict[str, Any]:
        # Only if it is known already: computing it takes a second or more, and nobody asked for it.
        fingerprint = {"fingerprint": vars(matrix).get("fingerprint")}
        data = self._data
        if data is not None and data.opened is not None and matrix is data.matrix:
            return {"of": self.pack(data.opened.prepared.table), **fingerprint}
        return {**self._plain_fields(matrix), **fingerprint}

    def _values(self, table: Table) -> dict[str, Any]:
        values = table.values
        if isinstance(values, np.ndarray):
            return {"values": self.pack(values)}
        parts = {"data": values.data, "indices": values.indices, "indptr": values.indptr}
        return {"values": {name: self.pack(part) for name, part in parts.items()}}
