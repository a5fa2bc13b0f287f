"""Which parameters play no part beside the others: of these nothing need be said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ximstudio.kernels.divergence import KL
from ximstudio.model.metric import PRECOMPUTED, TableParams
from ximstudio.model.params import Params
from ximstudio.place.item_params import ItemPlacingParams
from ximstudio.place.params import PlacingParams
from ximstudio.train.batch_params import BatchParams, BatchXimParams
from ximstudio.train.divergence_params import DivergenceParams
from ximstudio.train.divergences import BY_KEY
from ximstudio.train.params import OnlineParams
from ximstudio.train.structure_params import StructureParams
from ximstudio.train.xim_family import XimParams
from ximstudio.train.xom_params import HypothesisParams

Idle = Iterator[tuple[str, str]]
"""Names of parameters, each with the reason."""


def idle(params: Params, *, n_brought: int = 0) -> Mapping[str, str]:
    """The parameters that the map does not depend on as the others are, each with the reason.

    What only places new items counts if there are some.
    """
    found: dict[str, str] = {}
    for kind, reasons in REASONS.items():
        if isinstance(params, kind):
            found.update(reasons(params))
    if isinstance(params, ItemPlacingParams) and not n_brought:
        found |= dict.fromkeys(("power", "neighbours"), "no new items were placed")
    return found


def _of_structure(params: Any) -> Idle:
    if params.lattice != "cubic":
        yield "depth", "the map has one layer"
    if params.lattice == "table":
        yield "shape", "the nodes are those of a table"
    else:
        yield "node_file", "the nodes are not those of a table"


def _of_table(params: Any) -> Idle:
    if params.metric != PRECOMPUTED:
        for name in ("symmetrise", "relational"):
            yield name, "items were given by their features"


def _of_placing(params: Any) -> Idle:
    for name, ways in {"power": "shepard", "neighbours": "shepard", "softness": "softmax"}.items():
        if params.mapping != ways:
            yield name, f"items were placed by '{params.mapping}'"


def _of_online(params: Any) -> Idle:
    if params.in_epochs:
        for name in ("n_steps", "step"):
            yield name, "training went in epochs"


def _of_batch(params: Any) -> Idle:
    if not params.in_epochs:
        for name in ("n_epochs", "relaxation", "first_share", "settling", "tolerance"):
            yield name, "training went item by item"
    if params.metric == PRECOMPUTED:
        for name in ("algorithm", "first_share", "block_items", "tolerance"):
            yield name, "a table of distances is trained in whole epochs"
        if params.relational == "median":
            yield "relaxation", "a prototype that is an item goes all of the way to another"
    if params.algorithm != "mini-batch":
        yield "block_items", "there were no blocks"
    else:
        yield "first_share", "blocks hold all items of an epoch"


def _of_epochs(params: Any) -> Idle:
    if not params.in_epochs:
        for name in ("fixed_point", "repelled_by", "repelling_share"):
            yield name, "training went item by item"
    if params.metric == PRECOMPUTED:
        yield "repelling_share", "all items of a table of distances repel"
    if params.repelled_by == "means":
        yield "repelling_share", "means repel, and no items"


def _of_divergence(params: Any) -> Idle:
    if BY_KEY[params.divergence].order is None:
        yield "order", "the divergence has no order"


def repels(params: Any) -> bool:
    """Whether prototypes of a member of the XIM family are repelled."""
    return bool(params.rule == "gradient" or params.repulsion > 0.0 or params.force != KL)


def _of_xim(params: Any) -> Idle:
    if params.rule == "gradient":
        yield "repulsion", "the gradient rule has no weights"
    if params.local_reach or not repels(params):
        for name in ("reach", "reach_unit"):
            yield name, "there is no reach for all items"
    if not params.local_reach or not repels(params):
        yield "reach_neighbours", "items have no reach of their own"
    if not repels(params):
        for name in ("reach_from", "repelled_by", "repelling_share"):
            yield name, "nothing repels"


def _of_hypothesis(params: Any) -> Idle:
    if params.hypothesis != "lattice":
        yield "lattice_side", "points were not drawn from a lattice"
    if getattr(params, "repulsion", 1.0) == 0.0:
        for name in ("reach", "tail"):
            yield name, "nothing repels"


REASONS: Mapping[type[Params], Any] = {
    StructureParams: _of_structure,
    TableParams: _of_table,
    PlacingParams: _of_placing,
    OnlineParams: _of_online,
    BatchParams: _of_batch,
    BatchXimParams: _of_epochs,
    DivergenceParams: _of_divergence,
    XimParams: _of_xim,
    HypothesisParams: _of_hypothesis,
}
"""For parameters of these classes, and of those made of them."""
