"""Print problems and messages to the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ximstudio.model.problem import Problem

EXIT_DIFFERENT = 1
"""Exit code of `verify` if something differs."""
EXIT_PROBLEM = 2
EXIT_INTERRUPTED = 130


def show(problems: Sequence[Problem]) -> None:
    """Print problems to the error stream."""
    for problem in problems:
        print(f"{problem.severity}: {problem}", file=sys.stderr)
        if problem.hint or problem.fields:
            from ximstudio.commands.options import field_options, hint_options

            if problem.hint:
                print(f"  try:     {hint_options(problem.hint)}", file=sys.stderr)
            if options := field_options(problem):
                print(f"  options: {options}", file=sys.stderr)


def say(text: str) -> None:
    """Print a line; ignore a closed pipe."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # Otherwise Python would report it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_interrupted() -> None:
    """Print the message after Ctrl-C."""
    print("Interrupted; nothing was written.", file=sys.stderr)
