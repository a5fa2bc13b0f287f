"""`ximstudio methods [NAME] [--json]`: list methods and their parameters."""

from __future__ import annotations

import json
from typing import Any

from ximstudio.commands import parameters
from ximstudio.commands.console import say
from ximstudio.train import METHODS, Method, method_named


def list_methods(name: str | None, *, as_json: bool) -> int:
    """Print all methods, one per line, or one method with its parameters."""
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
    """Return a method as plain values."""
    return {
        "key": method.key,
        "name": method.name,
        "summary": method.summary,
        "equations": method.equations,
        "parameters": parameters.described(method.params),
    }


def _page(method: Method) -> str:
    head = [f"{method.name} ({method.key})", method.summary, f"Equations: {method.equations}", ""]
    return "\n".join([*head, *parameters.listed(method.params)])
