"""Arguments of run, place and compare."""

from __future__ import annotations

import argparse
from pathlib import Path

from ximstudio.cli.options import (
    Commands,
    add_command,
    add_figures,
    add_input,
    add_output,
    add_reading,
    folder,
)


def add_run(commands: Commands) -> None:
    """Add `run`: train a map of a table or of an earlier run."""
    run = add_command(
        commands,
        "run",
        help="train a map and write it to a folder",
        description="Train a map. Writes positions.csv, prototypes.csv, history.csv and run.json.",
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
        help="a parameter of the method, for instance shape=20x30; may be repeated",
    )
    run.add_argument("--seed", type=int, default=0, help="seed of all random choices (default: 0)")
    add_output(run)
    _add_earlier(run)
    add_figures(run, usual="default: none", views=_ViewNames())
    run.add_argument(
        "--color-by", metavar="LABEL", help="label that colours the genes or samples in figures"
    )


class _ViewNames:
    """Names of the views that a figure of one map can show."""

    def __str__(self) -> str:
        from ximstudio import views

        keys = [kind.key for kind in views.VIEWS if not kind.compares]
        return f"both (map and positions, the default), {', '.join(keys[:-1])} or {keys[-1]}"


def _add_earlier(run: argparse.ArgumentParser) -> None:
    """Add the options that start from an earlier run."""
    earlier = run.add_argument_group("start from an earlier run")
    earlier.add_argument(
        "--start",
        type=Path,
        metavar="RUN_DIR",
        help="start with the prototypes of an earlier run, on any grid, or of a file "
        "prototypes.csv",
    )
    earlier.add_argument(
        "--continue",
        type=folder,
        dest="continued",
        metavar="RUN_DIR",
        help="continue an earlier run with the genes of INPUT added",
    )
    earlier.add_argument(
        "--only-new", action="store_true", help="with --continue: train only on the new genes"
    )
    earlier.add_argument(
        "--parent",
        type=folder,
        metavar="RUN_DIR",
        help="map a part of the genes of an earlier run, with the same values; takes no INPUT",
    )
    earlier.add_argument(
        "--choose", type=Path, metavar="FILE", help="with --parent: ids of the genes, one per line"
    )
    earlier.add_argument(
        "--nodes",
        metavar="N[,N…]",
        help="with --parent: nodes whose genes are mapped, by their numbers in prototypes.csv",
    )
    earlier.add_argument(
        "--begin",
        metavar="SHARE",
        help="share of the annealing to skip (default: 0.7 with --continue, 0.9"
        " with --only-new, 0.3 with --parent; 0 with --start)",
    )


def add_place(commands: Commands) -> None:
    """Add `place`: project new items onto a finished map."""
    place = add_command(
        commands,
        "place",
        help="place the genes or samples of another table on a finished map",
        description="Prepare the genes or samples of INPUT like those of a finished run, place "
        "them on its map, and report which do not fit. Writes positions.csv and place.json.",
    )
    place.add_argument(
        "run", type=folder, metavar="RUN_DIR", help="folder that 'ximstudio run' has written"
    )
    add_reading(place)
    # No options for preparation: it repeats that of the run.
    place.set_defaults(recipe=None, frozen=None, steps=[])
    place.add_argument(
        "--data", metavar="FILE", help="the run's table, if it is no longer where it was"
    )
    place.add_argument(
        "--tolerance",
        type=float,
        metavar="NUMBER",
        help="novelty above which a gene does not fit (default: 1)",
    )
    add_output(place, "output folder (default: RUN_DIR/placed)", required=False)


def add_compare(commands: Commands) -> None:
    """Add `compare`: compare methods."""
    compare = add_command(
        commands,
        "compare",
        help="train several methods repeatedly and compare their map quality",
        description="Train every method on random subsets of the genes or samples. Writes mean "
        "and standard deviation of all measures (table.csv, table.md), every run (runs.csv), "
        "how far positions move between runs (wander.csv), and figures.",
    )
    add_input(compare)
    compare.add_argument(
        "--methods",
        action="append",
        default=[],
        metavar="NAME[,NAME…]",
        help="methods to compare, see 'ximstudio methods' (default: all)",
    )
    compare.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="[METHOD.]NAME=VALUE",
        help="a parameter of all methods that have it (shape=20x30) or of one method "
        "(som.shape=20x30)",
    )
    compare.add_argument(
        "--runs", type=int, default=10, help="number of trainings per method (default: 10)"
    )
    compare.add_argument(
        "--share",
        type=float,
        default=0.95,
        help="share of the genes or samples drawn for each run (default: 0.95)",
    )
    compare.add_argument(
        "--seed",
        type=int,
        default=0,
        help="seed of the first run; each further run adds 1 (default: 0)",
    )
    compare.add_argument(
        "--label", metavar="NAME", help="label whose classes should stay together on the maps"
    )
    add_output(compare)
    add_figures(
        compare,
        usual="default: comparison.pdf and comparison.png",
        views="maps, measures, or both (the default)",
    )
