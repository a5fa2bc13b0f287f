"""Options for the output: folder and figures."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

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
