"""`ximstudio methods [NAME] [--json]`: list methods and their parameters."""

from __future__ import annotations

import argparse
import json
import textwrap
from typing import Any

from ximstudio.commands.console import say
from ximstudio.model.params import Params
from ximstudio.model.spec import Choice, Spec
from ximstudio.train import METHODS, method_named

WIDTH = 96


def described_parameters(params: type[Params]) -> list[dict[str, Any]]:
    """Return all parameters as plain values."""
    defaults = params.defaults()
    return [_described(name, spec, defaults[name]) for name, spec in params.specs().items()]


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
        "use": spec.use,
    }
    if isinstance(spec, Choice):
        described["options"] = dict(spec.options)
    return described


def listed_parameters(params: type[Params]) -> list[str]:
    """Return all parameters as lines: name, default, meaning and bounds; advanced ones last."""
    lines: list[str] = []
    defaults, specs = params.defaults(), params.specs()
    if not specs:
        lines.append("No parameters.")
    for advanced in (False, True):
        part = {name: spec for name, spec in specs.items() if spec.advanced is advanced}
        if part:
            lines.append("Parameters" if not advanced else "Advanced parameters")
        for name, spec in part.items():
            lines += _entry(name, spec, defaults[name])
    return lines


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
    for text in (*texts, *([spec.use] if spec.use else [])):
        entry += textwrap.wrap(text, WIDTH, initial_indent="      ", subsequent_indent="        ")
    return entry


def methods(options: argparse.Namespace) -> int:
    """Print all methods, one per line, or one method with its parameters."""
    chosen = METHODS if options.name is None else [method_named(options.name)]
    if options.json:
        described = [
            {
                "key": method.key,
                "name": method.name,
                "summary": method.summary,
                "equations": method.equations,
                "parameters": described_parameters(method.params),
            }
            for method in chosen
        ]
        say(json.dumps(described, indent=2, ensure_ascii=False))
    elif options.name is None:
        for method in chosen:
            say(f"{method.key:8} {method.summary}  [{method.equations}]")
        say("\n'ximstudio methods NAME' shows the parameters of one.")
    else:
        (method,) = chosen
        head = (f"{method.name} ({method.key})", method.summary, f"Equations: {method.equations}")
        say("\n".join([*head, "", *listed_parameters(method.params)]))
    return 0
