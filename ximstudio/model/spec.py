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
    `new_items` matters only for items that are placed on the finished map.
    """

    label: str
    help: str
    symbol: str = ""
    unit: str = ""
    equation: str = ""
    advanced: bool = False
    when: Condition | None = None
    new_items: bool = False

    @property
    def use(self) -> str:
        """Condition under which the parameter has an effect, as a sentence; '' for always."""
        if self.new_items:
            return NEW_ITEMS_ONLY
        return "" if self.when is None else f"{ONLY_USED} {self.when.text}."

    @property
    @abstractmethod
    def bounds(self) -> str:
        """The values allowed, in words: 'from 0 to 1'."""

    @abstractmethod
    def parse(self, text: str) -> Any:
        """Parse the value that the user wrote; raise ValueError if it cannot be one."""

    @abstractmethod
    def normal(self, value: Any) -> Any:
        """Return `value` in the parameter's own type (lists become tuples); raise ValueError if it
        has none.
        """

    @abstractmethod
    def allows(self, value: Any) -> bool:
        """Return whether `value`, already normal, lies within the bounds."""

    def show(self, value: Any) -> str:
        """Return the value as `parse` would read it back."""
        return AUTOMATIC if value is None else str(value)


@dataclass(frozen=True, kw_only=True)
class Number(Spec):
    """A number between bounds; `above` excludes the lower bound itself."""

    low: float
    high: float
    whole: bool = False
    above: bool = False
    automatic: str = ""
    """If not empty, None is allowed and has this meaning."""

    @property
    def bounds(self) -> str:
        kind = "a whole number " if self.whole else ""
        low = f"above {self.low:g}" if self.above else f"from {self.low:g}"
        text = f"{kind}{low} to {self.high:g}"
        return f"{text}, or {AUTOMATIC} ({self.automatic})" if self.automatic else text

    def parse(self, text: str) -> Any:
        if self.automatic and text.strip() == AUTOMATIC:
            return None
        return self.normal(float(text))

    def normal(self, value: Any) -> Any:
        if value is None:
            if self.automatic:
                return None
            raise ValueError(value)
        if isinstance(value, bool | str):
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

    def allows(self, value: Any) -> bool:
        if value is None:
            return bool(self.automatic)
        return bool((self.low < value if self.above else self.low <= value) and value <= self.high)


@dataclass(frozen=True, kw_only=True)
class Choice(Spec):
    """One of several named options, each with a sentence about what it does."""

    options: Mapping[str, str]
    automatic: str = ""
    """If not empty, None is allowed and has this meaning."""

    @property
    def bounds(self) -> str:
        text = "one of " + ", ".join(self.options)
        return f"{text}, or {AUTOMATIC} ({self.automatic})" if self.automatic else text

    def parse(self, text: str) -> Any:
        if self.automatic and text.strip() == AUTOMATIC:
            return None
        return self.normal(text.strip())

    def normal(self, value: Any) -> Any:
        if value is None and self.automatic:
            return None
        if not isinstance(value, str):
            raise ValueError(value)
        return str(value)

    def allows(self, value: Any) -> bool:
        return bool(self.automatic) if value is None else value in self.options


@dataclass(frozen=True, kw_only=True)
class Switch(Spec):
    """Yes or no."""

    @property
    def bounds(self) -> str:
        return "yes or no"

    def parse(self, text: str) -> Any:
        words = {"yes": True, "true": True, "on": True, "1": True}
        words |= {"no": False, "false": False, "off": False, "0": False}
        try:
            return words[text.strip().lower()]
        except KeyError:
            raise ValueError(text) from None

    def normal(self, value: Any) -> Any:
        if isinstance(value, str) or value not in (True, False):
            raise ValueError(value)
        return bool(value)

    def allows(self, value: Any) -> bool:
        return isinstance(value, bool)

    def show(self, value: Any) -> str:
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
    def bounds(self) -> str:
        first, second = self.first, self.second
        text = (
            f"{first.label} {first.bounds}, {second.label} {second.bounds},"
            f" written {first.label}{self.separator}{second.label}"
        )
        return f"{text}, or {AUTOMATIC} ({self.automatic})" if self.automatic else text

    def parse(self, text: str) -> Any:
        if self.automatic and text.strip() == AUTOMATIC:
            return None
        first, second = text.split(self.separator)
        return (self.first.parse(first), self.second.parse(second))

    def normal(self, value: Any) -> Any:
        if value is None and self.automatic:
            return None
        if isinstance(value, str):
            raise ValueError(value)
        try:
            first, second = value
        except TypeError:
            raise ValueError(value) from None
        return (self.first.normal(first), self.second.normal(second))

    def allows(self, value: Any) -> bool:
        if value is None:
            return bool(self.automatic)
        return self.first.allows(value[0]) and self.second.allows(value[1])

    def show(self, value: Any) -> str:
        if value is None:
            return AUTOMATIC
        return f"{self.first.show(value[0])}{self.separator}{self.second.show(value[1])}"


@dataclass(frozen=True, kw_only=True)
class FreeText(Spec):
    """A text, or None for one that is left open."""

    @property
    def bounds(self) -> str:
        return f"a text, or {AUTOMATIC} to leave it open"

    def parse(self, text: str) -> Any:
        return None if text == AUTOMATIC else text

    def normal(self, value: Any) -> Any:
        if value is not None and not isinstance(value, str):
            raise ValueError(value)
        return value

    def allows(self, value: Any) -> bool:
        return value is None or isinstance(value, str)


@dataclass(frozen=True, kw_only=True)
class FileName(FreeText):
    """The name of a file; empty for none."""

    @property
    def bounds(self) -> str:
        return "the name of a file, or nothing"

    def parse(self, text: str) -> Any:
        return text

    def normal(self, value: Any) -> Any:
        return super().normal("" if value is None else value)


@dataclass(frozen=True, kw_only=True)
class TextList(Spec):
    """Any number of texts, written with commas between them.

    A text in double quotes is taken literally. Other texts are stripped, and empty ones are
    dropped: quotes are the only way to write an empty text.
    """

    automatic: str = ""
    """If not empty, None is allowed and has this meaning."""

    @property
    def bounds(self) -> str:
        text = "texts with commas between them, in double quotes where they hold commas"
        return f"{text}, or {AUTOMATIC} ({self.automatic})" if self.automatic else text

    def parse(self, text: str) -> Any:
        if self.automatic and text.strip() == AUTOMATIC:
            return None
        texts = []
        for quoted, plain in (match.groups() for match in ENTRY.finditer(text)):
            if quoted is not None:
                texts.append(quoted.replace('""', '"'))
            elif plain.lstrip().startswith('"'):
                raise ValueError(text)
            elif plain.strip():
                texts.append(plain.strip())
        return tuple(texts)

    def normal(self, value: Any) -> Any:
        if value is None and self.automatic:
            return None
        if isinstance(value, str) or not all(isinstance(text, str) for text in value):
            raise ValueError(value)
        return tuple(value)

    def allows(self, value: Any) -> bool:
        return bool(self.automatic) if value is None else isinstance(value, tuple)

    def show(self, value: Any) -> str:
        if value is None:
            return AUTOMATIC
        return ",".join(_quoted(text) if _needs_quotes(text) else text for text in value)


def _needs_quotes(text: str) -> bool:
    return text != text.strip() or text in {"", AUTOMATIC} or "," in text or text[0] == '"'


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def param(default: Any, spec: Spec) -> Any:
    """Return a dataclass field that carries its declaration."""
    return dataclasses.field(default=default, metadata={"spec": spec})
