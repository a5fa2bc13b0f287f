"""`ximstudio methods [NAME] [--json]`: list methods and their parameters."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterable
from typing import Any

from ximstudio.commands.console import say
from ximstudio.model.params import Params
from ximstudio.model.spec import Choice, Spec
from ximstudio.prepare.step import Step
from ximstudio.train import METHODS, Method, method_named

WIDTH = 96


def say_values(kinds: Iterable[Method | Step], *names: str) -> None:
    """Print these attributes and all parameters of methods or steps as JSON."""
    described = []
    for kind in kinds:
        defaults, specs = kind.params.defaults(), kind.params.specs()
        described.append(
            {name: getattr(kind, name) for name in names}
            | {"parameters": [_described(name, specs[name], defaults[name]) for name in specs]}
        )
    say(json.dumps(described, indent=2, ensure_ascii=False))


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
    texts = [f"Allowed: {spec.bounds}."]
    if isinstance(spec, Choice):
        texts = [f"{option}: {meaning}" for option, meaning in spec.options.items()]
    for text in (spec.help, *texts, *filter(None, [spec.use])):
        entry += textwrap.wrap(text, WIDTH, initial_indent="      ", subsequent_indent="        ")
    return entry


def methods(options: argparse.Namespace) -> int:
    """Print all methods, one per line, or one method with its parameters."""
    chosen = METHODS if options.name is None else [method_named(options.name)]
    if options.json:
        say_values(chosen, "key", "name", "summary", "equations")
    elif options.name is None:
        for method in chosen:
            say(f"{method.key:8} {method.summary}  [{method.equations}]")
        say("\n'ximstudio methods NAME' shows the parameters of one.")
    else:
        (method,) = chosen
        head = (f"{method.name} ({method.key})", method.summary, f"Equations: {method.equations}")
        say("\n".join([*head, "", *listed_parameters(method.params)]))
    return 0
