"""Argument parser with all commands, in the order of the help text."""

from __future__ import annotations

import argparse

from ximstudio import __version__
from ximstudio.cli.judging import add_export, add_measure, add_report, add_verify
from ximstudio.cli.making import add_compare, add_place, add_run
from ximstudio.cli.output_options import Commands, add_command
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
    _add_list(commands, "methods", "methods")
    _add_list(commands, "steps", "preparation steps")
    add_command(commands, "samples", help="list the sample data")
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


def _open(options: argparse.Namespace) -> int:
    from ximstudio.ui.app.launch import open_window

    return open_window(options.file)


def _add_inspect(commands: Commands) -> None:
    inspect = add_command(
        commands,
        "inspect",
        help="show how a file is read, what is wrong with it and how to repair it",
        description="Print how a file is read and why, the findings of the data doctor, and the "
        "options that repair them. Nothing is written.",
    )
    add_input(inspect)
    inspect.add_argument("--json", action="store_true", help="print JSON")


def _add_list(commands: Commands, name: str, kinds: str) -> None:
    """Add a command that lists methods or steps."""
    listing = add_command(commands, name, help=f"list the {kinds}, or show one with its parameters")
    listing.add_argument("name", nargs="?", metavar="NAME")
    listing.add_argument("--json", action="store_true", help="print JSON")
