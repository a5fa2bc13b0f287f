"""Texts of parameter declarations on a form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any, TypeVar

from ximstudio.model.spec import ONLY_USED, Choice, Number, Pair, Spec, Switch, TextList
from ximstudio.model.table import GENES, SAMPLES
from ximstudio.model.words import number
from ximstudio.prepare.specs import SideSpec
from ximstudio.session.words import Words
from ximstudio.train.anchors import Pins

TINY, HUGE = 1e-6, 1e12
"""Bounds beyond these only protect the arithmetic; the form shows "above 0" or nothing."""

_ACRONYMS = {"pca": "PCA", "mad": "MAD"}
_NAMED = re.compile(r"'(\w+)'|\b(\w+)=(\w+)\b")
"""A name of a parameter in quotes, or a setting as on the command line."""
_AS_TYPED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")
"""Converts the signs of `number` to those that float() reads."""
DIGITS, WHOLE = 6, 12
"""Digits of a number on a form, and of a whole one."""
AnySpec = TypeVar("AnySpec", bound=Spec)


def number_text(value: float | None) -> str:
    """Format a number for a form: thousands grouped, no insignificant digits."""
    if value is None:
        return ""
    return number(value, WHOLE if value == int(value) else DIGITS)


def number_read(text: str) -> float:
    """Parse a number that the user typed; spaces between thousands and a decimal comma are fine."""
    plain = re.sub(r"[\s\u00a0\u202f']", "", text).translate(_AS_TYPED).replace("·10", "e")
    if "." not in plain and plain.count(",") == 1:
        plain = plain.replace(",", ".")
    return float(plain)


def bounds_text(spec: Spec) -> str:
    """Describe the allowed values as the end of a sentence: 'from 0 to 0.95'."""
    if isinstance(spec, Pair):
        return f"{bounds_text(spec.first)} and {bounds_text(spec.second)}"
    if not isinstance(spec, Number):
        return spec.bounds
    kind = "a whole number " if spec.whole else ""
    near_nothing = 0.0 < spec.low < TINY
    low = "above 0" if near_nothing else _low_text(spec)
    high = "" if spec.high >= HUGE else number_text(spec.high)
    if low and high:
        joined = f"{low} and at most {high}" if low.startswith("above") else f"{low} to {high}"
    else:
        joined = low or (f"at most {high}" if high else "")
    return f"{kind}{joined}".strip() or "a number"


def _low_text(spec: Number) -> str:
    if spec.low <= -HUGE:
        return ""
    return f"above {number_text(spec.low)}" if spec.above else f"from {number_text(spec.low)}"


def option_name(key: str, words: Words | None = None) -> str:
    """Display name of an option, in the words of a table if given."""
    if key in _ACRONYMS:
        return _ACRONYMS[key]
    if words is not None and key in (GENES, SAMPLES):
        key = words.sides.several(key)
    name = key.replace("_", " ")
    name = name if len(name) == 1 else name[:1].upper() + name[1:]
    return name if words is None else words.said(name)


def value_text(spec: Spec, value: Any) -> str:
    """Format a value for the user: '30 × 30', '0.45 → 0.02', 'automatic'."""
    if value is None:
        return "automatic"
    if isinstance(spec, Pair):
        sign = pair_sign(spec)
        return f"{value_text(spec.first, value[0])} {sign} {value_text(spec.second, value[1])}"
    if isinstance(spec, Number):
        return number_text(value)
    if isinstance(spec, Switch):
        return "on" if value else "off"
    if isinstance(spec, Pins):
        return str(len(value)) if value else "none"
    return spec.show(value) if not isinstance(value, str) else option_name(value)


def pair_sign(spec: Pair) -> str:
    """Sign between the two numbers of a pair."""
    return "×" if spec.separator == "x" else "→"


def in_words(text: str, specs: Mapping[str, Spec]) -> str:
    """Replace names of parameters by their labels on the form.

    rule=weighted, as written on the command line, becomes “Learning rule” Weighted.
    """

    def named(found: re.Match[str]) -> str:
        quoted, name, option = found.groups()
        spec = specs.get(quoted or name)
        if spec is None:
            return found[0]
        return f"“{spec.label}”" if quoted else f"“{spec.label}” {option_name(option)}"

    return _NAMED.sub(named, text)


def spoken(spec: AnySpec, specs: Mapping[str, Spec], words: Words) -> AnySpec:
    """Return the declaration in the words of a table, other parameters named as on the form."""

    def said(text: str) -> str:
        return words.said(in_words(text, specs))

    texts: dict[str, Any] = {name: said(getattr(spec, name)) for name in ("label", "help", "unit")}
    if isinstance(spec, Number | Pair | TextList):
        texts["automatic"] = said(spec.automatic)
    if isinstance(spec, Choice):
        texts["options"] = {key: said(about) for key, about in spec.options.items()}
    if isinstance(spec, SideSpec):
        texts["options"] = {side: words.sides.several(side) for side in spec.options}
    if isinstance(spec, Pair):
        for part in ("first", "second"):
            texts[part] = spoken(getattr(spec, part), specs, words)
    return replace(spec, **texts)


def tip(spec: Spec, default: Any, words: Words | None = None, used: str = "") -> str:
    """Tooltip of a parameter as rich text: meaning, symbol, bounds, default and equation.

    `used` is the condition under which it has an effect, in the words of the form.
    """
    symbol = f" {escape(spec.symbol)}" if spec.symbol else ""
    lines = [f"<b>{escape(spec.label)}{symbol}</b>"]
    if spec.help:
        lines.append(escape(spec.help))
    if used:
        lines.append(f"{ONLY_USED} {escape(used)}.")
    lines.append(_allowed(spec, default, words))
    if spec.equation:
        lines.append(f"Equation: {escape(spec.equation)}")
    return "<qt>" + "<br>".join(lines) + "</qt>"


def _allowed(spec: Spec, default: Any, words: Words | None) -> str:
    options = getattr(spec, "options", None)
    if options:
        return "<br>".join(
            f"<b>{escape(option_name(key, words))}</b>: {escape(about)}"
            for key, about in options.items()
        )
    usual = escape(value_text(spec, default))
    automatic = getattr(spec, "automatic", "")
    meaning = f" ({escape(automatic)})" if automatic and default is None else ""
    unit = f" {escape(spec.unit)}" if spec.unit else ""
    if isinstance(spec, Number | Pair):
        parts = (spec,) if isinstance(spec, Number) else (spec.first, spec.second)
        allowed = {escape(bounds_text(part)) for part in parts}
        return f"Allowed: {', '.join(sorted(allowed))}{unit}. Default: {usual}{meaning}."
    return f"Default: {usual}{meaning}."
