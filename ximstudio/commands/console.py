"""What all commands say to the terminal in the same way."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ximstudio.model.problem import Problem

EXIT_DIFFERENT = 1
"""Verified, and not all is as expected."""
EXIT_PROBLEM = 2
EXIT_INTERRUPTED = 130


def show(problems: Sequence[Problem]) -> None:
    """Problems on the error stream, each with its address and way out."""
    for problem in problems:
        print(f"{problem.severity}: {problem}", file=sys.stderr)
        if problem.hint:
            from ximstudio.commands.hints import hint_options

            print(f"  try:     {hint_options(problem.hint)}", file=sys.stderr)


def say(text: str) -> None:
    """A line for people; if nobody reads any more, the work goes on all the same."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_interrupted() -> None:
    """The last words after Ctrl-C."""
    print("Interrupted: nothing was written.", file=sys.stderr)
