"""The command line: run, methods and samples."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from ximstudio import __version__
from ximstudio.commands.console import EXIT_INTERRUPTED, EXIT_PROBLEM, say_interrupted, show
from ximstudio.model.problem import UserError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is 0, 2 for a problem, 130 after Ctrl-C."""
    # Ending a program politely (kill, a closed terminal) must not leave half a result either.
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        options = parser().parse_args(arguments)
        code: int = options.command(options)
    except UserError as error:
        show(error.problems)
        return EXIT_PROBLEM
    except KeyboardInterrupt:
        say_interrupted()
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) has gone; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    top = argparse.ArgumentParser(
        prog="ximstudio",
        description="Maps of gene-expression tables by the Exploratory Inspection Machine (XIM).",
    )
    top.add_argument("--version", action="version", version=f"ximstudio {__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    _add_run(commands)
    _add_methods(commands)
    _add_samples(commands)
    return top


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    run = commands.add_parser(
        "run",
        help="train a map and write it to a folder",
        description="Train a map; write positions.csv, prototypes.csv, history.csv and run.json.",
    )
    run.add_argument("input", metavar="INPUT", help="a CSV or TSV file, or sample:yeast")
    run.add_argument("--method", default="c-xim", help="see 'ximstudio methods' (default: c-xim)")
    run.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the method, for instance shape=20x30; may be given many times",
    )
    run.add_argument("--seed", type=int, default=0, help="of all random choices (default: 0)")
    run.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to be made")
    run.add_argument("--force", action="store_true", help="replace DIR if it exists")
    run.add_argument(
        "--items",
        choices=["rows", "columns"],
        default="rows",
        help="where the things to be mapped are: genes in rows (default), or samples in columns",
    )
    run.add_argument("--id", metavar="COLUMN", help="column that names the rows; '' to number them")
    run.add_argument(
        "--labels",
        action="append",
        default=[],
        metavar="NAME[,NAME…]",
        help="columns that are labels, not features, even if they hold numbers; with --items"
        " columns, rows",
    )
    run.add_argument(
        "--missing",
        default="keep",
        metavar="HOW",
        help="blanks: keep (default; distances and steps leave them out), mean, median or zero",
    )
    run.add_argument(
        "--start", type=Path, metavar="FILE", help="prototypes.csv of an earlier run to start from"
    )
    run.add_argument(
        "--figure",
        action="append",
        default=[],
        metavar="NAME",
        help="also draw the map, as NAME.pdf, .svg, .png or .tiff in DIR; may be given many times",
    )
    run.add_argument("--color-by", metavar="LABEL", help="label that colours the figure's items")
    run.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
    run.set_defaults(command=_run)


def _add_methods(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    methods = commands.add_parser("methods", help="list the methods, or one with its parameters")
    methods.add_argument("name", nargs="?", metavar="NAME")
    methods.add_argument("--json", action="store_true", help="as JSON, for programs")
    methods.set_defaults(command=_methods)


def _add_samples(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    samples = commands.add_parser("samples", help="list the sample data that come along")
    samples.set_defaults(command=_samples)


# The commands import what they need when they run: 'ximstudio --help' must not wait for numba.


def _run(options: argparse.Namespace) -> int:
    from ximstudio.commands.run import run

    return run(options)


def _methods(options: argparse.Namespace) -> int:
    from ximstudio.commands.methods import list_methods

    return list_methods(options.name, as_json=options.json)


def _samples(options: argparse.Namespace) -> int:  # noqa: ARG001
    from ximstudio.commands.samples import list_samples

    return list_samples()
