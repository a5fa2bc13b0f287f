"""The map, its table and derived results, as input of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ximstudio.measure.estimate import Estimate
from ximstudio.model.made_with import MadeWith
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe
from ximstudio.session.run import Run
from ximstudio.train import Method, method_named

if TYPE_CHECKING:
    from ximstudio.maps.clusters import Clustering
    from ximstudio.maps.stability import MapStability


@dataclass(frozen=True, kw_only=True, eq=False)
class Described:
    """A map to describe.

    Parameters
    ----------
    result, matrix, input
        The map, its table, and how to read that again.
    name
        Name given by the user; '' for the name of its method.
    recipe
        Preparation of the table; None for that of `input`.
    measures
        Values of the measures by key; empty if they were not computed.
    clustering, stability
        Clusters and stability; None if they were not computed.
    projected
        Files whose items were placed on it after training, with the number of items.
    parent
        The map that it continues or is a part of; None if there is none, or it is not available.
    made_with
        Versions that made it; None for those of this process.
    """

    result: Result
    matrix: Matrix
    input: Input
    name: str = ""
    recipe: Recipe | None = None
    measures: Mapping[str, Estimate] = field(default_factory=dict)
    clustering: Clustering | None = None
    stability: MapStability | None = None
    projected: tuple[tuple[str, int], ...] = ()
    parent: Described | None = None
    made_with: MadeWith | None = None

    @property
    def method(self) -> Method:
        return method_named(self.result.method)

    @property
    def params(self) -> MethodParams:
        """All parameters, with open ones as they were chosen."""
        return self.result.params.resolved(len(self.result.item_ids))

    @property
    def steps(self) -> Recipe:
        """The preparation of the table."""
        return self.input.recipe if self.recipe is None else self.recipe

    @property
    def n_projected(self) -> int:
        return sum(n_items for _, n_items in self.projected)


def described(run: Run, parent: Run | None = None) -> Described:
    """Describe a run of the session, with the run that it descends from if it exists."""
    return Described(
        result=run.result,
        matrix=run.matrix,
        input=run.input,
        name=run.name,
        recipe=None if run.frozen is None else run.frozen.recipe,
        measures=run.measures,
        clustering=run.clustering,
        stability=run.stability,
        projected=tuple((each.name, len(each)) for each in run.projected),
        parent=None if parent is None else described(parent),
        made_with=run.made_with,
    )
