"""Sentences about the training of prototypes: steps or epochs, best match, rule and reach."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.citations import REPORT
from ximstudio.model.clauses import Clause, Telling, percent, printed, with_unit
from ximstudio.model.metric import PRECOMPUTED
from ximstudio.model.words import counted
from ximstudio.train.divergences import divergence_named
from ximstudio.train.wording.annealing import change

HESKES = (
    "T. Heskes, Energy functions for self-organizing maps, in: E. Oja and S. Kaski"
    " (eds), Kohonen Maps, Elsevier, Amsterdam, 303–315 (1999)."
)


def course_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the number of steps or epochs, and the items presented in each."""
    params = telling.params
    if not params.in_epochs:
        names = ("n_steps", "algorithm")
        yield Clause(
            text=f"Training took {counted(params.n_steps, 'step')}, each of which presented one"
            " item, in random order.",
            names=tuple(name for name in names if name in params.specs()),
        )
        return
    epochs = counted(params.n_epochs, "epoch")
    if params.metric == PRECOMPUTED or params.algorithm == "batch":
        each = "each" if params.n_epochs > 1 else "which"
        text = f"Training took {epochs}, {each} presenting all items at once."
        yield Clause(text=text, names=("algorithm", "n_epochs"))
    else:
        yield Clause(
            text=f"Training took {epochs}, each presenting all items in random blocks of at most"
            f" {counted(params.block_items, 'item')}.",
            names=("algorithm", "n_epochs", "block_items"),
        )
    yield from _epoch_clauses(telling)


def _epoch_clauses(telling: Telling) -> Iterator[Clause]:
    """What is told of epochs besides their number."""
    params, silent = telling.params, telling.params.unused()
    if "first_share" not in silent and params.first_share < 1.0:
        yield Clause(
            text=f"The first epoch used {percent(params.first_share)} of the items, drawn at"
            " random, a share that rose to all of them over four fifths of the epochs.",
            names=("first_share",),
        )
    if "relaxation" not in silent and params.relaxation < 1.0:
        yield Clause(
            text=f"A prototype went λ = {printed(params.relaxation)} of the way to the balance of"
            " its forces at once.",
            names=("relaxation",),
        )
    if params.settling:
        yield Clause(
            text=f"Up to {counted(params.settling, 'more epoch')} followed, with all annealed"
            " values at their ends.",
            names=("settling",),
        )
    if "tolerance" not in silent and params.tolerance:
        unit = params.specs()["tolerance"].unit
        yield Clause(
            text="Training could end early, once all annealed values were at their ends and no"
            f" prototype moved farther than {with_unit(printed(params.tolerance), unit)} in an"
            " epoch.",
            names=("tolerance",),
        )
    elif "tolerance" not in silent:
        yield Clause(text="All epochs were carried out.", names=("tolerance",))


def match_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the rule for the best match."""
    params, cite = telling.params, telling.citations
    medians = params.metric == PRECOMPUTED and params.relational == "median"
    match = params.best_match
    if medians and getattr(params, "repulsion", 0.0) > 0.0:
        match = "divergence"
    node = {
        "distance": "the nearest prototype",
        "heskes": "the least sum of distances, weighted by the neighbourhood around it",
        "divergence": "the least divergence between the neighbourhoods in the map and in the data",
    }[match]
    cited = cite.of(HESKES) if match == "heskes" else ""
    cited = cite.of(REPORT, equations=[10]) if match == "divergence" else cited
    text = f"An item's best match was the node with {node}{cited}."
    yield Clause(text=text, names=("best_match",))


def rule_clauses(telling: Telling) -> Iterator[Clause]:
    """Which force moved the prototypes of a member of the XIM family."""
    params, cite = telling.params, telling.citations
    divergence = _divergence(telling)
    if not params.repels:
        yield Clause(
            text="Prototypes were attracted by the items only (repulsion η = 0), as in a"
            " self-organizing map.",
            names=("rule", "repulsion", "divergence"),
        )
    elif params.rule == "gradient":
        yield Clause(
            text=f"Prototypes followed the gradient of the {divergence} between the neighbourhoods"
            f" in the map and in the data, taken literally{cite.of(REPORT, equations=[17])}.",
            names=("rule", "divergence", "order"),
        )
    else:
        force = "weighted force of attraction in the map and repulsion in the data"
        if params.divergence == "kl":
            force = "force (1 − η) h − η g of attraction h in the map and repulsion g in the data"
        yield Clause(
            text=f"Prototypes were moved by the {force} that follows from the {divergence}, with a"
            f" repulsion of η = {printed(params.repulsion)}{cite.of(REPORT, equations=[24])}.",
            names=("rule", "repulsion", "divergence", "order"),
        )
    if params.in_epochs and params.metric != PRECOMPUTED:
        yield from _fixed_point_clauses(telling)


def _divergence(telling: Telling) -> str:
    params = telling.params
    chosen = divergence_named(params.divergence)
    if chosen.order is None:
        return chosen.words
    return f"{chosen.words} of order {chosen.order.symbol} = {printed(params.order)}"


def _fixed_point_clauses(telling: Telling) -> Iterator[Clause]:
    params, cite = telling.params, telling.citations
    if params.fixed_point == "damped":
        text = (
            "In an epoch they moved by the sum of all forces over the sum of all attraction and"
            f" repulsion{cite.of(REPORT, equations=[26])}."
        )
    else:
        text = (
            "In an epoch they moved to the mean of the items weighted by their forces, taken"
            f" literally{cite.of(REPORT, equations=[27])}; nodes whose forces did not add up to"
            " more than 0 stayed."
        )
    yield Clause(text=text, names=("fixed_point",))
    if params.repels and params.repelled_by == "means":
        yield Clause(
            text="The items of a node repelled together, from their mean.", names=("repelled_by",)
        )
    if params.matters("repelling_share") and params.repelling_share < 1.0:
        yield Clause(
            text=f"Until the last fifth of the epochs, {percent(params.repelling_share)} of the"
            " items at a time, in turn, repelled for all.",
            names=("repelling_share",),
        )


def reach_clauses(telling: Telling) -> Iterator[Clause]:
    """How far every item repelled, where each had a reach of its own."""
    params = telling.params
    if not params.local_reach or not params.matters("reach_from"):
        return
    start, end = params.reach_neighbours
    how = {
        "neighbours": "the distance to its k-th neighbour",
        "perplexity": "that at which it has k neighbours in effect (its perplexity)",
    }[params.reach_from]
    changed = f"k = {printed(start)} items"
    if start != end and params.annealing != "constant":
        went = "falling" if end < start else "rising"
        changed = f"k {went} {change(params, 'reach_neighbours')}"
    yield Clause(
        text=f"Every item had a reach of its own, {how}, with {changed}.",
        names=("reach_from", "reach_neighbours"),
    )


def length_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the length scale of t-XIM's kernel, if it is not 1."""
    scale = telling.params.length_scale
    if scale != 1.0:
        text = f"Distances on the map were divided by a length scale of {printed(scale)}."
        yield Clause(text=text, names=("length_scale",))
