"""Sentences about the training of prototypes: steps or epochs, and best match."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.citations import REPORT
from ximstudio.model.clauses import Clause, Telling, percent, printed, with_unit
from ximstudio.model.metric import PRECOMPUTED
from ximstudio.model.words import counted

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
    """Describe the epochs besides their number."""
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
