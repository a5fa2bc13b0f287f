"""An estimated number with its standard error of sampling."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """The value of a measure; `error` is the standard error of sampling, 0 where it is exact."""

    value: float
    error: float = 0.0

    @property
    def exact(self) -> bool:
        return self.error == 0.0
