"""Texts about the descent of a map."""

from __future__ import annotations

from ximstudio.model.parent import PART
from ximstudio.model.words import counted
from ximstudio.session import Run, Session
from ximstudio.session.words import Words

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
