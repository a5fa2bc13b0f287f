"""Sentences about methods that move the items themselves: XOM and its family, SNE, UMAP, PCA."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.clauses import Clause, Telling, listed, percent, printed
from ximstudio.model.result import LinearMap
from ximstudio.model.words import counted
from ximstudio.place import shepard
from ximstudio.train.pca import SREBRO
from ximstudio.train.sne_family import BELKINA
from ximstudio.train.t_sne import KOBAK

STARTS = {
    "pca": "Items began at their places in the plane of the first two principal components.",
    "random": "Items began at random places.",
}


def item_start_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the initial positions of items."""
    yield Clause(text=STARTS[telling.params.init], names=("init",))


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


def sne_clauses(telling: Telling) -> Iterator[Clause]:
    """Neighbourhoods and descent of t-SNE and SNE."""
    params, cite = telling.params, telling.citations
    yield Clause(
        text=f"Neighbourhoods in the data had a perplexity of {printed(params.perplexity)}.",
        names=("perplexity",),
    )
    steps = counted(params.n_steps, "step")
    n_early = round(params.early * params.n_steps) if telling.n_items > 2 else 0
    early = (
        f", the first {printed(n_early)} of them with attraction exaggerated"
        f" {printed(params.exaggeration)}-fold"
        if n_early and params.exaggeration > 1.0
        else ", without exaggeration"
    )
    yield Clause(
        text=f"Gradient descent took {steps}{early}.",
        names=("n_steps", "early", "exaggeration"),
    )
    factor = "" if params.rate == 1.0 else f"{printed(params.rate)} times "
    yield Clause(
        text=f"The learning rate was {factor}the number of items over the exaggeration"
        f"{cite.of(BELKINA)}.",
        names=("rate",),
    )


def tail_clauses(telling: Telling) -> Iterator[Clause]:
    """The kernel of t-SNE in the map, if it is not the usual one."""
    tail = telling.params.tail
    if tail != 1.0:
        yield Clause(
            text="The kernel in the map had the tail of a Student t distribution with"
            f" α = {printed(tail)} {'degree' if tail == 1.0 else 'degrees'} of freedom"
            f"{telling.citations.of(KOBAK)}.",
            names=("tail",),
        )


def umap_clauses(telling: Telling) -> Iterator[Clause]:
    """Graph and layout of UMAP."""
    params = telling.params
    yield Clause(
        text=f"The graph joined every item to its {printed(params.graph_neighbours)} nearest,"
        " itself among them, by exact distances.",
        names=("graph_neighbours",),
    )
    yield Clause(
        text=f"Its layout took {counted(params.n_steps, 'epoch')} with a minimum distance of"
        f" {printed(params.least_distance)}, a learning rate falling linearly from"
        f" {printed(params.rate)} to 0, and"
        f" {counted(params.negative_samples, 'repelling item')} drawn at random for every"
        " neighbour.",
        names=("n_steps", "least_distance", "rate", "negative_samples"),
    )


def pca_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the share of the variance on the plane."""
    model = telling.result.model
    if isinstance(model, LinearMap):
        shares = [percent(float(share)) for share in model.explained]
        yield Clause(text=f"The components explained {listed(shares)} of the variance.")
        if telling.n_missing:
            yield Clause(
                text="They were fitted to the values that were known, by filling the others from"
                " the plane and fitting it again until it came to rest"
                f"{telling.citations.of(SREBRO)}; items were placed where their known values fit"
                " best."
            )


def brought_clauses(telling: Telling) -> Iterator[Clause]:
    """How new items were placed between those that a map was trained on."""
    params = telling.params
    if not telling.n_brought:
        return
    items = counted(min(params.neighbours, telling.n_items), "nearest item")
    yield Clause(
        text="Items that were placed later lie at the mean of the places of their"
        f" {items}, weighted by inverse distance in the data with the power"
        f" p = {printed(params.power)}{telling.citations.of(shepard.WORK)}.",
        names=("power", "neighbours"),
    )
