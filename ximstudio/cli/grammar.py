"""Argument parser with all commands, in the order of the help text."""

from __future__ import annotations

import argparse

from ximstudio import __version__
from ximstudio.cli.making import add_compare, add_place, add_run
from ximstudio.cli.options import Commands, add_command, add_input, add_output, folder


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


def add_measure(commands: Commands) -> None:
    """Add `measure`: the quality of a map."""
    measure = add_command(
        commands,
        "measure",
        help="measure the quality of a map",
        description="Measure the map of a finished run. Writes measures.csv, measures.json, "
        "neighbourhoods.csv, items.csv and, for maps with nodes, nodes.csv.",
    )
    _add_finished(measure)
    measure.add_argument(
        "--label", metavar="NAME", help="label whose classes should stay together on the map"
    )
    measure.add_argument("--seed", type=int, default=0, help="seed of random samples (default: 0)")
    add_output(
        measure,
        "output folder (default: RUN_DIR/measures)",
        required=False,
        quiet="show no progress bar and no table",
    )


def add_export(commands: Commands) -> None:
    """Add `export`: tables of a run."""
    export = add_command(
        commands,
        "export",
        help="write the tables of a finished run, for Excel, scripts or scanpy",
        description="Write the results of a finished run as tables: one workbook (xlsx), a "
        "folder of text files (csv, tsv, csv-excel, csv-excel-eu), or an AnnData file "
        "(h5ad).",
    )
    _add_finished(export)
    export.add_argument(
        "--tables",
        metavar="KEYS",
        help="tables, separated by commas, such as items,prototypes (default: all)",
    )
    export.add_argument(
        "--format", default="xlsx", metavar="KEY", help="file format (default: xlsx)"
    )
    export.add_argument(
        "--measure", action="store_true", help="measure the map first, gene by gene"
    )
    export.add_argument(
        "--values", action="store_true", help="include the prepared values of each gene"
    )
    add_output(export, "output file or folder", metavar="PATH")


def add_verify(commands: Commands) -> None:
    """Add `verify`: train maps again and compare."""
    verify = add_command(
        commands,
        "verify",
        help="train maps again and compare them with the expected results",
        description="Train the maps of an exported script, a run folder, a figure or a report "
        "again and compare them with the expected results: bit for bit with the same "
        "versions and processor, within tolerance elsewhere. Scripts are read, never "
        "executed. The exit code is 1 if something differs.",
    )
    verify.add_argument(
        "file", type=folder, metavar="FILE", help="a script, figure or report, or RUN_DIR"
    )
    verify.add_argument("--data", metavar="FILE", help="the table, if it has been moved")
    verify.add_argument(
        "--quiet", action="store_true", help="print nothing; only set the exit code"
    )


def add_report(commands: Commands) -> None:
    """Add `report`: one HTML page."""
    report = add_command(
        commands,
        "report",
        help="write a session or a finished run as one HTML page",
        description="Write a report on a session or a finished run as one self-contained HTML "
        "file: data, findings of the data doctor, recipe, maps, measures, clusters, sets, "
        "methods, and a script that reproduces the maps.",
    )
    report.add_argument(
        "path",
        type=folder,
        metavar="PATH",
        help="a session (.xims), or a folder written by 'ximstudio run'",
    )
    report.add_argument("--data", metavar="FILE", help="the table, if it has been moved")
    report.add_argument(
        "--title",
        default="",
        metavar="TEXT",
        help="title of the page (default: names of table and methods)",
    )
    report.add_argument("--date", default="", metavar="TEXT", help="date to print (default: none)")
    report.add_argument(
        "--no-measure",
        dest="measure",
        action="store_false",
        help="do not measure maps: faster, but without curves and least trusted genes",
    )
    add_output(
        report, "output file, such as report.html", metavar="FILE", force="replace an existing file"
    )


def _add_finished(command: argparse.ArgumentParser) -> None:
    """Add the folder of a run, and its table."""
    command.add_argument(
        "run", type=folder, metavar="RUN_DIR", help="folder written by 'ximstudio run'"
    )
    command.add_argument(
        "--data", metavar="FILE", help="the table of the run, if it has been moved"
    )
