"""The grammar of commands that make maps, or put items on them."""

from __future__ import annotations

import argparse
from pathlib import Path

from ximstudio.cli.output_options import Commands, add_figures, add_output, folder
from ximstudio.cli.table_options import add_input, add_reading


def add_run(commands: Commands) -> None:
    """`run`: a map, from a table or from an earlier run."""
    run = commands.add_parser(
        "run",
        help="train a map and write it to a folder",
        description="Train a map; write positions.csv, prototypes.csv, history.csv and run.json.",
    )
    add_input(run, optional=True)
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
    add_output(run)
    _add_earlier(run)
    add_figures(
        run,
        usual="default: none",
        views="both (map and positions, the default), map, positions, quality, features, heat_map"
        " or portraits",
    )
    run.add_argument(
        "--color-by", metavar="LABEL", help="label that colours genes or samples in figures"
    )
    run.set_defaults(command=_run)


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
        type=folder,
        dest="continued",
        metavar="RUN_DIR",
        help="go on with an earlier run: its map takes in the genes of INPUT",
    )
    earlier.add_argument(
        "--only-new", action="store_true", help="with --continue: do not train on its genes again"
    )
    earlier.add_argument(
        "--parent",
        type=folder,
        metavar="RUN_DIR",
        help="map some genes of an earlier run on their own, with the values they had; no INPUT",
    )
    earlier.add_argument(
        "--choose",
        type=Path,
        metavar="FILE",
        help="with --parent: the ids of the genes, one in a line",
    )
    earlier.add_argument(
        "--nodes",
        metavar="N[,N…]",
        help="with --parent: the nodes whose genes they are, by the numbers of prototypes.csv",
    )
    earlier.add_argument(
        "--begin",
        metavar="SHARE",
        help="the share of the annealing that is passed over (default: 0.7 with --continue, 0.9"
        " with --only-new, 0.3 with --parent; 0 with --start)",
    )


def add_place(commands: Commands) -> None:
    """`place`: further items on a finished map."""
    place = commands.add_parser(
        "place",
        help="put the genes or samples of another table on the map of a finished run",
        description="Prepare the genes or samples of INPUT as those of a finished run were, put"
        " them on its map, and say which do not belong there; write positions.csv and place.json.",
    )
    place.add_argument(
        "run", type=folder, metavar="RUN_DIR", help="folder that 'ximstudio run' has written"
    )
    add_reading(place)
    # What is done to the table is what the run did to its own.
    place.set_defaults(recipe=None, frozen=None, steps=[])
    place.add_argument(
        "--data", metavar="FILE", help="the run's table, if it is no longer where it was"
    )
    place.add_argument(
        "--tolerance",
        type=float,
        metavar="NUMBER",
        help="novelty above which a gene does not belong (default: 1)",
    )
    place.add_argument(
        "--out", type=folder, metavar="DIR", help="folder to be made (default: RUN_DIR/placed)"
    )
    place.add_argument("--force", action="store_true", help="replace DIR if it exists")
    place.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
    place.set_defaults(command=_place)


def add_compare(commands: Commands) -> None:
    """`compare`: methods against each other."""
    compare = commands.add_parser(
        "compare",
        help="train several methods many times and say which map to believe",
        description="Train every method on random shares of the genes or samples; write the mean"
        " and standard deviation of all measures as table.csv and table.md, every run as runs.csv,"
        " how far they wander between runs as wander.csv, and a figure.",
    )
    add_input(compare)
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
        help="part of the genes or samples drawn for each run (default: 0.95)",
    )
    compare.add_argument(
        "--seed", type=int, default=0, help="of the first run; each next one adds 1 (default: 0)"
    )
    compare.add_argument(
        "--label", metavar="NAME", help="label whose classes the maps are to keep together"
    )
    add_output(compare)
    add_figures(
        compare,
        usual="default: comparison.pdf and comparison.png",
        views="maps, measures, or both (the default)",
    )
    compare.set_defaults(command=_compare)


# Commands import what they need when they run: 'ximstudio --help' must not wait for numba.


def _run(options: argparse.Namespace) -> int:
    from ximstudio.commands.run import run

    return run(options)


def _place(options: argparse.Namespace) -> int:
    from ximstudio.commands.place import place

    return place(options)


def _compare(options: argparse.Namespace) -> int:
    from ximstudio.commands.compare import compare

    return compare(options)
