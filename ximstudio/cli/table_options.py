"""Options for a table: file, reading and preparation."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple


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
