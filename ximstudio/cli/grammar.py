"""Argument parser with all commands, in the order of the help text."""

from __future__ import annotations

import argparse

from ximstudio import __version__
from ximstudio.cli.judging import add_export, add_measure, add_report, add_verify
from ximstudio.cli.making import add_compare, add_place, add_run
from ximstudio.cli.output_options import Commands
from ximstudio.cli.table_options import add_input


def parser() -> argparse.ArgumentParser:
    """Return the argument parser."""
    top = argparse.ArgumentParser(
        prog="ximstudio",
        description="Train maps of gene-expression tables with the Exploratory Inspection "
        "Machine (XIM). Without a command, the window opens.",
    )
    top.set_defaults(command=_open, file=None)
    top.add_argument("--version", action="version", version=f"ximstudio {__version__}")
    commands = top.add_subparsers(metavar="COMMAND")
    _add_open(commands)
    _add_inspect(commands)
    add_run(commands)
    add_measure(commands)
    add_place(commands)
    add_compare(commands)
    add_export(commands)
    add_verify(commands)
    add_report(commands)
    _add_methods(commands)
    _add_steps(commands)
    _add_samples(commands)
    return top


def _add_open(commands: Commands) -> None:
    window = commands.add_parser(
        "open", help="open the window, optionally with a table, session or figure"
    )
    window.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a table (file or folder), a session (.xims), an exported figure, or sample:yeast",
    )
    window.set_defaults(command=_open)


def _add_inspect(commands: Commands) -> None:
    inspect = commands.add_parser(
        "inspect",
        help="show how a file is read, what is wrong with it and how to repair it",
        description="Print how a file is read and why, the findings of the data doctor, and the "
        "options that repair them. Nothing is written.",
    )
    add_input(inspect)
    inspect.add_argument("--json", action="store_true", help="print JSON")
    inspect.set_defaults(command=_inspect)


def _add_methods(commands: Commands) -> None:
    methods = commands.add_parser(
        "methods", help="list the methods, or show one with its parameters"
    )
    methods.add_argument("name", nargs="?", metavar="NAME")
    methods.add_argument("--json", action="store_true", help="print JSON")
    methods.set_defaults(command=_methods)


def _add_steps(commands: Commands) -> None:
    steps = commands.add_parser(
        "steps", help="list the preparation steps, or show one with its parameters"
    )
    steps.add_argument("name", nargs="?", metavar="NAME")
    steps.add_argument("--json", action="store_true", help="print JSON")
    steps.set_defaults(command=_steps)


def _add_samples(commands: Commands) -> None:
    samples = commands.add_parser("samples", help="list the sample data")
    samples.set_defaults(command=_samples)


# Commands import what they need when they run, so that 'ximstudio --help' is fast.


def _open(options: argparse.Namespace) -> int:
    from ximstudio.ui.app.launch import open_window

    return open_window(options.file)


def _inspect(options: argparse.Namespace) -> int:
    from ximstudio.commands.inspect import inspect

    return inspect(options)


def _methods(options: argparse.Namespace) -> int:
    from ximstudio.commands.methods import list_methods

    return list_methods(options.name, as_json=options.json)


def _steps(options: argparse.Namespace) -> int:
    from ximstudio.commands.steps import list_steps

    return list_steps(options.name, as_json=options.json)


def _samples(options: argparse.Namespace) -> int:  # noqa: ARG001
    from ximstudio.commands.samples import list_samples

    return list_samples()
