"""Plain JSON values → typed ones; whatever is not as it should be is refused with its address."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ximstudio.model.problem import UserError

NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
"""JSON has no words for these numbers."""


LARGEST = 2**500
"""Largest whole number: a seed may be longer than machines count, but has to fit into a float, as
has the product of two sizes."""


DEEPEST = 50
"""Levels of values whose form nothing tells."""


def damaged(where: str, why: str) -> UserError:
    """The file is not as it was written."""
    return UserError(
        key="session.damaged",
        what=f"This session is damaged: {why}.",
        where=where,
        way_out="Open a copy of it, or what was kept by itself if the program offers it.",
    )


def plain_number(value: float) -> float | str:
    """A number as JSON can hold it; `JsonValue.number` reads it back."""
    number = float(value)
    if math.isfinite(number):
        return number
    return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"


def parsed(content: bytes, where: str) -> Any:
    """What a text of JSON says."""
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise damaged(where, "a part of it is no JSON") from None


@dataclass(frozen=True)
class JsonValue:
    """A value of JSON, and where it stands."""

    value: Any
    where: str

    def refused(self, why: str) -> UserError:
        return damaged(self.where, why)

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.refused("there is something else where a text should be")
        return self.value

    def whole(self, *, low: int | None = None) -> int:
        value = self.value
        right = isinstance(value, int) and not isinstance(value, bool)
        if not right or (low is not None and value < low):
            raise self.refused("there is something else where a whole number should be")
        if abs(value) > LARGEST:
            raise self.refused("there is a number that is too large")
        return int(value)

    def number(self) -> float:
        value = self.value
        if isinstance(value, str) and value in NOT_FINITE:
            return NOT_FINITE[value]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refused("there is something else where a number should be")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.refused("there is a number that is too large")
        return number

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.refused("there is something else where yes or no should be")
        return self.value

    def entries(self) -> Iterator[JsonValue]:
        """The entries of a list, each with its address."""
        if not isinstance(self.value, list):
            raise self.refused("there is something else where a list should be")
        for number, value in enumerate(self.value):
            yield JsonValue(value, f"{self.where}[{number}]")

    def texts(self) -> tuple[str, ...]:
        """A list of texts; together, for there may be a million."""
        if not isinstance(self.value, list) or not all(
            isinstance(each, str) for each in self.value
        ):
            raise self.refused("there is something else where a list of texts should be")
        return tuple(self.value)

    def named(self) -> Iterator[tuple[str, JsonValue]]:
        """The entries of an object, whatever their names."""
        if not isinstance(self.value, dict):
            raise self.refused("there is something else where named values should be")
        for name, value in self.value.items():
            yield name, JsonValue(value, f"{self.where}.{name[:50]}")

    def fields(
        self, names: Sequence[str], *, optional: Collection[str] = ()
    ) -> dict[str, JsonValue]:
        """The entries of an object that has exactly these names, or lacks some optional ones."""
        found = dict(self.named())
        for name in names:
            if name not in found and name not in optional:
                raise self.refused(f"'{name}' is not there")
        other = next((name for name in found if name not in names), None)
        if other is not None:
            raise self.refused(f"'{other[:50]}' should not be there")
        return found

    def anything(self, levels: int = DEEPEST) -> Any:
        """The value, whatever it is, with tuples for lists; refused if it is nested too deeply."""
        if isinstance(self.value, dict | list) and not levels:
            raise self.refused("values are nested too deeply")
        if isinstance(self.value, dict):
            return {name: each.anything(levels - 1) for name, each in self.named()}
        if isinstance(self.value, list):
            return tuple(each.anything(levels - 1) for each in self.entries())
        return self.value


def _no_constant(name: str) -> float:
    raise ValueError(name)
