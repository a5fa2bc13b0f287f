"""The grammar of commands that judge a finished run, verify it, and hand it on."""

from __future__ import annotations

import argparse

from ximstudio.cli.output_options import Commands, folder


def add_measure(commands: Commands) -> None:
    """`measure`: how far a map is to be believed."""
    measure = commands.add_parser(
        "measure",
        help="say how far the map of a finished run is to be believed",
        description="Measure a finished run; write measures.csv, neighbourhoods.csv, items.csv, and"
        " nodes.csv for maps with nodes, and measures.json.",
    )
    measure.add_argument(
        "run", type=folder, metavar="RUN_DIR", help="folder that 'ximstudio run' has written"
    )
    measure.add_argument(
        "--data", metavar="FILE", help="the run's table, if it is no longer where it was"
    )
    measure.add_argument(
        "--label", metavar="NAME", help="label whose classes the map is to keep together"
    )
    measure.add_argument("--seed", type=int, default=0, help="of random samples (default: 0)")
    measure.add_argument(
        "--out", type=folder, metavar="DIR", help="folder to be made (default: RUN_DIR/measures)"
    )
    measure.add_argument("--force", action="store_true", help="replace DIR if it exists")
    measure.add_argument("--quiet", action="store_true", help="no progress bar and no table")
    measure.set_defaults(command=_measure)


def add_export(commands: Commands) -> None:
    """`export`: tables of a run."""
    export = commands.add_parser(
        "export",
        help="write tables of a finished run for Excel, scripts or scanpy",
        description="Write what is known about a finished run as tables: one workbook (xlsx), a"
        " folder of text files (csv, tsv, csv-excel, csv-excel-eu), or an AnnData file (h5ad).",
    )
    export.add_argument(
        "run", type=folder, metavar="RUN_DIR", help="folder that 'ximstudio run' has written"
    )
    export.add_argument(
        "--data", metavar="FILE", help="the run's table, if it is no longer where it was"
    )
    export.add_argument(
        "--tables",
        metavar="KEYS",
        help="tables with commas between them, such as items,prototypes (default: all there are)",
    )
    export.add_argument(
        "--format", default="xlsx", metavar="KEY", help="what is written (default: xlsx)"
    )
    export.add_argument(
        "--measure", action="store_true", help="measure the map first, gene by gene"
    )
    export.add_argument(
        "--values",
        action="store_true",
        help="the prepared values, too, beside what is known of each gene",
    )
    export.add_argument(
        "--out", type=folder, required=True, metavar="PATH", help="file or folder to be made"
    )
    export.add_argument("--force", action="store_true", help="replace PATH if it exists")
    export.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
    export.set_defaults(command=_export)


def add_verify(commands: Commands) -> None:
    """`verify`: maps made again."""
    verify = commands.add_parser(
        "verify",
        help="make maps again and say whether they are as expected",
        description="Make the maps of an exported script, a run's folder, a figure or a report"
        " again and tick all that is as expected: the same to the last bit where versions and"
        " processor are, within tolerance elsewhere. Scripts are read, never run. The exit"
        " code is 1 if something differs.",
    )
    verify.add_argument(
        "file", type=folder, metavar="FILE", help="a script, figure or report, or RUN_DIR"
    )
    verify.add_argument("--data", metavar="FILE", help="the table, if it is no longer where it was")
    verify.add_argument("--quiet", action="store_true", help="the exit code only")
    verify.set_defaults(command=_verify)


def add_report(commands: Commands) -> None:
    """`report`: one page about it all."""
    report = commands.add_parser(
        "report",
        help="write a session or a finished run as one HTML page",
        description="Write all about a session or a finished run as one HTML file that needs no"
        " other: data, findings of the doctor, recipe, maps, measures, clusters, sets, methods,"
        " and a script to make the maps again.",
    )
    report.add_argument(
        "path",
        type=folder,
        metavar="PATH",
        help="a session (.xims), or a folder that 'ximstudio run' has written",
    )
    report.add_argument("--data", metavar="FILE", help="the table, if it is no longer where it was")
    report.add_argument(
        "--title", default="", metavar="TEXT", help="(default: names of table and methods)"
    )
    report.add_argument(
        "--date", default="", metavar="TEXT", help="a date to be printed (default: none)"
    )
    report.add_argument(
        "--no-measure",
        dest="measure",
        action="store_false",
        help="do not measure maps: quicker, without curves and least trusted genes",
    )
    report.add_argument(
        "--out", type=folder, required=True, metavar="FILE", help="the page, such as report.html"
    )
    report.add_argument("--force", action="store_true", help="replace a file that exists")
    report.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
    report.set_defaults(command=_report)


# Commands import what they need when they run: 'ximstudio --help' must not wait for numba.


def _measure(options: argparse.Namespace) -> int:
    from ximstudio.commands.measure import measure

    return measure(options)


def _export(options: argparse.Namespace) -> int:
    from ximstudio.commands.export import export

    return export(options)


def _verify(options: argparse.Namespace) -> int:
    from ximstudio.commands.verify import verify

    return verify(options)


def _report(options: argparse.Namespace) -> int:
    from ximstudio.commands.report import report

    return report(options)
