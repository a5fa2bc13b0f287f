"""Options about what is written: where it goes, and how figures look."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""What commands are added to."""


def add_output(command: argparse.ArgumentParser) -> None:
    """Where the results go, and how much is said meanwhile."""
    command.add_argument(
        "--out", type=folder, required=True, metavar="DIR", help="folder to be made"
    )
    command.add_argument("--force", action="store_true", help="replace DIR if it exists")
    command.add_argument("--quiet", action="store_true", help="no progress bar and no summary")


def add_figures(command: argparse.ArgumentParser, *, usual: str, views: str) -> None:
    """Which figures are drawn, and what they show."""
    command.add_argument(
        "--figure",
        action="append",
        default=[],
        metavar="NAME",
        help="draw a figure as NAME.pdf, .svg, .png or .tiff in DIR; may be given many times"
        f" ({usual})",
    )
    command.add_argument(
        "--view",
        action="append",
        default=[],
        metavar="VIEW",
        help=f"what figures show: {views}; once for all, or once for each in their order",
    )
    command.add_argument(
        "--like",
        type=Path,
        metavar="FIGURE",
        help="set the view as in a figure that was exported before: layer, colours, size",
    )
    command.add_argument("--table", action="store_true", help="with the table of measures below")
    _add_look(command)


def _add_look(command: argparse.ArgumentParser) -> None:
    """Size, type and colours of figures."""
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
    look.add_argument(
        "--palette", metavar="KEY", help="colours for numbers, such as cividis or magma"
    )
    look.add_argument(
        "--title",
        metavar="TEXT",
        help="stands above; '' for none (default: what is shown of which table)",
    )


def folder(text: str) -> Path:
    """A path; no name is none."""
    if not text:
        raise argparse.ArgumentTypeError("give the name of a folder")
    return Path(text)
