"""Declarations of parameters that only steps have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ximstudio.model.spec import Choice, Spec
from ximstudio.model.table import FEATURES, ITEMS

MOST = 2**53


@dataclass(frozen=True, kw_only=True)
class SideSpec(Choice):
    """A side of the table: "genes" or "samples", in either orientation.

    "items" and "features", as in older recipes, mean what is mapped and what describes it; they are
    bound to a side when the recipe is applied to its table.
    """

    @property
    def limits(self) -> str:
        return f"{super().limits} (or {ITEMS}, {FEATURES}: what is mapped, and by what)"

    def holds(self, value: Any) -> bool:
        return value in (ITEMS, FEATURES) or super().holds(value)


@dataclass(frozen=True, kw_only=True)
class Places(Spec):
    """Places along a side of the table, counted from 1."""

    @property
    def limits(self) -> str:
        return "whole numbers from 1, with commas between them"

    def read(self, text: str) -> Any:
        return tuple(int(part) for part in text.split(",") if part.strip())

    def converted(self, value: Any) -> Any:
        if isinstance(value, str):
            raise ValueError(value)
        numbers = tuple(int(number) for number in value)
        if any(isinstance(given, bool) or given != int(given) for given in value):
            raise ValueError(value)
        return numbers

    def holds(self, value: Any) -> bool:
        return isinstance(value, tuple) and all(1 <= number <= MOST for number in value)

    def written(self, value: Any) -> str:
        return ",".join(str(number) for number in value)
