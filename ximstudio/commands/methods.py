"""`ximstudio methods [NAME] [--json]`: every method and its declared parameters."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from ximstudio.commands.console import say
from ximstudio.model.spec import Choice, Spec
from ximstudio.train import METHODS, Method, method_named

WIDTH = 96


def list_methods(name: str | None, *, as_json: bool) -> int:
    """Print all methods in a line each, or one with its parameters."""
    chosen = list(METHODS) if name is None else [method_named(name)]
    if as_json:
        say(json.dumps([described(method) for method in chosen], indent=2, ensure_ascii=False))
        return 0
    if name is None:
        for method in chosen:
            say(f"{method.key:8} {method.summary}  [{method.equations}]")
        say("\n'ximstudio methods NAME' shows the parameters of one.")
        return 0
    say(_page(chosen[0]))
    return 0


def described(method: Method) -> dict[str, Any]:
    """A method as plain values."""
    defaults = method.params.defaults()
    return {
        "key": method.key,
        "name": method.name,
        "summary": method.summary,
        "equations": method.equations,
        "parameters": [
            _described(name, spec, defaults[name]) for name, spec in method.params.specs().items()
        ],
    }


def _described(name: str, spec: Spec, default: Any) -> dict[str, Any]:
    described = {
        "name": name,
        "label": spec.label,
        "symbol": spec.symbol,
        "default": default,
        "bounds": spec.bounds,
        "unit": spec.unit,
        "equation": spec.equation,
        "help": spec.help,
        "advanced": spec.advanced,
    }
    if isinstance(spec, Choice):
        described["options"] = dict(spec.options)
    return described


def _page(method: Method) -> str:
    lines = [f"{method.name} ({method.key})", method.summary, f"Equations: {method.equations}", ""]
    defaults = method.params.defaults()
    specs = method.params.specs()
    if not specs:
        lines.append("It has no parameters.")
    for advanced in (False, True):
        part = {name: spec for name, spec in specs.items() if spec.advanced is advanced}
        if part:
            lines.append("Parameters" if not advanced else "Advanced parameters")
        for name, spec in part.items():
            lines += _entry(name, spec, defaults[name])
    return "\n".join(lines)


def _entry(name: str, spec: Spec, default: Any) -> list[str]:
    symbol = f" {spec.symbol}" if spec.symbol else ""
    equation = f"  [{spec.equation}]" if spec.equation else ""
    unit = f" ({spec.unit})" if spec.unit else ""
    entry = [f"  {name}={spec.show(default)}    {spec.label}{symbol}{unit}{equation}"]
    texts = [spec.help]
    if isinstance(spec, Choice):
        texts += [f"{option}: {meaning}" for option, meaning in spec.options.items()]
    else:
        texts.append(f"Allowed: {spec.bounds}.")
    for text in texts:
        entry += textwrap.wrap(text, WIDTH, initial_indent="      ", subsequent_indent="        ")
    return entry
