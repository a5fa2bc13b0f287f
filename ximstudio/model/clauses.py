"""Building blocks of sentences about a map, and formatting of numbers and lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ximstudio.model.citations import Citations
from ximstudio.model.params import Params
from ximstudio.model.result import Result
from ximstudio.model.spec import Choice, Pair, Spec, Switch, TextList
from ximstudio.model.words import number

DIGITS = 4
"""Digits of a parameter in print: enough for values that users type, without rounding noise."""
NAMED = 5
"""Number of names listed of a long list."""


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A sentence, and the parameters that it mentions."""

    text: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class MapContext:
    """Context of the sentences about a map.

    Parameters
    ----------
    result
        The map.
    params
        Its parameters, with open ones as they were chosen.
    citations
        The works cited so far; sentences add to it.
    n_projected
        Number of items placed on the map after training.
    n_missing
        Number of missing values of its table.
    """

    result: Result
    params: Any
    citations: Citations
    n_projected: int = 0
    n_missing: int = 0

    @property
    def n_items(self) -> int:
        return len(self.result.item_ids)


ClauseFunction = Callable[[MapContext], Iterator[Clause]]
"""Function that yields sentences about some parameters, or none if there is nothing to say."""


def listed(parts: Sequence[str], *, word: str = "and") -> str:
    """List parts as in a sentence: "a", "a and b", "a, b and c"."""
    *first, last = parts
    return f"{', '.join(first)} {word} {last}" if first else last


def shortened(parts: Sequence[str]) -> str:
    """List the first of many parts, and the number of the others."""
    if len(parts) <= NAMED + 1:
        return listed(parts)
    return listed([*parts[:NAMED], f"{number(len(parts) - NAMED, DIGITS)} more"])


def quoted(name: str) -> str:
    """Quote a name for a sentence: nothing in it ends the quotation."""
    return "'" + name.replace("'", "’") + "'"


def printed(value: float) -> str:
    """Format a number for print: whole numbers in full, others without noise."""
    return number(value, DIGITS if value != int(value) else 12)


NUMERALS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def worded(n: int) -> str:
    """Format a whole number in a sentence: in words if it is small."""
    return NUMERALS[n] if n < len(NUMERALS) else number(n, 12)


def percent(share: float) -> str:
    """Format a share as a percentage."""
    return f"{number(100.0 * share, 3)} %"


def with_unit(text: str, unit: str) -> str:
    """Format a number with its unit: "0.4 grid units", "1.5 times the median distance …"."""
    if not unit:
        return text
    return f"{text} times the {unit[2:]}" if unit.startswith("× ") else f"{text} {unit}"


def any_value(spec: Spec, value: Any) -> str:
    """Format any value of a declared parameter, where no sentence is made for it."""
    text = f"'{value}'"
    if value is None:
        text = "chosen by the program"
    elif isinstance(spec, Pair):
        text = f"{any_value(spec.first, value[0])} and {any_value(spec.second, value[1])}"
    elif isinstance(spec, Switch):
        text = spec.show(value)
    elif isinstance(spec, TextList):
        text = shortened([quoted(each) for each in value]) if value else "none"
    elif isinstance(spec, Choice):
        text += f" ({spec.options[value]})"
    elif isinstance(value, int | float):
        text = with_unit(printed(value), spec.unit)
    return text


def plain_clause(params: Params, name: str) -> Clause:
    """Describe a parameter by its declaration alone."""
    spec = params.specs()[name]
    symbol = f" {spec.symbol}" if spec.symbol else ""
    label = spec.label[:1].lower() + spec.label[1:]
    value = any_value(spec, getattr(params, name))
    return Clause(text=f"The parameter '{label}'{symbol} was {value}.", names=(name,))
