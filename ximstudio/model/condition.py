"""Conditions under which a parameter has an effect, declared beside it as `Spec.when`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Condition(ABC):
    """A statement about the other parameters of a set; `a & b` joins two."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The condition as the end of a sentence that begins with "Only used if"."""

    @abstractmethod
    def holds(self, params: Any) -> bool:
        """Return whether these parameters meet the condition."""

    def __and__(self, other: Condition) -> Condition:
        return All((self, other))


@dataclass(frozen=True, init=False)
class OneOf(Condition):
    """A parameter has one of these values."""

    name: str
    values: tuple[str, ...]

    def __init__(self, name: str, *values: str) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "values", values)

    @property
    def text(self) -> str:
        return " or ".join(f"{self.name}={value}" for value in self.values)

    def holds(self, params: Any) -> bool:
        return getattr(params, self.name) in self.values


@dataclass(frozen=True, init=False)
class NoneOf(OneOf):
    """A parameter has none of these values."""

    @property
    def text(self) -> str:
        return f"'{self.name}' is not {' or '.join(self.values)}"

    def holds(self, params: Any) -> bool:
        return not super().holds(params)


@dataclass(frozen=True)
class Above(Condition):
    """A number is larger than a bound."""

    name: str
    bound: float = 0.0

    @property
    def text(self) -> str:
        return f"'{self.name}' is above {self.bound:g}"

    def holds(self, params: Any) -> bool:
        return bool(getattr(params, self.name) > self.bound)


@dataclass(frozen=True)
class Fact(Condition):
    """A property of the parameters that says yes or no, and what it depends on in words."""

    name: str
    words: str

    @property
    def text(self) -> str:
        return self.words

    def holds(self, params: Any) -> bool:
        return bool(getattr(params, self.name))


@dataclass(frozen=True)
class All(Condition):
    """All of several conditions."""

    parts: tuple[Condition, ...]

    @property
    def text(self) -> str:
        return ", and ".join(part.text for part in self.parts)

    def holds(self, params: Any) -> bool:
        return all(part.holds(params) for part in self.parts)
