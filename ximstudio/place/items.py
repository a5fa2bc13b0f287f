"""Placement of items on a trained map, whatever its model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ximstudio.kernels.parallel import one_thread
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import values_in_metric
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, UserError, refuse
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import ItemMap, LinearMap, Model, Result
from ximstudio.model.words import counted
from ximstudio.place import mapping_named
from ximstudio.place.params import ItemPlacingParams, PlacingParams
from ximstudio.place.placed import PlacedItems, PlacingRule


def place_values(model: Model, values: Floats, params: Params) -> PlacedItems:
    """Return positions and winners of items given by their features, in the model's order.

    The features are those of the data; the metric of `params` is applied to them.
    """
    unknown = np.flatnonzero(np.isnan(values).all(axis=1))
    if len(unknown):
        raise UserError(
            key="place.empty_item",
            what=f"{counted(len(unknown), 'item has', 'items have')} no value at all, and so no"
            " place.",
            where=f"item number {', '.join(str(row + 1) for row in unknown[:5])}",
            way_out="Remove the items without values.",
        )
    return place_in_metric(model, values_in_metric(values, params), params)


def place_in_metric(model: Model, values: Floats, params: Params) -> PlacedItems:
    """Place items given by their features as the metric sees them: those the map was trained on."""
    if isinstance(model, LinearMap):
        return project(model, values)
    if isinstance(model, ItemMap):
        from ximstudio.place import neighbours

        assert isinstance(params, ItemPlacingParams)
        return neighbours.place(model, values, params)
    assert isinstance(params, PlacingParams)
    if isinstance(model, RelationalMap):
        from ximstudio.place import relational

        return relational.place(model, values, params)
    rule = mapping_named(params.mapping)
    refuse(blank_problems(rule, values))
    return rule.place(model, values, params)


def blank_problems(rule: PlacingRule, values: Floats) -> Iterator[Problem]:
    """Report missing values that the rule cannot place items with."""
    n_missing = 0 if rule.reads_blanks else int(np.isnan(values).sum())
    if n_missing:
        yield Problem(
            key="place.blanks",
            what=f"Placing by '{rule.key}' allows no missing values; there are {n_missing}.",
            where="parameter 'mapping'",
            fields=("mapping",),
            way_out="Fill the missing values (step 'impute'), or use Shepard placing.",
        )


def place_items(result: Result, matrix: Matrix) -> PlacedItems:
    """Return positions and winners of the items of `matrix`; features match by name."""
    columns = {name: number for number, name in enumerate(matrix.feature_names)}
    absent = [name for name in result.feature_names if name not in columns]
    if absent:
        raise UserError(
            key="place.features",
            what=f"{counted(len(absent), 'feature of the map is', 'features of the map are')}"
            " missing in the new items.",
            where=f"{matrix.source}: {', '.join(absent[:5])}"
            + (f" and {len(absent) - 5} more" if len(absent) > 5 else ""),
            way_out="Give items with the features that the map was trained on.",
        )
    order = [columns[name] for name in result.feature_names]
    values = np.asarray(matrix.values[:, order])
    return place_values(result.model, values, result.params)


def project(model: LinearMap, values: Floats) -> PlacedItems:
    """Return positions by projection; an item with blanks goes where its known values fit best."""
    moved = values - model.centre
    blanks = np.isnan(moved)
    with one_thread():
        positions = np.where(blanks, 0.0, moved) @ model.components.T
    for row in np.flatnonzero(blanks.any(axis=1)):
        known = ~blanks[row]
        positions[row] = np.linalg.lstsq(
            model.components[:, known].T, moved[row, known], rcond=None
        )[0]
    return PlacedItems(positions=positions, winners=None)
