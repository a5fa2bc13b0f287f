"""Options about a table: where it is, how it is read, and what is done to it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple


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
        "remove what is mapped if a larger share of it is blank, for instance 0.5",
    ),
    Shortcut(
        "--missing",
        "HOW",
        "impute how={}",
        "blanks: keep (default; distances and steps leave them out), mean, median, zero or nearest",
    ),
    Shortcut("--log2", None, "log2 offset=1", "take log2(x + 1)"),
    Shortcut("--top-genes", "N", "top axis=genes n={}", "keep the N genes that vary most"),
    Shortcut("--top-samples", "N", "top axis=samples n={}", "keep the N samples that vary most"),
    Shortcut("--top-items", "N", "top axis=items n={}", "the same of what is mapped"),
    Shortcut("--top-features", "N", "top axis=features n={}", "the same of what it is compared by"),
    Shortcut("--centre", "SIDE", "centre axis={}", "move the mean of all genes or samples to 0"),
    Shortcut("--scale", "SIDE", "scale axis={}", "z-scores of all genes or samples"),
    Shortcut(
        "--pca", "N", "pca n={}", "describe what is mapped by its first N principal components"
    ),
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


def add_input(command: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """The table, how to read it, and what to do to it."""
    add_reading(command, optional=optional)
    _add_preparing(command)


def add_reading(command: argparse.ArgumentParser, *, optional: bool = False) -> None:
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
    for side in ("rows", "columns"):
        reading.add_argument(
            f"--{side}",
            metavar="WHAT",
            help=f"what the {side} of the file are: genes, proteins, samples, cells, measurements,"
            " or any other word",
        )
    reading.add_argument(
        "--id", metavar="COLUMN", help="column that names the rows; '' to number them"
    )
    reading.add_argument(
        "--labels",
        action="append",
        default=[],
        metavar="NAME[,NAME…]",
        help="columns that are labels, not values, even if they hold numbers; '' for none",
    )
    reading.add_argument(
        "--features",
        action="append",
        default=[],
        metavar="PATTERN",
        help="columns of values, by name or pattern: 'LFQ intensity*'; may be given many times,"
        " other columns of numbers become labels or are left out",
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
        help="a second table whose columns become labels, joined by name: FILE, FILE#SHEET for a"
        " sheet of a workbook, or 'FILE on=COLUMN side=genes' to say how; may be given many times",
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
