"""`ximstudio methods [NAME] [--json]`: list methods and their parameters."""

from __future__ import annotations

import argparse
import json

from ximstudio.commands import parameters
from ximstudio.commands.console import say
from ximstudio.train import METHODS, method_named


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
                "parameters": parameters.described(method.params),
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
        say("\n".join([*head, "", *parameters.listed(method.params)]))
    return 0
