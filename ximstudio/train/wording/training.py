"""Sentences about the training of prototypes: steps or epochs, best match and annealing."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.citations import REPORT
from ximstudio.model.clauses import Clause, MapContext, listed, percent, printed, with_unit
from ximstudio.model.metric import PRECOMPUTED
from ximstudio.model.params import Params
from ximstudio.model.spec import Pair
from ximstudio.model.words import counted
from ximstudio.train.annealing import is_annealed

HESKES = (
    "T. Heskes, Energy functions for self-organizing maps, in: E. Oja and S. Kaski"
    " (eds), Kohonen Maps, Elsevier, Amsterdam, 303–315 (1999)."
)
RULES = {
    "exponential": "exponentially (by an equal factor per {step})",
    "linear": "linearly (by an equal amount per {step})",
}


def course_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the number of steps or epochs, and the items presented in each."""
    params = context.params
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
    yield from _epoch_clauses(context)


def _epoch_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the epochs besides their number."""
    params, silent = context.params, context.params.unused()
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


def match_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the rule for the best match."""
    params, cite = context.params, context.citations
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


def annealing_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the course of step size, width, reach and others during training."""
    params = context.params
    annealed = annealed_names(params)
    if not annealed:
        return
    names = ("annealing", *annealed, *(("reach_unit",) if "reach" in annealed else ()))
    names = tuple(name for name in names if name in params.specs())
    moving, cite = list[str](), ""
    if params.annealing != "constant":
        moving = [name for name in annealed if len(set(getattr(params, name))) > 1]
        cite = context.citations.of(REPORT, equations=[25])
    still = [name for name in annealed if name not in moving]
    if moving:
        step = "epoch" if getattr(params, "in_epochs", False) else "step"
        rule = RULES[params.annealing].format(step=step)
        first, *others = moving
        changes = [f"{_named(params, first)} {_went(params, moving)} {change(params, first)}"]
        changes += [f"{_named(params, name)} {change(params, name)}" for name in others]
        each = "each " if others else ""
        text = f"{_sentence(listed(changes))}, {each}{rule}{cite}."
        yield Clause(text=text, names=names)
    if still:
        values = [_constant(params, name) for name in still]
        yield Clause(
            text=f"{_sentence(listed(values))} {_were(values)} kept constant.", names=names
        )


def annealed_names(params: Params) -> list[str]:
    """Return the names of annealed parameters that have an effect."""
    silent = params.unused()
    return [
        name
        for name, spec in params.specs().items()
        if is_annealed(spec) and name not in silent and name != "reach_neighbours"
    ]


def change(params: Params, name: str) -> str:
    """Start and end of an annealed value, with its unit."""
    start, end = getattr(params, name)
    return f"from {printed(start)} to {with_unit(printed(end), unit_of(params, name))}"


def unit_of(params: Params, name: str) -> str:
    """Unit of a parameter; if two are declared, the chosen one."""
    unit = params.specs()[name].unit
    if name != "reach" or "reach_unit" not in params.specs():
        return unit
    return unit.split(",")[0] if params.as_values()["reach_unit"] == "median" else "data units"


def _went(params: Params, names: list[str]) -> str:
    """Return one verb for all of them."""
    rises = {end > start for start, end in (getattr(params, name) for name in names)}
    return "changed" if len(rises) > 1 else "rose" if rises == {True} else "fell"


def _constant(params: Params, name: str) -> str:
    start, _ = getattr(params, name)
    return f"{_named(params, name)} = {with_unit(printed(start), unit_of(params, name))}"


def _named(params: Params, name: str) -> str:
    spec = params.specs()[name]
    assert isinstance(spec, Pair)
    return f"the {spec.label.lower()} {spec.symbol}".rstrip()


def _were(values: list[str]) -> str:
    return "was" if len(values) == 1 else "were"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
