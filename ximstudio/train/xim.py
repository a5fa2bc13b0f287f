"""XIM, t-XIM and c-XIM: the Exploratory Inspection Machine with three kernels in the map.

XIM has h = exp(−d/2σ²) (TR 14), t-XIM h = (1 + d/σ)^(−(σ+1)/2) (TR 15), and c-XIM
h = (1 + d/σ²)^(−1) (TR 16).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from ximstudio.model.citations import REPORT
from ximstudio.model.clauses import Clause, ClauseFunction, MapContext, percent, printed
from ximstudio.model.metric import PRECOMPUTED
from ximstudio.model.spec import Number, param
from ximstudio.train.divergences import divergence_named
from ximstudio.train.method import Introduction, Method
from ximstudio.train.params import annealed
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
from ximstudio.train.xim_family import XimParams, train_xim, xim_problems


@dataclass(frozen=True, kw_only=True)
class TXimParams(XimParams):
    """Parameters of t-XIM: the width is the degrees of freedom, and there is a length scale."""

    width: tuple[float | None, float] = param(
        (0.5, 5.0),
        annealed(
            label="Degrees of freedom",
            symbol="σ",
            help="Tail of the kernel, at the start and at the end: small values reach"
            " across the map, large ones approach exp(−d/2).",
            equation="TR 15, TR 25",
            high=1e4,
        ),
    )
    length_scale: float = param(
        1.0,
        Number(
            label="Length scale",
            symbol="s",
            help="Widens the kernel by d → d/s²; 1 is the report's rule. On a large map with a"
            " random start, larger values help it to unfold.",
            unit="grid units",
            low=0.01,
            high=1000.0,
            advanced=True,
        ),
    )


def rule_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the force that moved the prototypes of a member of the XIM family."""
    params, cite = context.params, context.citations
    divergence = _divergence(context)
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
        yield from _fixed_point_clauses(context)


def _divergence(context: MapContext) -> str:
    params = context.params
    chosen = divergence_named(params.divergence)
    if chosen.order is None:
        return chosen.words
    return f"{chosen.words} of order {chosen.order.symbol} = {printed(params.order)}"


def _fixed_point_clauses(context: MapContext) -> Iterator[Clause]:
    params, cite = context.params, context.citations
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


def reach_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe how far every item repelled, where each had a reach of its own."""
    params = context.params
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


def length_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the length scale of t-XIM's kernel, if it is not 1."""
    scale = context.params.length_scale
    if scale != 1.0:
        text = f"Distances on the map were divided by a length scale of {printed(scale)}."
        yield Clause(text=text, names=("length_scale",))


def _member(
    *,
    key: str,
    name: str,
    summary: str,
    kernel: str,
    equation: int,
    map_kernel: str,
    params: type[XimParams] = XimParams,
    clauses: tuple[ClauseFunction, ...] = (),
) -> Method:
    """Declare a member of the family by its kernel, in words, by equation and by key."""
    return Method(
        key=key,
        name=name,
        summary=summary,
        equations=f"TR 12, {equation}, 24",
        introduction=Introduction(
            what=f"the Exploratory Inspection Machine with a {kernel} kernel in the map: a"
            " self-organizing map whose prototypes are repelled by items that lie near them in the"
            " data",
            works=(REPORT,),
            equations=(12, equation, 24),
        ),
        params=params,
        clauses=(
            metric_clauses,
            structure_clauses,
            start_clauses,
            anchor_clauses,
            course_clauses,
            match_clauses,
            rule_clauses,
            reach_clauses,
            annealing_clauses,
            *clauses,
            placing_clauses,
        ),
        map_kernel=map_kernel,
        train=partial(train_xim, map_kernel=map_kernel),
        problems=xim_problems,
    )


XIM = _member(
    key="xim",
    name="XIM",
    summary="The report's original: a self-organizing map with repulsion.",
    kernel="Gaussian",
    equation=14,
    map_kernel="gaussian",
)
T_XIM = _member(
    key="t-xim",
    name="t-XIM",
    summary="Between XIM and c-XIM: the tail of the map's kernel is a parameter.",
    kernel="Student t",
    equation=15,
    map_kernel="t",
    params=TXimParams,
    clauses=(length_clauses,),
)
C_XIM = _member(
    key="c-xim",
    name="c-XIM",
    summary="Clear groups and a faithful overall picture: the best first choice.",
    kernel="Cauchy",
    equation=16,
    map_kernel="cauchy",
)
