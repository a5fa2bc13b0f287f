"""The grammar of the command line: every command and its options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ximstudio import __version__

_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class Shortcut(NamedTuple):
    """An option that stands for a step: `text` is what --step would be given."""

    option: str
    metavar: str | None
    text: str
    help: str


SHORTCUTS = (
    Shortcut(
        "--max-missing",
        "SHARE",
        "filter_missing axis=items share={}",
        "remove items of which a larger share is blank, for instance 0.5",
    ),
    Shortcut(
        "--missing",
        "HOW",
        "impute how={}",
        "blanks: keep (default; distances and steps leave them out), mean, median, zero or nearest",
    ),
    Shortcut("--log2", None, "log2 offset=1", "take log2(x + 1)"),
    Shortcut("--top-items", "N", "top axis=items n={}", "keep the N items that vary most"),
    Shortcut("--top-features", "N", "top axis=features n={}", "keep the N features that vary most"),
    Shortcut("--centre", "SIDE", "centre axis={}", "move the mean of all items or features to 0"),
    Shortcut("--scale", "SIDE", "scale axis={}", "z-scores of all items or features"),
    Shortcut("--pca", "N", "pca n={}", "replace the features by N principal components"),
)
"""The steps that most recipes have; each counts where it stands on the command line."""


class _AddStep(argparse.Action):
    """Collects steps in the order they are given, whichever option gives them."""

    def __init__(self, *arguments: Any, text: str = "{}", **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.text = text

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        given = self.text.format(values) if self.nargs != 0 else self.text
        setattr(namespace, self.dest, [*getattr(namespace, self.dest), given])


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    top = argparse.ArgumentParser(
        prog="ximstudio",
        description="Maps of gene-expression tables by the Exploratory Inspection Machine (XIM)."
        " Without a command, the window opens.",
    )
    top.set_defaults(command=_open, file=None)
    top.add_argument("--version", action="version", version=f"ximstudio {__version__}")
    commands = top.add_subparsers(metavar="COMMAND")
    _add_open(commands)
    _add_inspect(commands)
    _add_run(commands)
    _add_measure(commands)
    _add_place(commands)
    _add_compare(commands)
    _add_export(commands)
    _add_verify(commands)
    _add_report(commands)
    _add_methods(commands)
    _add_steps(commands)
    _add_samples(commands)
    return top


def _add_open(commands: _Commands) -> None:
    window = commands.add_parser(
        "open", help="open the window, with a table, session or figure if one is given"
    )
    window.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a table (file or folder), a session (.xims), an exported figure, or sample:yeast",
    )
    window.set_defaults(command=_open)


def _add_inspect(commands: _Commands) -> None:
    inspect = commands.add_parser(
        "inspect",
        help="say what is understood of a file, what is wrong with it and what repairs it",
        description="Print what was understood of a file and why, and what the data doctor finds in"
        " the table, with the steps that repair it. Nothing is written.",
    )
    _add_input(inspect)
    inspect.add_argument("--json", action="store_true", help="as JSON, for programs")
    inspect.set_defaults(command=_inspect)


def _add_run(commands: _Commands) -> None:
    run = commands.add_parser(
        "run",
        help="train a map and write it to a folder",
        description="Train a map; write positions.csv, prototypes.csv, history.csv and run.json.",
    )
    _add_input(run, optional=True)
    run.add_argument(
        "--method", help="see 'ximstudio methods' (default: c-xim, or that of an earlier run)"
    )
    run.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the method, for instance shape=20x30; may be given many times",
    )
    run.add_argument("--seed", type=int, default=0, help="of all random choices (default: 0)")
    _add_output(run)
    _add_earlier(run)
    run.add_argument(
        "--figure",
        action="append",
        default=[],
        metavar="NAME",
        help="also draw the map, as NAME.pdf, .svg, .png or .tiff in DIR; may be given many times",
    )
    run.add_argument("--color-by", metavar="LABEL", help="label that colours the figure's items")
    run.add_argument(
        "--view",
        default="both",
        metavar="VIEW",
        help="what the figure shows: map, positions, both (default), features, heat_map, portraits",
    )
    _add_look(run)
    run.set_defaults(command=_run)


def _add_look(command: argparse.ArgumentParser) -> None:
    """Size and type of figures."""
    look = command.add_argument_group("how figures look")
    look.add_argument(
        "--width-mm",
        type=float,
        metavar="MM",
        help="width on paper: 85, 114 or 174 as journals have it, or any other (default: 174)",
    )
    look.add_argument(
        "--font-size", type=float, metavar="POINTS", help="size of most text (default: 8)"
    )
    look.add_argument(
        "--dpi",
        type=float,
        metavar="NUMBER",
        help="pixels per inch of .png and .tiff, and of crowds of points (default: 300)",
    )


def _add_earlier(run: argparse.ArgumentParser) -> None:
    """What a run takes over from an earlier one."""
    earlier = run.add_argument_group("what is taken over from an earlier run")
    earlier.add_argument(
        "--start",
        type=Path,
        metavar="RUN_DIR",
        help="begin with the prototypes of an earlier run, on whatever grid; or prototypes.csv",
    )
    earlier.add_argument(
        "--continue",
        type=_folder,
        dest="continued",
        metavar="RUN_DIR",
        help="go on with an earlier run: its map takes in the items of INPUT",
    )
    earlier.add_argument(
        "--only-new", action="store_true", help="with --continue: do not train on its items again"
    )
    earlier.add_argument(
        "--parent",
        type=_folder,
        metavar="RUN_DIR",
        help="map some items of an earlier run on their own, with the values they had; no INPUT",
    )
    earlier.add_argument(
        "--choose",
        type=Path,
        metavar="FILE",
        help="with --parent: the ids of the items, one in a line",
    )
    earlier.add_argument(
        "--nodes",
        metavar="N[,N…]",
        help="with --parent: the nodes whose items they are, by the numbers of prototypes.csv",
    )
    earlier.add_argument(
        "--begin",
        metavar="SHARE",
        help="the share of the annealing that is passed over (default: 0.7 with --continue, 0.9"
        " with --only-new, 0.3 with --parent; 0 with --start)",
    )


def _add_measure(commands: _Commands) -> None:
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


def _add_place(commands: _Commands) -> None:
    place = commands.add_parser(
        "place",
        help="put the items of another table on the map of a finished run",
        description="Prepare the items of INPUT as those of a finished run were, put them on its"
        " map, and say which do not belong there; write positions.csv and place.json.",
    )
    place.add_argument(
        "run", type=_folder, metavar="RUN_DIR", help="folder that 'ximstudio run' has written"
    )
    _add_reading(place)
    # What is done to the table is what the run did to its own.
    place.set_defaults(recipe=None, frozen=None, steps=[])
    place.add_argument(
        "--data", metavar="FILE", help="the run's table, if it is no longer where it was"
    )
    place.add_argument(
        "--tolerance",
        type=float,
        metavar="NUMBER",
        help="novelty above which an item does not belong (default: 1)",
    )
    place.add_argument(
        "--out", type=_folder, metavar="DIR", help="folder to be made (default: RUN_DIR/placed)"
    )
    place.add_argument("--force", action="store_true", help="replace DIR if it exists")
    place.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
    place.set_defaults(command=_place)


def _add_compare(commands: _Commands) -> None:
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
    compare.add_argument(
        "--figure",
        action="append",
        default=[],
        metavar="NAME",
        help="draw the figure as NAME.pdf, .svg, .png or .tiff in DIR; may be given many times"
        " (default: comparison.pdf and comparison.png)",
    )
    _add_look(compare)
    compare.set_defaults(command=_compare)


def _add_verify(commands: _Commands) -> None:
    verify = commands.add_parser(
        "verify",
        help="make maps again and say whether they are as expected",
        description="Make the maps of an exported script, or of a run's folder, again and tick all"
        " that is as expected: the same to the last bit where versions and processor are, within"
        " tolerance elsewhere. Scripts are read, never run. The exit code is 1 if something"
        " differs.",
    )
    verify.add_argument(
        "file", type=_folder, metavar="FILE", help="a script that was exported, or RUN_DIR"
    )
    verify.add_argument("--data", metavar="FILE", help="the table, if it is no longer where it was")
    verify.add_argument("--quiet", action="store_true", help="the exit code only")
    verify.set_defaults(command=_verify)


def _add_input(command: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """The table, how to read it, and what to do to it."""
    _add_reading(command, optional=optional)
    _add_preparing(command)


def _add_reading(command: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """The table and how to read it."""
    command.add_argument(
        "input",
        nargs="?" if optional else None,
        metavar="INPUT",
        help="a file or folder with a table, or sample:yeast",
    )
    reading = command.add_argument_group("how the table is read (the rest is found out)")
    reading.add_argument(
        "--items",
        choices=["rows", "columns"],
        help="where the things to be mapped are: genes in rows (default), or samples in columns",
    )
    reading.add_argument(
        "--id", metavar="COLUMN", help="column that names the rows; '' to number them"
    )
    reading.add_argument(
        "--labels",
        action="append",
        default=[],
        metavar="NAME[,NAME…]",
        help="columns that are labels, not features, even if they hold numbers; '' for none",
    )
    reading.add_argument(
        "--part", metavar="NAME", help="sheet of a workbook, layer or data set of a file"
    )
    reading.add_argument(
        "--read",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="anything else that was guessed wrong, by the name that 'inspect' gives it:"
        " delimiter=';', decimal=, skip=3, missing=n.d., …",
    )
    reading.add_argument(
        "--annotate",
        action="append",
        default=[],
        metavar="FILE",
        help="a second table whose columns become labels, joined by name: FILE, or 'FILE on=COLUMN"
        " side=items' to say how; may be given many times",
    )


def _add_preparing(command: argparse.ArgumentParser) -> None:
    """What to do to the table."""
    preparing = command.add_argument_group(
        "what is done to the table, in the order given ('ximstudio steps' lists all steps)"
    )
    preparing.add_argument(
        "--recipe",
        type=Path,
        metavar="FILE",
        help="steps saved before, recipe.json of a run; those given here follow",
    )
    preparing.add_argument(
        "--frozen",
        metavar="FILE",
        help="frozen.npz of an earlier run: the same steps, with what they learnt there (means,"
        " chosen genes, …)",
    )
    preparing.add_argument(
        "--step",
        action=_AddStep,
        dest="steps",
        default=[],
        metavar="'KEY NAME=VALUE …'",
        help="any step, for instance 'log2 offset=1'; may be given many times",
    )
    preparing.add_argument(
        "--repair",
        action=_AddStep,
        dest="steps",
        metavar="KEY[:NUMBER]",
        text="repair:{}",
        help="what the data doctor recommends for a finding, by the key that 'inspect' gives it",
    )
    for shortcut in SHORTCUTS:
        preparing.add_argument(
            shortcut.option,
            action=_AddStep,
            dest="steps",
            nargs=None if shortcut.metavar else 0,
            metavar=shortcut.metavar,
            text=shortcut.text,
            help=shortcut.help,
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


def _add_export(commands: _Commands) -> None:
    export = commands.add_parser(
        "export",
        help="write tables of a finished run for Excel, scripts or scanpy",
        description="Write what is known about a finished run as tables: one workbook (xlsx), a"
        " folder of text files (csv, tsv, csv-excel, csv-excel-eu), or an AnnData file (h5ad).",
    )
    export.add_argument(
        "run", type=_folder, metavar="RUN_DIR", help="folder that 'ximstudio run' has written"
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
        "--measure", action="store_true", help="measure the map first, item by item"
    )
    export.add_argument(
        "--values", action="store_true", help="the prepared values behind what is known of items"
    )
    export.add_argument(
        "--out", type=_folder, required=True, metavar="PATH", help="file or folder to be made"
    )
    export.add_argument("--force", action="store_true", help="replace PATH if it exists")
    export.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
    export.set_defaults(command=_export)


def _add_report(commands: _Commands) -> None:
    report = commands.add_parser(
        "report",
        help="write a session or a finished run as one HTML page",
        description="Write all about a session or a finished run as one HTML file that needs no"
        " other: data, findings of the doctor, recipe, maps, measures, clusters, sets, methods,"
        " and a script to make the maps again.",
    )
    report.add_argument(
        "path",
        type=_folder,
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
        help="do not measure maps: quicker, without curves and least trusted items",
    )
    report.add_argument(
        "--out", type=_folder, required=True, metavar="FILE", help="the page, such as report.html"
    )
    report.add_argument("--force", action="store_true", help="replace a file that exists")
    report.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
    report.set_defaults(command=_report)


def _add_methods(commands: _Commands) -> None:
    methods = commands.add_parser("methods", help="list the methods, or one with its parameters")
    methods.add_argument("name", nargs="?", metavar="NAME")
    methods.add_argument("--json", action="store_true", help="as JSON, for programs")
    methods.set_defaults(command=_methods)


def _add_steps(commands: _Commands) -> None:
    steps = commands.add_parser(
        "steps", help="list what can be done to a table, or one step with its parameters"
    )
    steps.add_argument("name", nargs="?", metavar="NAME")
    steps.add_argument("--json", action="store_true", help="as JSON, for programs")
    steps.set_defaults(command=_steps)


def _add_samples(commands: _Commands) -> None:
    samples = commands.add_parser("samples", help="list the sample data that come along")
    samples.set_defaults(command=_samples)


# The commands import what they need when they run: 'ximstudio --help' must not wait for numba.


def _open(options: argparse.Namespace) -> int:
    from ximstudio.ui.starting import open_window

    return open_window(options.file)


def _inspect(options: argparse.Namespace) -> int:
    from ximstudio.commands.inspect import inspect

    return inspect(options)


def _run(options: argparse.Namespace) -> int:
    from ximstudio.commands.run import run

    return run(options)


def _measure(options: argparse.Namespace) -> int:
    from ximstudio.commands.measure import measure

    return measure(options)


def _place(options: argparse.Namespace) -> int:
    from ximstudio.commands.place import place

    return place(options)


def _compare(options: argparse.Namespace) -> int:
    from ximstudio.commands.compare import compare

    return compare(options)


def _export(options: argparse.Namespace) -> int:
    from ximstudio.commands.export import export

    return export(options)


def _verify(options: argparse.Namespace) -> int:
    from ximstudio.commands.verify import verify

    return verify(options)


def _report(options: argparse.Namespace) -> int:
    from ximstudio.commands.report import report

    return report(options)


def _methods(options: argparse.Namespace) -> int:
    from ximstudio.commands.methods import list_methods

    return list_methods(options.name, as_json=options.json)


def _steps(options: argparse.Namespace) -> int:
    from ximstudio.commands.steps import list_steps

    return list_steps(options.name, as_json=options.json)


def _samples(options: argparse.Namespace) -> int:  # noqa: ARG001
    from ximstudio.commands.samples import list_samples

    return list_samples()
