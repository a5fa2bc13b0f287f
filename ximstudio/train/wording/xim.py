"""Sentences about the XIM family: force, divergence, fixed point and reach."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.citations import REPORT
from ximstudio.model.clauses import Clause, Telling, percent, printed
from ximstudio.model.metric import PRECOMPUTED
from ximstudio.train.divergences import divergence_named
from ximstudio.train.wording.maps import (
    anchor_clauses,
    metric_clauses,
    placing_clauses,
    start_clauses,
    structure_clauses,
)
from ximstudio.train.wording.training import (
    annealing_clauses,
    change,
    course_clauses,
    match_clauses,
)


def rule_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the force that moved the prototypes of a member of the XIM family."""
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
        force = divergence_named(params.divergence).in_force
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
    """Describe how far every item repelled, where each had a reach of its own."""
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


XIM_CLAUSES = (
    metric_clauses,
    structure_clauses,
    start_clauses,
    anchor_clauses,
    course_clauses,
    match_clauses,
    rule_clauses,
    reach_clauses,
    annealing_clauses,
    placing_clauses,
)
"""Sentences about a member of the XIM family, in the order of a text."""
