"""The command line: run, measure, compare, methods and samples."""

from __future__ import annotations

import argparse
import io
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from ximstudio import __version__
from ximstudio.commands.console import EXIT_INTERRUPTED, EXIT_PROBLEM, say_interrupted, show
from ximstudio.model.problem import Problem, UserError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is 0, 2 for a problem, 130 after Ctrl-C."""
    _listen_to_signals()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that knows no "ε" gets a "?" and not a traceback.
            stream.reconfigure(errors="replace")
    try:
        options = parser().parse_args(arguments)
        code: int = options.command(options)
    except UserError as error:
        show(error.problems)
        return EXIT_PROBLEM
    except KeyboardInterrupt:
        say_interrupted()
        return EXIT_INTERRUPTED
    except OSError as error:
        show([_unwritable(error)])
        return EXIT_PROBLEM
    return code


def _listen_to_signals() -> None:
    """Ending the program politely (kill, a closed terminal) must not leave half a result either."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        # Whoever started us with nohup wants it ignored, and ignored it stays.
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is signal.SIG_DFL:
            signal.signal(getattr(signal, name), signal.default_int_handler)


def _unwritable(error: OSError) -> Problem:
    return Problem(
        key="export.failed",
        what=f"The result could not be written: {error.strerror or error}.",
        where=str(error.filename or "output"),
        way_out="Make room, or give a folder with --out where there is.",
    )


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    top = argparse.ArgumentParser(
        prog="ximstudio",
        description="Maps of gene-expression tables by the Exploratory Inspection Machine (XIM).",
    )
    top.add_argument("--version", action="version", version=f"ximstudio {__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    _add_run(commands)
    _add_measure(commands)
    _add_compare(commands)
    _add_methods(commands)
    _add_samples(commands)
    return top


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    run = commands.add_parser(
        "run",
        help="train a map and write it to a folder",
        description="Train a map; write positions.csv, prototypes.csv, history.csv and run.json.",
    )
    _add_input(run)
    run.add_argument("--method", default="c-xim", help="see 'ximstudio methods' (default: c-xim)")
    run.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the method, for instance shape=20x30; may be given many times",
    )
    run.add_argument("--seed", type=int, default=0, help="of all random choices (default: 0)")
    _add_output(run)
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
    run.set_defaults(command=_run)


def _add_measure(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    measure = commands.add_parser(
        "measure",
        help="say how far the map of a finished run is to be believed",
        description="Measure a finished run; write measures.csv, neighbourhoods.csv, items.csv, and"
        " nodes.csv for maps with nodes, and measures.json.",
    )
    measure.add_argument(
        "run", type=_folder, metavar="RUN_DIR", help="folder that 'ximstudio run' has written"
    )
    measure.add_argument(
        "--data", metavar="FILE", help="the run's table, if it is no longer where it was"
    )
    measure.add_argument(
        "--label", metavar="NAME", help="label whose classes the map is to keep together"
    )
    measure.add_argument("--seed", type=int, default=0, help="of random samples (default: 0)")
    measure.add_argument(
        "--out", type=_folder, metavar="DIR", help="folder to be made (default: RUN_DIR/measures)"
    )
    measure.add_argument("--force", action="store_true", help="replace DIR if it exists")
    measure.add_argument("--quiet", action="store_true", help="no progress bar and no table")
    measure.set_defaults(command=_measure)


def _add_compare(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    compare = commands.add_parser(
        "compare",
        help="train several methods many times and say which map to believe",
        description="Train every method on random shares of the items; write the mean and standard"
        " deviation of all measures as table.csv and table.md, every run as runs.csv, how far items"
        " wander between runs as wander.csv, and a figure.",
    )
    _add_input(compare)
    compare.add_argument(
        "--methods",
        action="append",
        default=[],
        metavar="NAME[,NAME…]",
        help="what to compare, see 'ximstudio methods' (default: all)",
    )
    compare.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="[METHOD.]NAME=VALUE",
        help="a parameter of all methods that have it, shape=20x30, or of one, som.shape=20x30",
    )
    compare.add_argument(
        "--runs", type=int, default=10, help="trainings of every method (default: 10)"
    )
    compare.add_argument(
        "--share",
        type=float,
        default=0.95,
        help="part of the items drawn for each run (default: 0.95)",
    )
    compare.add_argument(
        "--seed", type=int, default=0, help="of the first run; each next one adds 1 (default: 0)"
    )
    compare.add_argument(
        "--label", metavar="NAME", help="label whose classes the maps are to keep together"
    )
    _add_output(compare)
    compare.set_defaults(command=_compare)


def _add_input(command: argparse.ArgumentParser) -> None:
    """The table and how to read it."""
    command.add_argument("input", metavar="INPUT", help="a CSV or TSV file, or sample:yeast")
    command.add_argument(
        "--items",
        choices=["rows", "columns"],
        default="rows",
        help="where the things to be mapped are: genes in rows (default), or samples in columns",
    )
    command.add_argument(
        "--id", metavar="COLUMN", help="column that names the rows; '' to number them"
    )
    command.add_argument(
        "--labels",
        action="append",
        default=[],
        metavar="NAME[,NAME…]",
        help="columns that are labels, not features, even if they hold numbers; with --items"
        " columns, rows",
    )
    command.add_argument(
        "--missing",
        default="keep",
        metavar="HOW",
        help="blanks: keep (default; distances and steps leave them out), mean, median or zero",
    )


def _add_output(command: argparse.ArgumentParser) -> None:
    """Where the results go, and how much is said meanwhile."""
    command.add_argument(
        "--out", type=_folder, required=True, metavar="DIR", help="folder to be made"
    )
    command.add_argument("--force", action="store_true", help="replace DIR if it exists")
    command.add_argument("--quiet", action="store_true", help="no progress bar and no summary")


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("give the name of a folder")
    return Path(text)


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


def _measure(options: argparse.Namespace) -> int:
    from ximstudio.commands.measure import measure

    return measure(options)


def _compare(options: argparse.Namespace) -> int:
    from ximstudio.commands.compare import compare

    return compare(options)


def _methods(options: argparse.Namespace) -> int:
    from ximstudio.commands.methods import list_methods

    return list_methods(options.name, as_json=options.json)


def _samples(options: argparse.Namespace) -> int:  # noqa: ARG001
    from ximstudio.commands.samples import list_samples

    return list_samples()
