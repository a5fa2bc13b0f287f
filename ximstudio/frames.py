"""A trained map as pandas DataFrames: `ximstudio.open_run` and `Estimator.frames` give them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from ximstudio.export.measures import item_values, neighbourhood_curves
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.arrays import Ints
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import known
from ximstudio.model.problem import UserError
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.train.finished import open_run
from ximstudio.train.run_tables import coordinates, label_columns


@dataclass(frozen=True, kw_only=True, eq=False)
class MapFrames:
    """A trained map as DataFrames, each made when it is first asked for.

    Nodes are counted from 0, as in `Estimator.winners_` and in the files of a run.

    Parameters
    ----------
    matrix
        The items, as training saw them.
    result
        The map of these items.
    index
        Names of the items: the index of `items` and `item_measures`.
    label
        The item label whose classes the measures look at, if any.
    """

    matrix: Matrix
    result: Result
    index: pd.Index
    label: str | None = None

    @cached_property
    def items(self) -> pd.DataFrame:
        """Position, node and labels of every item."""
        positions, winners = self.result.positions, self.result.winners
        frame = pd.DataFrame(positions, self.index, coordinates(positions.shape[1]))
        if winners is not None:
            frame["node"] = winners
        labels = label_columns(self.matrix.item_labels, frame.columns)
        return frame.assign(**{name: list(texts) for name, texts in labels.items()})

    @cached_property
    def item_measures(self) -> pd.DataFrame:
        """Trust, continuity, errors and cost of every item."""
        return pd.DataFrame(item_values(self._evidence), self.index)

    @cached_property
    def nodes(self) -> pd.DataFrame:
        """Position, row and column of every node, and the number of its items."""
        model, winners = self._with_nodes
        grid = model.grid
        frame = pd.DataFrame(grid.nodes, _numbers(grid), coordinates(grid.n_axes))
        if grid.structure.in_rows:
            frame["row"], frame["column"] = np.divmod(np.arange(grid.n_nodes), grid.columns)
        return frame.assign(hits=np.bincount(winners, minlength=grid.n_nodes))

    @cached_property
    def prototypes(self) -> pd.DataFrame:
        """The prototype of every node, one column per feature."""
        model, _ = self._with_nodes
        return pd.DataFrame(model.prototypes, _numbers(model.grid), self.result.feature_names)

    @cached_property
    def measures(self) -> pd.DataFrame:
        """Every measure that applies to the map, by its key."""
        found = [(measure, measure.of(self._evidence)) for measure in MEASURES]
        rows = {
            measure.key: {
                "name": measure.name,
                "value": estimate.value,
                "error": estimate.error,
                "better": measure.better.value,
                "low": measure.low,
                "high": measure.high,
                "reference": measure.reference,
            }
            for measure, estimate in found
            if estimate is not None
        }
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("key")

    @cached_property
    def neighbourhoods(self) -> pd.DataFrame:
        """Trustworthiness, continuity and other curves, by the number k of neighbours."""
        k = pd.RangeIndex(1, self._evidence.ranks.k + 1, name="k")
        return pd.DataFrame(neighbourhood_curves(self._evidence), k)

    @cached_property
    def history(self) -> pd.DataFrame:
        """Step size, width, reach, error and cost during training; empty for PCA."""
        history = self.result.history
        columns = {field.name: getattr(history, field.name) for field in fields(history)}
        return pd.DataFrame(columns).set_index("step")

    @cached_property
    def _evidence(self) -> MapEvidence:
        return MapEvidence(matrix=self.matrix, result=self.result, label=self.label)

    @property
    def _with_nodes(self) -> tuple[PrototypeMap, Ints]:
        """The model and the winners of a map with nodes; others are refused."""
        model, winners = self.result.model, self.result.winners
        if not isinstance(model, PrototypeMap) or winners is None:
            raise UserError(
                key="frames.no_nodes",
                what="The map has no nodes.",
                where=f"method {self.result.method}",
                way_out="Use 'items', or train a method with prototypes.",
            )
        return model, winners


def frames_of_run(
    folder: str | Path, data: str | Path | None = None, *, label: str | None = None
) -> MapFrames:
    """Return the map of a finished run; see `ximstudio.open_run`."""
    run = open_run(Path(folder), None if data is None else str(data))
    if label is not None:
        known("label", label, run.matrix.item_labels)
    index = pd.Index(run.result.item_ids, name="id")
    return MapFrames(matrix=run.matrix, result=run.result, index=index, label=label)


def _numbers(grid: Grid) -> pd.Index:
    return pd.RangeIndex(grid.n_nodes, name="node")
