"""XOM, the Exploratory Observation Machine, where items move over the map, and its variants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from ximstudio.model.clauses import Clause, MapContext, printed
from ximstudio.model.spec import Choice, param
from ximstudio.model.words import counted
from ximstudio.train.method import Checkpoint, Introduction, Method, TrainingJob
from ximstudio.train.params import annealed
from ximstudio.train.wording.maps import item_start_clauses, metric_clauses, projection_clauses
from ximstudio.train.wording.training import annealing_clauses
from ximstudio.train.xom_family import NeXomParams, XomParams, train_xom

WISMUELLER = (
    "A. Wismüller, A computational framework for exploratory data analysis, Proceedings"
    " of the European Symposium on Artificial Neural Networks (ESANN), Bruges (2009)."
)
BUNTE = (
    "K. Bunte, B. Hammer, T. Villmann, M. Biehl and A. Wismüller, Neighbor embedding"
    " XOM for dimension reduction and visualization, Neurocomputing 74:1340–1350 (2011)."
)


@dataclass(frozen=True, kw_only=True)
class TNeXomParams(NeXomParams):
    """Parameters of t-NE-XOM: kind and reach of the tail."""

    tail: str = param(
        "cauchy",
        Choice(
            label="Map kernel",
            symbol="g",
            help="Decrease of repulsion with distance in the map.",
            equation="TR 15 and TR 16, in the map",
            options={
                "cauchy": "1/(1 + d/γ²): the reach is a length",
                "t": "(1 + d/γ)^(−(γ+1)/2): the reach is the degrees of freedom as well",
            },
        ),
    )
    width: tuple[float, float] = param((0.6, 0.2), NeXomParams.specs()["width"])
    repulsion: float = param(
        0.25,
        replace(
            NeXomParams.specs()["repulsion"],
            help="Weight of repulsion against attraction. At 0 nothing repels, and the tail still"
            " weakens attraction with the distance in the map.",
        ),
    )
    reach: tuple[float, float] = param(
        (0.3, 0.05),
        annealed(
            label="Map reach",
            symbol="γ",
            help="Reach of repulsion around a drawn point, at the start and at the end; the"
            " tail reaches farther.",
            unit="× side of the map",
            equation="TR 15, TR 16, TR 25",
            low=1e-6,
            high=1e3,
        ),
    )


def train_t_ne_xom(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the checkpoints of t-NE-XOM: g's slope adds a factor 1/(1 + d/γ) or 1/(1 + d/γ²)."""
    return train_xom(job, map_kernel=job.params.tail)


def hypothesis_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the distribution of drawn points."""
    params = context.params
    side = printed(params.lattice_side)
    where = {
        "uniform": "uniformly from a square",
        "normal": "from a normal distribution in the plane",
        "lattice": f"from the nodes of a square lattice of {side} × {side} nodes",
    }[params.hypothesis]
    names = ("hypothesis", *(("lattice_side",) if params.hypothesis == "lattice" else ()))
    yield Clause(text=f"Points were drawn {where}, the structure hypothesis.", names=names)


def xom_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the number of drawn points, and the effect of each."""
    params = context.params
    one = params.n_steps == 1
    yield Clause(
        text=f"Training drew {counted(params.n_steps, 'point')}{'' if one else ' one by one'}; the"
        " item nearest to the point on the map was its best match, and every item moved towards the"
        " point by its similarity to that item in the data.",
        names=("n_steps",),
    )


def xom_repulsion_clauses(context: MapContext) -> Iterator[Clause]:
    """With which weight, and by which kernel, items were repelled from a point."""
    params = context.params
    kernel = {"": "Gaussian", "cauchy": "Cauchy", "t": "Student t"}[getattr(params, "tail", "")]
    if not params.repulsion:
        text = "No item was repelled (repulsion η = 0)."
        names: tuple[str, ...] = ("repulsion",)
        if "tail" in params.specs():
            text += (
                f" Attraction fell with the distance in the map as the slope of a {kernel} kernel"
                " of reach γ does."
            )
            names = ("repulsion", "tail")
        yield Clause(text=text, names=names)
        return
    # Of Student's t the reach is the degrees of freedom as well.
    also = " and degrees of freedom" if kernel == "Student t" else ""
    names = ("repulsion", *(("tail",) if "tail" in params.specs() else ()))
    yield Clause(
        text=f"Items were also repelled from every point by a {kernel} kernel of reach{also} γ in"
        f" the map, with a weight of η = {printed(params.repulsion)} against 1 − η of the"
        " attraction.",
        names=names,
    )


DRAWN = (metric_clauses, hypothesis_clauses, item_start_clauses, xom_clauses)
"""First sentences about every method of the family, in the order of a text."""
NE_XOM_CLAUSES = (*DRAWN, xom_repulsion_clauses, annealing_clauses, projection_clauses)
"""Sentences about the variants that repel."""

XOM = Method(
    key="xom",
    name="XOM",
    summary="Like a SOM with data and map exchanged: positions move freely, without nodes.",
    equations="XOM; compared with in TR table 1",
    introduction=Introduction(
        what="the Exploratory Observation Machine, which draws points of the map and lets"
        " similar items move to them together",
        works=(WISMUELLER,),
    ),
    params=XomParams,
    clauses=(*DRAWN, annealing_clauses, projection_clauses),
    train=partial(train_xom, map_kernel="none"),
)
NE_XOM = Method(
    key="ne-xom",
    name="NE-XOM",
    summary="XOM with repulsion: what differs stays apart on the map.",
    equations="XOM with TR 24, data and map exchanged",
    introduction=Introduction(
        what="the neighbour embedding variant of the Exploratory Observation Machine (XOM),"
        " which draws points of the map, lets similar items move to them together and repels"
        " others",
        works=(WISMUELLER, BUNTE),
    ),
    params=NeXomParams,
    clauses=NE_XOM_CLAUSES,
    train=partial(train_xom, map_kernel="gaussian"),
)
T_NE_XOM = Method(
    key="t-ne-xom",
    name="t-NE-XOM",
    summary="NE-XOM with a heavy tail, as in t-SNE: groups stand out more clearly.",
    equations="XOM with TR 15, 16 and 24, data and map exchanged",
    introduction=Introduction(
        what="the neighbour embedding variant of the Exploratory Observation Machine (XOM) with"
        " a heavy-tailed kernel in the map, which draws points of the map, lets similar items"
        " move to them together and repels others",
        works=(WISMUELLER, BUNTE),
    ),
    params=TNeXomParams,
    clauses=NE_XOM_CLAUSES,
    train=train_t_ne_xom,
)
