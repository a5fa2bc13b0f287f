"""Write a hint as options of the command line, ready to paste."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ximstudio.load.reading import Choices
from ximstudio.model.shell import option

NAMED = ("id", "items", "part", "rows", "columns")
"""Choices with their own option; --read sets the others, except labels and features."""


def hint_options(hint: Mapping[str, Any]) -> str:
    """Return the options for the choices of a hint; '' for an empty one."""
    specs = Choices.specs()
    options = []
    for name, value in hint.items():
        if name == "labels":
            options += [option("--labels", label) for label in value or ("",)]
            continue
        if name == "features":
            options += [option("--features", pattern) for pattern in value]
            continue
        shown = specs[name].show(value)
        if name in NAMED:
            options.append(option(f"--{name}", shown))
        else:
            # Write a tab as \t: it is invisible in a terminal.
            shown = "tab" if shown == "\t" else shown
            options.append(option("--read", f"{name}={shown}"))
    return " ".join(options)
