"""Checks of data and memory before training, for all methods."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
import psutil

from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.matrix import Matrix, some_of
from ximstudio.model.metric import PRECOMPUTED
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.words import counted
from ximstudio.place import mapping_named
from ximstudio.place.items import blank_problems
from ximstudio.train.batch_items import MOST_PARTS, SUMS
from ximstudio.train.method import Method, Package
from ximstudio.train.params import MapParams, OnlineParams

FEWEST_ITEMS, FEW_ITEMS = 2, 20
SMALLEST, LARGEST = 1e-140, 1e140
"""Sizes whose squares, summed over all features, are neither 0 nor infinite."""
FAR, TOO_FAR = 1e3, 1e9
"""Median distances from the middle beyond which a value causes a warning, and an error."""


PACKAGE = "method.package"
"""Key of the problem that a method's package is not installed."""


def is_installed(method: Method) -> bool:
    """Return whether the package that the method needs, if any, is installed."""
    return method.package is None or find_spec(method.package.module) is not None


def install_command(package: Package) -> str:
    """Command that installs a package for this program, to be pasted into a terminal."""
    return f'"{sys.executable}" -m pip install "{package.requirement}"'


def package_problems(method: Method) -> Iterator[Problem]:
    """Report a missing package that the method needs."""
    package = method.package
    if package is not None and not is_installed(method):
        yield Problem(
            key=PACKAGE,
            what=f"{method.name} needs {package.distribution}, which is not installed.",
            where=f"method '{method.key}'",
            way_out=f"Paste this into a terminal: {install_command(package)} Then start again; or"
            " use another method.",
        )


def data_problems(matrix: Matrix) -> Iterator[Problem]:
    """Report why nothing can be learned from these data."""
    if matrix.n_items < FEWEST_ITEMS or matrix.n_features < 1:
        yield Problem(
            key="data.too_small",
            what=f"A map needs at least {FEWEST_ITEMS} items and 1 feature; found"
            f" n_samples = {counted(matrix.n_items, 'item')} and"
            f" {counted(matrix.n_features, 'feature')}.",
            where=matrix.source,
            way_out="Check the orientation of the table, and which columns are labels.",
        )
        return
    for axis, names in ((1, matrix.item_ids), (0, matrix.feature_names)):
        kind = "item" if axis == 1 else "feature"
        empty = np.flatnonzero(matrix.missing.all(axis=axis))
        if len(empty):
            yield Problem(
                key=f"data.empty_{kind}",
                what=f"{counted(len(empty), f'{kind} has', f'{kind}s have')} no value at all.",
                where=f"{matrix.source}: {some_of([names[number] for number in empty])}",
                way_out=f"Remove the {kind}s that have no values.",
            )
            return
    low, high = np.nanmin(matrix.values, axis=0), np.nanmax(matrix.values, axis=0)
    if (low == high).all():
        yield Problem(
            key="data.constant",
            what="All items are the same: every feature is constant.",
            where=f"{matrix.source}: {matrix.n_items} items × {matrix.n_features} features",
            way_out="Check the orientation of the table, and that the right columns are features.",
        )
        return
    sizes = [float(max(abs(low.min()), abs(high.max()))), float((high - low).max())]
    for size in sizes:
        if not SMALLEST < size < LARGEST:
            yield Problem(
                key="data.scale",
                what=f"Values of the size {size:.3g} cannot be squared.",
                where=matrix.source,
                way_out="Multiply or divide the values, or take their logarithm.",
            )
            return


def outlier_problems(matrix: Matrix) -> Iterator[Problem]:
    """Report values so far away that they alone would determine the map, or break it."""
    typical = matrix.median_distance
    if typical == 0.0:
        return
    # Dissimilarities begin at 0, whatever their middle.
    middle = 0.0 if isinstance(matrix, Dissimilarities) else matrix.middle
    off = np.abs(matrix.values - middle) / typical
    far = off > FAR
    if far.any():
        row, column = np.unravel_index(int(np.nanargmax(off)), off.shape)
        too_far = bool(off[row, column] > TOO_FAR)
        yield Problem(
            key="data.outlier",
            what=f"{counted(int(far.sum()), 'value lies', 'values lie')} more than {FAR:g} times"
            " as far off as items lie apart: "
            + ("they cannot be trained on." if too_far else "they will dominate the map."),
            where=f"{matrix.source}: item '{matrix.item_ids[row]}', feature"
            f" '{matrix.feature_names[column]}': {matrix.values[row, column]:g}",
            way_out="If such a value means missing, leave the cell empty; otherwise correct it.",
            severity=Severity.ERROR if too_far else Severity.WARNING,
        )


def placing_problems(matrix: Matrix, params: Any) -> Iterator[Problem]:
    """Report whether items could not be placed after training."""
    if isinstance(params, MapParams):
        yield from blank_problems(mapping_named(params.mapping), matrix.values)


def few_problems(matrix: Matrix) -> Iterator[Problem]:
    """Warn of maps of very few items, on which almost any arrangement looks like groups."""
    if matrix.n_items < FEW_ITEMS:
        yield Problem(
            key="data.few_items",
            what=f"There are only {counted(matrix.n_items, 'item')}: groups on a map of so few may"
            " well be chance, and T and C look at very small neighbourhoods.",
            where=matrix.source,
            way_out="Check Stability before you trust them, or map the other side.",
            severity=Severity.WARNING,
        )


def structure_problems(params: Any) -> Iterator[Problem]:
    """Report why the nodes are unknown: their table may be gone, or hold something else."""
    if isinstance(params, MapParams):
        try:
            _ = params.grid
        except UserError as error:
            yield from error.problems


OF_FEATURES = {
    "divergence": "kl",
    "reach_from": "global",
    "anchors": (),
    "fixed_point": "damped",
    "repelled_by": "items",
}
"""Parameters that have only these values on a map of a table of distances."""


def table_problems(params: Any) -> Iterator[Problem]:
    """Report settings that are impossible where only distances between items are known."""
    if not isinstance(params, MapParams) or params.metric != PRECOMPUTED:
        return
    specs = params.specs()
    for name, value in OF_FEATURES.items():
        if name in specs and getattr(params, name) != value:
            yield Problem(
                key="params.not_for_tables",
                what=f"{specs[name].label} cannot be chosen for a table of distances.",
                where=f"parameters '{name}' and 'metric'",
                fields=(name, "metric"),
                way_out=f"Reset {specs[name].label} to its default, or use a table of features.",
            )


def memory_problems(matrix: Matrix, params: Any) -> Iterator[Problem]:
    """Report whether the map does not fit into the available memory."""
    if not isinstance(params, MapParams):
        return
    grid = params.grid
    n_nodes = grid.n_nodes
    if params.metric == PRECOMPUTED:
        yield from _table_problems(matrix, n_nodes)
        return
    # float32 in training, and float64 prototypes twice while a checkpoint is completed.
    needed = n_nodes * matrix.n_features * (4 + 2 * 8)
    if isinstance(params, OnlineParams) and params.in_epochs:
        # Kernel and distance between all pairs of nodes.
        needed += n_nodes**2 * 2 * 4
        # Rows of items, of values and of what is known; their sums per node, several times.
        columns = matrix.n_features * (2 if matrix.n_missing else 1)
        room = n_nodes * columns
        needed += matrix.n_items * columns * 4
        needed += 3 * 8 * min(MOST_PARTS * room, max(2 * room, SUMS))
    if grid.structure.tabled:
        # Distances between all pairs of nodes.
        needed += n_nodes**2 * 4
    free = psutil.virtual_memory().available
    if needed > 0.8 * free:
        yield Problem(
            key="params.memory",
            what=f"A map of {n_nodes} nodes with {matrix.n_features}"
            f" features needs {needed / 2**30:.1f} GiB of memory; {free / 2**30:.1f} GiB are free.",
            where="parameter 'shape'",
            fields=("shape",),
            way_out="Use a smaller map, or fewer features.",
        )


def _table_problems(matrix: Matrix, n_nodes: int) -> Iterator[Problem]:
    """Report whether a table of dissimilarities, with all that derives from it, does not fit."""
    n_items, n_features = matrix.n_items, matrix.n_features
    # The table made symmetric, twice while it is looked at, and squared for training.
    needed = n_items * n_features * 3 * 8 + n_items**2 * 4
    # Coefficients, forces and sums in training; prototypes and squares while it is completed.
    needed += n_nodes * n_items * 4 * 4 + n_nodes * n_features * 6 * 8 + n_nodes**2 * 4 * 8
    free = psutil.virtual_memory().available
    if needed > 0.8 * free:
        yield Problem(
            key="params.memory",
            what=f"A map of {counted(n_nodes, 'node')} from the distances between"
            f" {counted(n_items, 'item')} needs {needed / 2**30:.1f} GiB of memory;"
            f" {free / 2**30:.1f} GiB are free.",
            where="parameters 'metric' and 'shape'",
            fields=("metric", "shape"),
            way_out="Use fewer items or a smaller map; with their features instead of distances"
            " memory grows with the items, not with their square.",
        )
