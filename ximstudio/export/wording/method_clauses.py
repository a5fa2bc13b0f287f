"""Introductions of methods, and sentences about all of their parameters."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.citations import Citations
from ximstudio.model.clauses import Clause, Group, Telling, told_plainly
from ximstudio.model.metric import MetricParams
from ximstudio.place.item_params import ItemPlacingParams
from ximstudio.place.params import PlacingParams
from ximstudio.train import Method
from ximstudio.train.anchor_params import AnchorParams
from ximstudio.train.params import MapParams, OnlineParams
from ximstudio.train.pca import PcaParams
from ximstudio.train.sne_params import SneParams, TSneParams
from ximstudio.train.structure_params import StructureParams
from ximstudio.train.t_xim import TXimParams
from ximstudio.train.umap_params import UmapParams
from ximstudio.train.wording import items, maps, training
from ximstudio.train.wording.annealing import annealing_clauses
from ximstudio.train.xim_family import XimParams
from ximstudio.train.xom_params import HypothesisParams, NeXomParams, XomParams

GROUPS = (
    Group(of=MetricParams, tell=maps.metric_clauses),
    Group(of=StructureParams, tell=maps.structure_clauses),
    Group(of=MapParams, tell=maps.start_clauses),
    Group(of=AnchorParams, tell=maps.anchor_clauses),
    Group(of=HypothesisParams, tell=items.hypothesis_clauses),
    Group(of=SneParams, tell=items.sne_clauses),
    Group(of=TSneParams, tell=items.tail_clauses),
    Group(of=UmapParams, tell=items.umap_clauses),
    Group(of=HypothesisParams, tell=items.item_start_clauses),
    Group(of=SneParams, tell=items.item_start_clauses),
    Group(of=UmapParams, tell=items.item_start_clauses),
    Group(of=OnlineParams, tell=training.course_clauses),
    Group(of=XomParams, tell=items.xom_clauses),
    Group(of=NeXomParams, tell=items.xom_repulsion_clauses),
    Group(of=OnlineParams, tell=training.match_clauses),
    Group(of=XimParams, tell=training.rule_clauses),
    Group(of=XimParams, tell=training.reach_clauses),
    Group(of=OnlineParams, tell=annealing_clauses),
    Group(of=XomParams, tell=annealing_clauses),
    Group(of=TXimParams, tell=training.length_clauses),
    Group(of=PlacingParams, tell=maps.placing_clauses),
    Group(of=ItemPlacingParams, tell=items.brought_clauses),
    Group(of=PcaParams, tell=items.pca_clauses),
)
"""Descriptions of parameters, in the order of a text."""


def introduction(method: Method, citations: Citations) -> str:
    """Introduce the method, with its citation: "c-XIM, the Exploratory … [1]"."""
    about = method.introduction
    if about is None:
        return f"{method.name}: {method.summary.rstrip('.')} ({method.equations})"
    if about.equations:
        return f"{method.name}, {about.what}{citations.of(*about.works, equations=about.equations)}"
    return f"{method.name}, {about.what}{citations.of(*about.works)}"


def parameter_clauses(telling: Telling) -> Iterator[Clause]:
    """Sentences about all parameters; those that none speaks of are told plainly.

    Left out are parameters without effect (`Spec.when`), and those without a sentence of their own
    that have their defaults.
    """
    told: set[str] = set()
    for group in GROUPS:
        for clause in group.clauses(telling):
            told.update(clause.names)
            yield clause
    params = telling.params
    silent = params.unused(new_items=telling.n_brought > 0)
    usual = type(params)().resolved(telling.n_items)
    for name in params.specs():
        if name not in told and name not in silent and _differs(params, usual, name):
            # Prototypes that descend from another map began with that map.
            if name == "init" and telling.result.parent is not None:
                continue
            yield told_plainly(params, name)


def _differs(params: object, usual: object, name: str) -> bool:
    return bool(getattr(params, name) != getattr(usual, name))
