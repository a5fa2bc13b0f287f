"""The sentence about everything that was annealed, from the declarations of parameters."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.citations import REPORT
from ximstudio.model.clauses import Clause, Telling, listed, printed, with_unit
from ximstudio.model.params import Params
from ximstudio.model.spec import Pair
from ximstudio.train.late import is_annealed

RULES = {
    "exponential": "exponentially (by an equal factor per {step})",
    "linear": "linearly (by an equal amount per {step})",
}


def annealing_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the course of step size, width, reach and others during training."""
    params = telling.params
    annealed = annealed_names(params)
    if not annealed:
        return
    names = ("annealing", *annealed, *(("reach_unit",) if "reach" in annealed else ()))
    names = tuple(name for name in names if name in params.specs())
    if params.annealing == "constant":
        values = [_constant(params, name) for name in annealed]
        yield Clause(
            text=f"{_sentence(listed(values))} {_were(values)} kept constant.", names=names
        )
        return
    step = "epoch" if getattr(params, "in_epochs", False) else "step"
    rule = RULES[params.annealing].format(step=step)
    cite = telling.citations.of(REPORT, equations=[25])
    moving = [name for name in annealed if len(set(getattr(params, name))) > 1]
    still = [name for name in annealed if name not in moving]
    if moving:
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
