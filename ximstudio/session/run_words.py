"""Short and full descriptions of how a run was made: distance, side, preparation and descent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import EUCLIDEAN, PRECOMPUTED, metric_of
from ximstudio.model.params import Params
from ximstudio.model.parent import PART
from ximstudio.model.words import counted, plural
from ximstudio.prepare.input import Input
from ximstudio.prepare.planned import Planned
from ximstudio.prepare.steps.orientation import ORIENTATION
from ximstudio.session import Session
from ximstudio.session.run import Incomparable, Run
from ximstudio.session.words import Words

METRICS = {EUCLIDEAN: "Euclidean", PRECOMPUTED: "table of distances"}
"""Names of metrics, where these are not their keys."""
AS_READ = "as read"
USUAL = Words()


def metric_text(params: Params) -> str:
    """Name the distance that these parameters compare by."""
    metric = metric_of(params)
    return METRICS.get(metric, metric)


def side_text(matrix: Matrix) -> str:
    """Count what is mapped: "186 genes"."""
    return counted(matrix.n_items, Words.of_matrix(matrix).item)


def preparation_text(given: Input, words: Words = USUAL) -> str:
    """List the steps that are on, by name; "as read" without any."""
    names = [words.said(each.step.name).rstrip(" …") for each in _steps(given)]
    first, *others = names or [AS_READ]
    return ", ".join((first, *(name[0].lower() + name[1:] for name in others)))


def preparation_lines(given: Input, words: Words = USUAL) -> Iterator[str]:
    """Describe every step that is on in a sentence of its own, in the words of a table."""
    for each in _steps(given):
        yield words.sentence(each)


def _steps(given: Input) -> list[Planned]:
    """Steps that are on, without exchanges of sides: the count shows which side is mapped."""
    return [each for each in given.recipe.steps if each.on and each.step.key != ORIENTATION.key]


def why_apart(run: Run, others: Sequence[Run]) -> str:
    """Explain why measures of other runs do not compare with those of `run`; '' if all do."""
    by_reason: dict[str, list[str]] = {}
    for other in others:
        apart = other.apart_from(run)
        if apart is not None:
            by_reason.setdefault(_reason(apart, run, other), []).append(other.name)
    return " ".join(f"{', '.join(names)}: {reason}." for reason, names in by_reason.items())


def _reason(apart: Incomparable, run: Run, other: Run) -> str:
    if apart is Incomparable.METRIC:
        return (
            f"compared by {metric_text(other.result.params)} instead of"
            f" {metric_text(run.result.params)}"
        )
    if apart is Incomparable.VALUES:
        return f"prepared in another way ({preparation_text(other.input)})"
    words = Words.of_matrix(run.matrix)
    return f"of other {plural(2, words.item)} or {plural(2, words.feature)}"


FURTHER = "trained further"


def chain_of(session: Session, run: Run) -> tuple[Run, ...]:
    """List the run and its ancestors, oldest first, up to a deleted one."""
    chain = [run]
    while (above := session.parent_of(chain[0])) is not None and above not in chain:
        chain.insert(0, above)
    return tuple(chain)


def step_text(run: Run, words: Words) -> str:
    """Name a run by what it took from the map before: '23 genes (c-XIM 2)'."""
    return run.name if run.parent is None else f"{_taken(run, words)} ({run.name})"


def descent_text(session: Session, run: Run, words: Words) -> str:
    """Describe where a run comes from: '23 genes of c-XIM 1'; '' for a map without a parent."""
    if run.parent is None:
        return ""
    parent = session.parent_of(run)
    name = "a deleted map" if parent is None else parent.name
    taken = _taken(run, words)
    return f"{name}, {taken}" if taken == FURTHER else f"{taken} of {name}"


def _taken(run: Run, words: Words) -> str:
    parent = run.result.parent
    if parent is None or parent.kind != PART:
        return FURTHER
    return counted(run.matrix.n_items, words.item)
