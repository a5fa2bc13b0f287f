"""Convert plain JSON values to typed ones; refuse anything unexpected with its address."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ximstudio.model.problem import UserError, because

NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
"""Numbers that JSON cannot express."""

LARGEST = 2**500
"""Largest integer: a seed may exceed 64 bits, but it has to fit into a float, as has the product
of two sizes.
"""

DEEPEST = 50
"""Deepest nesting of values without a declared type."""


def damaged(where: str, why: str | UserError) -> UserError:
    """Error: the file is damaged."""
    return UserError(
        key="session.damaged",
        what=because("This session is damaged", why),
        where=where,
        way_out="Open a copy of it, or an autosave if the program offers one.",
    )


def plain_number(value: float) -> float | str:
    """Convert a number to what JSON can hold; `JsonValue.number` reads it back."""
    number = float(value)
    if math.isfinite(number):
        return number
    return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"


def parsed(content: bytes, where: str) -> Any:
    """Parse JSON."""
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise damaged(where, "a part of it is not valid JSON") from None


@dataclass(frozen=True)
class JsonValue:
    """A JSON value and its address."""

    value: Any
    where: str

    def refused(self, why: str | UserError) -> UserError:
        return damaged(self.where, why)

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.refused("a text is expected here")
        return self.value

    def whole(self, *, low: int | None = None) -> int:
        value = self.value
        right = isinstance(value, int) and not isinstance(value, bool)
        if not right or (low is not None and value < low):
            raise self.refused("a whole number is expected here")
        if abs(value) > LARGEST:
            raise self.refused("a number is too large")
        return int(value)

    def number(self) -> float:
        value = self.value
        if isinstance(value, str) and value in NOT_FINITE:
            return NOT_FINITE[value]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refused("a number is expected here")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.refused("a number is too large")
        return number

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.refused("true or false is expected here")
        return self.value

    def entries(self) -> Iterator[JsonValue]:
        """Yield the entries of a list, each with its address."""
        if not isinstance(self.value, list):
            raise self.refused("a list is expected here")
        for number, value in enumerate(self.value):
            yield JsonValue(value, f"{self.where}[{number}]")

    def texts(self) -> tuple[str, ...]:
        """Return a list of texts; checked as a whole, as there may be a million."""
        if not isinstance(self.value, list) or not all(
            isinstance(each, str) for each in self.value
        ):
            raise self.refused("a list of texts is expected here")
        return tuple(self.value)

    def named(self) -> Iterator[tuple[str, JsonValue]]:
        """Yield the entries of an object, whatever their names."""
        if not isinstance(self.value, dict):
            raise self.refused("named values are expected here")
        for name, value in self.value.items():
            yield name, JsonValue(value, f"{self.where}.{name[:50]}")

    def fields(
        self, names: Sequence[str], *, optional: Collection[str] = ()
    ) -> dict[str, JsonValue]:
        """Return the entries of an object with exactly these names; `optional` ones may lack."""
        found = dict(self.named())
        for name in names:
            if name not in found and name not in optional:
                raise self.refused(f"'{name}' is missing")
        other = next((name for name in found if name not in names), None)
        if other is not None:
            raise self.refused(f"'{other[:50]}' is unknown")
        return found

    def anything(self, levels: int = DEEPEST) -> Any:
        """Return the value, whatever it is, with tuples for lists; refuse excessive nesting."""
        if isinstance(self.value, dict | list) and not levels:
            raise self.refused("values are nested too deeply")
        if isinstance(self.value, dict):
            return {name: each.anything(levels - 1) for name, each in self.named()}
        if isinstance(self.value, list):
            return tuple(each.anything(levels - 1) for each in self.entries())
        return self.value


def _no_constant(name: str) -> float:
    raise ValueError(name)
