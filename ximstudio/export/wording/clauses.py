"""What sentences about a map are made of, and how numbers and lists stand in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ximstudio.export.wording.references import Citations
from ximstudio.model.params import Params
from ximstudio.model.result import Result
from ximstudio.model.spec import Choice, Pair, Spec, Switch, TextList
from ximstudio.model.words import number

DIGITS = 4
"""Digits of a parameter in print: those that people give have fewer, and noise has more."""
NAMED = 5
"""How many of a long list are named."""


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A sentence, and the parameters that it tells."""

    text: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Telling:
    """What a sentence may speak of.

    Parameters
    ----------
    result
        The map.
    params
        Its parameters, with everything that was left open as it was chosen.
    citations
        What was cited before; sentences add to it.
    n_brought
        How many items were placed on the map after training.
    n_missing
        How many values of its table were missing.
    """

    result: Result
    params: Any
    citations: Citations
    n_brought: int = 0
    n_missing: int = 0

    @property
    def n_items(self) -> int:
        return len(self.result.item_ids)


@dataclass(frozen=True, kw_only=True)
class Group:
    """Parameters that are told together: of these classes, by this function."""

    of: type[Params]
    tell: Callable[[Telling], Iterator[Clause]]

    def clauses(self, telling: Telling) -> Iterator[Clause]:
        """The sentences of the group; none of parameters that do not belong to it."""
        if isinstance(telling.params, self.of):
            yield from self.tell(telling)


def listed(parts: Sequence[str], *, word: str = "and") -> str:
    """Several parts as a sentence lists them: "a", "a and b", "a, b and c"."""
    *first, last = parts
    return f"{', '.join(first)} {word} {last}" if first else last


def shortened(parts: Sequence[str]) -> str:
    """The first of many parts, and how many more there are."""
    if len(parts) <= NAMED + 1:
        return listed(parts)
    return listed([*parts[:NAMED], f"{number(len(parts) - NAMED, DIGITS)} more"])


def quoted(name: str) -> str:
    """A name that somebody gave, as it stands in a sentence: nothing in it ends the quotation."""
    return "'" + name.replace("'", "’") + "'"


def printed(value: float) -> str:
    """A number as it is printed: whole numbers as they are, others without noise."""
    return number(value, DIGITS if value != int(value) else 12)


NUMERALS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def worded(n: int) -> str:
    """A whole number that begins a sentence or stands in one: in letters if it is small."""
    return NUMERALS[n] if n < len(NUMERALS) else number(n, 12)


def percent(share: float) -> str:
    """A share of 1 as per cent."""
    return f"{number(100.0 * share, 3)} %"


def with_unit(text: str, unit: str) -> str:
    """A number with its declared unit: "0.4 grid units", "1.5 times the median distance …"."""
    if not unit:
        return text
    return f"{text} times the {unit[2:]}" if unit.startswith("× ") else f"{text} {unit}"


def told_value(spec: Spec, value: Any) -> str:
    """Any value of a declared parameter, for want of a sentence made for it."""
    told = f"'{value}'"
    if value is None:
        told = "chosen by the program"
    elif isinstance(spec, Pair):
        told = f"{told_value(spec.first, value[0])} and {told_value(spec.second, value[1])}"
    elif isinstance(spec, Switch):
        told = spec.show(value)
    elif isinstance(spec, TextList):
        told = shortened([quoted(text) for text in value]) if value else "none"
    elif isinstance(spec, Choice):
        told += f" ({spec.options[value]})"
    elif isinstance(value, int | float):
        told = with_unit(printed(value), spec.unit)
    return told


def told_plainly(params: Params, name: str) -> Clause:
    """A parameter in the words of its declaration alone."""
    spec = params.specs()[name]
    symbol = f" {spec.symbol}" if spec.symbol else ""
    label = spec.label[:1].lower() + spec.label[1:]
    value = told_value(spec, getattr(params, name))
    return Clause(text=f"The parameter '{label}'{symbol} was {value}.", names=(name,))
