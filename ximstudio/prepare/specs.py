"""Declarations of parameters that only steps have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ximstudio.model.spec import Choice, Spec
from ximstudio.model.table import FEATURES, ITEMS

MOST = 2**53


@dataclass(frozen=True, kw_only=True)
class Side(Choice):
    """A side of the table: "genes" or "samples", whichever way round it stands.

    "items" and "features", as recipes of before say, mean what is mapped and what it is described
    by; they are bound to a side when the recipe meets its table.
    """

    @property
    def bounds(self) -> str:
        return f"{super().bounds} (or {ITEMS}, {FEATURES}: what is mapped, and by what)"

    def allows(self, value: Any) -> bool:
        return value in (ITEMS, FEATURES) or super().allows(value)


@dataclass(frozen=True, kw_only=True)
class Places(Spec):
    """Places along a side of the table, counted from 1."""

    @property
    def bounds(self) -> str:
        return "whole numbers from 1, with commas between them"

    def parse(self, text: str) -> Any:
        return tuple(int(part) for part in text.split(",") if part.strip())

    def normal(self, value: Any) -> Any:
        if isinstance(value, str):
            raise ValueError(value)
        numbers = tuple(int(number) for number in value)
        if any(isinstance(given, bool) or given != int(given) for given in value):
            raise ValueError(value)
        return numbers

    def allows(self, value: Any) -> bool:
        return isinstance(value, tuple) and all(1 <= number <= MOST for number in value)

    def show(self, value: Any) -> str:
        return ",".join(str(number) for number in value)
