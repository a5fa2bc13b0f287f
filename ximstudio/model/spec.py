"""Declaration of a parameter: label, symbol, bounds, unit, equation and help, in one place.

The command line, the check before training, the estimators' messages, the record of a run and the
method's documentation all read these declarations; nothing about a parameter is written elsewhere.
"""

from __future__ import annotations

import dataclasses
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ximstudio.model.condition import Condition

AUTOMATIC = "auto"
"""Text by which the user leaves a value to the program."""

ONLY_USED, NEW_ITEMS_ONLY = "Only used if", "Only used to place new items on the finished map."
"""Sentences about parameters that do not always have an effect."""

ENTRY = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?:,|\Z)|([^,]*)(?:,|\Z)')
"""One of several texts between commas: quoted, with every quote in it doubled, or as it is."""


@dataclass(frozen=True, kw_only=True)
class Spec(ABC):
    """Declaration common to all kinds of parameters.

    `equation` names the report's equation ("TR 24"); `advanced` hides it from the short form.
    `when` tells under which other settings the parameter has an effect, None for always; one of
    `new_items` matters only for items that are placed on the finished map. Subclasses say what is
    allowed by `limits`, `read`, `converted`, `holds` and `written`.
    """

    label: str
    help: str
    symbol: str = ""
    unit: str = ""
    equation: str = ""
    advanced: bool = False
    when: Condition | None = None
    new_items: bool = False
    automatic: str = ""
    """If not empty, None is allowed and has this meaning."""

    @property
    def use(self) -> str:
        """Condition under which the parameter has an effect, as a sentence; '' for always."""
        if self.new_items:
            return NEW_ITEMS_ONLY
        return "" if self.when is None else f"{ONLY_USED} {self.when.text}."

    @property
    @abstractmethod
    def limits(self) -> str:
        """The values allowed besides None, in words."""

    @abstractmethod
    def read(self, text: str) -> Any:
        """Parse a value other than None."""

    @abstractmethod
    def converted(self, value: Any) -> Any:
        """Return `value` in the parameter's own type (lists become tuples)."""

    @abstractmethod
    def holds(self, value: Any) -> bool:
        """Return whether `value`, converted and not None, lies within the limits."""

    def written(self, value: Any) -> str:
        """Return a value other than None as `read` would read it back."""
        return str(value)

    @property
    def bounds(self) -> str:
        """The values allowed, in words: 'from 0 to 1'."""
        text = self.limits
        return f"{text}, or {AUTOMATIC} ({self.automatic})" if self.automatic else text

    def parse(self, text: str) -> Any:
        """Parse the value that the user wrote; raise ValueError if it cannot be one."""
        return None if self.automatic and text.strip() == AUTOMATIC else self.read(text)

    def normal(self, value: Any) -> Any:
        """Return `value` in the parameter's own type; raise ValueError if it has none."""
        return None if value is None and self.automatic else self.converted(value)

    def allows(self, value: Any) -> bool:
        """Return whether `value`, already normal, lies within the bounds."""
        return bool(self.automatic) if value is None else self.holds(value)

    def show(self, value: Any) -> str:
        """Return the value as `parse` would read it back."""
        return AUTOMATIC if value is None else self.written(value)


@dataclass(frozen=True, kw_only=True)
class Number(Spec):
    """A number between bounds; `above` excludes the lower bound itself."""

    low: float
    high: float
    whole: bool = False
    above: bool = False

    @property
    def limits(self) -> str:
        kind = "a whole number " if self.whole else ""
        low = f"above {self.low:g}" if self.above else f"from {self.low:g}"
        return f"{kind}{low} to {self.high:g}"

    def read(self, text: str) -> Any:
        return self.normal(float(text))

    def converted(self, value: Any) -> Any:
        if value is None or isinstance(value, bool | str):
            raise ValueError(value)
        try:
            number = float(value)
        except OverflowError:
            raise ValueError("it is too large") from None
        if not math.isfinite(number):
            raise ValueError(value)
        if not self.whole:
            return number
        if number != int(number):
            raise ValueError(value)
        return int(number)

    def holds(self, value: Any) -> bool:
        return bool((self.low < value if self.above else self.low <= value) and value <= self.high)


@dataclass(frozen=True, kw_only=True)
class Choice(Spec):
    """One of several named options, each with a sentence about what it does."""

    options: Mapping[str, str]

    @property
    def limits(self) -> str:
        return "one of " + ", ".join(self.options)

    def read(self, text: str) -> Any:
        return text.strip()

    def converted(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise ValueError(value)
        return str(value)

    def holds(self, value: Any) -> bool:
        return value in self.options


@dataclass(frozen=True, kw_only=True)
class Switch(Spec):
    """Yes or no."""

    @property
    def limits(self) -> str:
        return "yes or no"

    def read(self, text: str) -> Any:
        words = {"yes": True, "true": True, "on": True, "1": True}
        words |= {"no": False, "false": False, "off": False, "0": False}
        try:
            return words[text.strip().lower()]
        except KeyError:
            raise ValueError(text) from None

    def converted(self, value: Any) -> Any:
        if isinstance(value, str) or value not in (True, False):
            raise ValueError(value)
        return bool(value)

    def holds(self, value: Any) -> bool:
        return isinstance(value, bool)

    def written(self, value: Any) -> str:
        return "yes" if value else "no"


@dataclass(frozen=True, kw_only=True)
class Pair(Spec):
    """Two numbers that belong together: the start and end of an annealing, or rows and columns."""

    first: Number
    second: Number
    separator: str = ","
    automatic: str = ""
    """If not empty, None is allowed for the pair and has this meaning."""

    @property
    def limits(self) -> str:
        first, second = self.first, self.second
        return (
            f"{first.label} {first.bounds}, {second.label} {second.bounds},"
            f" written {first.label}{self.separator}{second.label}"
        )

    def read(self, text: str) -> Any:
        first, second = text.split(self.separator)
        return (self.first.parse(first), self.second.parse(second))

    def converted(self, value: Any) -> Any:
        if isinstance(value, str):
            raise ValueError(value)
        try:
            first, second = value
        except TypeError:
            raise ValueError(value) from None
        return (self.first.normal(first), self.second.normal(second))

    def holds(self, value: Any) -> bool:
        return self.first.allows(value[0]) and self.second.allows(value[1])

    def written(self, value: Any) -> str:
        return f"{self.first.show(value[0])}{self.separator}{self.second.show(value[1])}"


@dataclass(frozen=True, kw_only=True)
class FreeText(Spec):
    """A text, or None for one that is left open."""

    @property
    def limits(self) -> str:
        return f"a text, or {AUTOMATIC} to leave it open"

    def read(self, text: str) -> Any:
        return None if text == AUTOMATIC else text

    def converted(self, value: Any) -> Any:
        if value is not None and not isinstance(value, str):
            raise ValueError(value)
        return value

    def holds(self, value: Any) -> bool:
        return isinstance(value, str)

    def allows(self, value: Any) -> bool:
        return value is None or self.holds(value)


@dataclass(frozen=True, kw_only=True)
class FileName(FreeText):
    """The name of a file; empty for none."""

    @property
    def limits(self) -> str:
        return "the name of a file, or nothing"

    def read(self, text: str) -> Any:
        return text

    def converted(self, value: Any) -> Any:
        return super().converted("" if value is None else value)


@dataclass(frozen=True, kw_only=True)
class TextList(Spec):
    """Any number of texts, written with commas between them.

    A text in double quotes is taken literally. Other texts are stripped, and empty ones are
    dropped: quotes are the only way to write an empty text.
    """

    @property
    def limits(self) -> str:
        return "texts with commas between them, in double quotes where they hold commas"

    def read(self, text: str) -> Any:
        texts = []
        for quoted, plain in (match.groups() for match in ENTRY.finditer(text)):
            if quoted is not None:
                texts.append(quoted.replace('""', '"'))
            elif plain.lstrip().startswith('"'):
                raise ValueError(text)
            elif plain.strip():
                texts.append(plain.strip())
        return tuple(texts)

    def converted(self, value: Any) -> Any:
        if isinstance(value, str) or not all(isinstance(text, str) for text in value):
            raise ValueError(value)
        return tuple(value)

    def holds(self, value: Any) -> bool:
        return isinstance(value, tuple)

    def written(self, value: Any) -> str:
        return ",".join(_quoted(text) if _needs_quotes(text) else text for text in value)


def _needs_quotes(text: str) -> bool:
    return text != text.strip() or text in {"", AUTOMATIC} or "," in text or text[0] == '"'


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def param(default: Any, spec: Spec) -> Any:
    """Return a dataclass field that carries its declaration."""
    return dataclasses.field(default=default, metadata={"spec": spec})
