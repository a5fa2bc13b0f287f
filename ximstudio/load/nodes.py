"""Read the nodes of a map from a table of positions."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from ximstudio.load import read_source
from ximstudio.load.reading import Choices
from ximstudio.load.source import Source
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid
from ximstudio.model.problem import UserError
from ximstudio.model.structures.gabriel import gabriel

AXES = ("x", "y", "z")
FEWEST, MOST = 2, 20_000
"""Limits on the number of nodes; unevenly spread, more would take minutes to connect."""
SAME = 1e-6
"""Distance, as a share of the spacing of neighbours, below which two nodes coincide."""


def load_nodes(name: str) -> Grid:
    """Read nodes from a file with the columns x, y and maybe z, in the order of its rows.

    Places are scaled so that neighbours, by Gabriel's rule, are 1 apart (their median is): widths
    are in grid units on every map. The same grid while the file stays as it is.
    """
    path = Path(name)
    # A missing file is refused with the same message as elsewhere.
    Source.at(path)
    state = path.stat()
    return _read(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _read(path: Path, changed: int, size: int) -> Grid:  # noqa: ARG001
    places = _places(path)
    if len(places) < FEWEST:
        raise _unfit(path, f"There are only {len(places)} of them.", f"Give {FEWEST} or more.")
    if len(places) > MOST:
        raise _unfit(path, f"There are {len(places)} of them.", f"Give {MOST} at the most.")
    _, firsts, counts = np.unique(places, axis=0, return_index=True, return_counts=True)
    if counts.max() > 1:
        first = int(firsts[counts.argmax()])
        other = int(np.flatnonzero((places == places[first]).all(axis=1))[1])
        raise _same_place(path, first, other)
    left, right = gabriel(places).T
    apart = np.linalg.norm(places[left] - places[right], axis=1)
    unit = float(np.median(apart))
    if unit == 0.0 or apart.min() < SAME * unit:
        first = int(apart.argmin())
        raise _same_place(path, int(left[first]), int(right[first]))
    return Grid.of_places((places - places.min(axis=0)) / unit)


def _places(path: Path) -> Floats:
    """Read the columns x, y and maybe z; ignore others."""
    table = read_source(Source.at(path), Choices(id="", labels=())).table
    names = {name.strip().lower(): number for number, name in enumerate(table.features.names)}
    axes = [axis for axis in AXES if axis in names]
    if axes[:2] != ["x", "y"]:
        raise _unfit(
            path, "There are no columns 'x' and 'y' with numbers.", "Name the columns x and y."
        )
    places = np.asarray(table.dense[:, [names[axis] for axis in axes]], dtype=np.float64)
    if not np.isfinite(places).all():
        row = int(np.flatnonzero(~np.isfinite(places).all(axis=1))[0])
        raise _unfit(path, f"Node {row + 1} lacks a coordinate.", "Fill it in, or leave it out.")
    return places


def _same_place(path: Path, one: int, other: int) -> UserError:
    why = f"Nodes {one + 1} and {other + 1} lie on the same place."
    return _unfit(path, why, "Leave one of them out.")


def _unfit(path: Path, why: str, way_out: str) -> UserError:
    return UserError(
        key="load.nodes",
        what=f"This table cannot be the nodes of a map. {why}",
        where=str(path),
        way_out=way_out,
    )
