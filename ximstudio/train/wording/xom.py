"""Sentences about XOM and its family: drawn points, and how items follow them."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.clauses import Clause, Telling, printed
from ximstudio.model.words import counted
from ximstudio.train.wording.maps import brought_clauses, item_start_clauses, metric_clauses
from ximstudio.train.wording.training import annealing_clauses


def hypothesis_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the distribution of drawn points."""
    params = telling.params
    side = printed(params.lattice_side)
    where = {
        "uniform": "uniformly from a square",
        "normal": "from a normal distribution in the plane",
        "lattice": f"from the nodes of a square lattice of {side} × {side} nodes",
    }[params.hypothesis]
    names = ("hypothesis", *(("lattice_side",) if params.hypothesis == "lattice" else ()))
    yield Clause(text=f"Points were drawn {where}, the structure hypothesis.", names=names)


def xom_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the number of drawn points, and the effect of each."""
    params = telling.params
    one = params.n_steps == 1
    yield Clause(
        text=f"Training drew {counted(params.n_steps, 'point')}{'' if one else ' one by one'}; the"
        " item nearest to the point on the map was its best match, and every item moved towards the"
        " point by its similarity to that item in the data.",
        names=("n_steps",),
    )


def xom_repulsion_clauses(telling: Telling) -> Iterator[Clause]:
    """With which weight, and by which kernel, items were repelled from a point."""
    params = telling.params
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


XOM_CLAUSES = (
    metric_clauses,
    hypothesis_clauses,
    item_start_clauses,
    xom_clauses,
    annealing_clauses,
    brought_clauses,
)
"""Sentences about XOM, in the order of a text."""
NE_XOM_CLAUSES = (
    metric_clauses,
    hypothesis_clauses,
    item_start_clauses,
    xom_clauses,
    xom_repulsion_clauses,
    annealing_clauses,
    brought_clauses,
)
"""Sentences about its variants that repel."""
