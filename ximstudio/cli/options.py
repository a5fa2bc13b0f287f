"""Arguments that several commands share: table, output folder and figures."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""The object that commands are added to."""


def add_command(commands: Commands, name: str, **texts: Any) -> argparse.ArgumentParser:
    """Add a command, which the function of its name in `ximstudio.commands` carries out.

    It is imported when it runs, so that 'ximstudio --help' is fast.
    """

    def carry_out(options: argparse.Namespace) -> int:
        code: int = getattr(import_module(f"ximstudio.commands.{name}"), name)(options)
        return code

    command = commands.add_parser(name, **texts)
    command.set_defaults(command=carry_out)
    return command


def add_output(
    command: argparse.ArgumentParser,
    about: str = "output folder",
    *,
    metavar: str = "DIR",
    required: bool = True,
    force: str = "replace {} if it exists",
    quiet: str = "show no progress bar and no summary",
) -> None:
    """Add --out, --force and --quiet."""
    command.add_argument("--out", type=folder, required=required, metavar=metavar, help=about)
    command.add_argument("--force", action="store_true", help=force.format(metavar))
    command.add_argument("--quiet", action="store_true", help=quiet)


def add_figures(command: argparse.ArgumentParser, *, usual: str, views: object) -> None:
    """Add the options for figures; `views` is listed in the help text as its `str()`."""
    command.add_argument(
        "--figure",
        action="append",
        default=[],
        metavar="NAME",
        help=f"draw a figure as NAME.pdf, .svg, .png or .tiff in DIR; may be repeated ({usual})",
    )
    view = command.add_argument("--view", action="append", default=[], metavar="VIEW")
    # Names of views are looked up when the help text is printed.
    vars(view)["views"] = views
    view.help = (
        "what figures show: %(views)s; give it once for all figures, or once per figure in "
        "their order"
    )
    command.add_argument(
        "--like",
        type=Path,
        metavar="FIGURE",
        help="use the view settings of an exported figure: layer, colours, size",
    )
    command.add_argument(
        "--table", action="store_true", help="print the table of measures below the figure"
    )
    look = command.add_argument_group("how figures look")
    look.add_argument(
        "--width-mm",
        type=float,
        metavar="MM",
        help="width on paper, such as the usual 85, 114 or 174 (default: 174)",
    )
    look.add_argument(
        "--font-size", type=float, metavar="POINTS", help="size of most text (default: 8)"
    )
    look.add_argument(
        "--dpi",
        type=float,
        metavar="NUMBER",
        help="pixels per inch of .png and .tiff, and of dense point clouds (default: 300)",
    )
    look.add_argument(
        "--palette", metavar="KEY", help="colours for numbers, such as cividis or magma"
    )
    look.add_argument(
        "--title",
        metavar="TEXT",
        help="title above the figure; '' for none (default: view and table)",
    )


def folder(text: str) -> Path:
    """Return the path; refuse an empty name."""
    if not text:
        raise argparse.ArgumentTypeError("give the name of a folder")
    return Path(text)


class Shortcut(NamedTuple):
    """Option that stands for a step: `text` is the equivalent value of --step."""

    option: str
    metavar: str | None
    text: str
    help: str


SHORTCUTS = (
    Shortcut(
        "--max-missing",
        "SHARE",
        "filter_missing axis=items share={}",
        "remove mapped genes or samples with a larger share of blanks, for instance 0.5",
    ),
    Shortcut(
        "--missing",
        "HOW",
        "impute how={}",
        "how to fill blanks: keep (default; distances and steps ignore them), mean, median, zero "
        "or nearest",
    ),
    Shortcut("--log2", None, "log2 offset=1", "take log2(x + 1)"),
    Shortcut("--top-genes", "N", "top axis=genes n={}", "keep the N genes that vary most"),
    Shortcut("--top-samples", "N", "top axis=samples n={}", "keep the N samples that vary most"),
    Shortcut(
        "--top-items", "N", "top axis=items n={}", "keep the N that vary most of what is mapped"
    ),
    Shortcut(
        "--top-features",
        "N",
        "top axis=features n={}",
        "keep the N that vary most of what it is compared by",
    ),
    Shortcut("--centre", "SIDE", "centre axis={}", "move the mean of all genes or samples to 0"),
    Shortcut("--scale", "SIDE", "scale axis={}", "z-scores of all genes or samples"),
    Shortcut("--pca", "N", "pca n={}", "replace the values by the first N principal components"),
)
"""Shortcuts for common steps; they apply in the order given on the command line."""


def add_input(command: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add the table with the options for reading and preparing it."""
    add_reading(command, optional=optional)
    _add_preparing(command)


def add_reading(command: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add the table with the options for reading it."""
    command.add_argument(
        "input",
        nargs="?" if optional else None,
        metavar="INPUT",
        help="a file or folder with a table, or sample:yeast",
    )
    reading = command.add_argument_group("how the table is read (anything not given is detected)")
    reading.add_argument(
        "--items",
        choices=["rows", "columns"],
        help="what to map: the rows (default), usually genes, or the columns, usually samples",
    )
    for side in ("rows", "columns"):
        reading.add_argument(
            f"--{side}",
            metavar="WHAT",
            help=f"what the {side} of the file are: genes, proteins, samples, cells, measurements,"
            " or any other word",
        )
    reading.add_argument(
        "--id", metavar="COLUMN", help="column with the names of the rows; '' to number them"
    )
    reading.add_argument(
        "--labels",
        action="append",
        default=[],
        metavar="NAME[,NAME…]",
        help="columns to read as labels even if they contain numbers; '' for none",
    )
    reading.add_argument(
        "--features",
        action="append",
        default=[],
        metavar="PATTERN",
        help="columns to read as values, by name or pattern: 'LFQ intensity*'; may be repeated; "
        "other columns of numbers become labels or are left out",
    )
    reading.add_argument(
        "--part", metavar="NAME", help="sheet of a workbook, layer or data set of a file"
    )
    reading.add_argument(
        "--read",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="correct any other guess, by the name that 'inspect' prints:"
        " delimiter=';', decimal=, skip=3, missing=n.d., …",
    )
    reading.add_argument(
        "--annotate",
        action="append",
        default=[],
        metavar="FILE",
        help="a second table whose columns become labels, joined by name: FILE, FILE#SHEET for a"
        " sheet of a workbook, or 'FILE on=COLUMN side=genes' to say how; may be repeated",
    )


def _add_preparing(command: argparse.ArgumentParser) -> None:
    """Add the options for preparing the table."""
    preparing = command.add_argument_group(
        "preparation of the table, in the order given ('ximstudio steps' lists all steps)"
    )
    preparing.add_argument(
        "--recipe",
        type=Path,
        metavar="FILE",
        help="recipe.json of a run or a saved recipe; steps given here are added after it",
    )
    preparing.add_argument(
        "--frozen",
        metavar="FILE",
        help="frozen.npz of an earlier run: the same steps with the statistics learnt there "
        "(means, selected genes, …)",
    )
    preparing.add_argument(
        "--step",
        action="append",
        dest="steps",
        default=[],
        metavar="'KEY NAME=VALUE …'",
        help="any step, for instance 'log2 offset=1'; may be repeated",
    )
    preparing.add_argument(
        "--repair",
        action="append",
        dest="steps",
        type="repair:{}".format,
        metavar="KEY[:NUMBER]",
        help="a repair recommended by the data doctor, by the key of the finding that 'inspect' "
        "prints",
    )
    for option, metavar, text, about in SHORTCUTS:
        step: dict[str, Any] = {"action": "append_const", "const": text}
        if metavar:
            step = {"action": "append", "type": text.format, "metavar": metavar}
        preparing.add_argument(option, dest="steps", help=about, **step)
