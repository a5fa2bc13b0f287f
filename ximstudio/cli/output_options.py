"""Options for the output: folder and figures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""The object that commands are added to."""


def add_output(command: argparse.ArgumentParser) -> None:
    """Add the output folder and --quiet."""
    command.add_argument("--out", type=folder, required=True, metavar="DIR", help="output folder")
    command.add_argument("--force", action="store_true", help="replace DIR if it exists")
    command.add_argument("--quiet", action="store_true", help="show no progress bar and no summary")


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
    _add_look(command)


def _add_look(command: argparse.ArgumentParser) -> None:
    """Add the options for size, font and colours of figures."""
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
