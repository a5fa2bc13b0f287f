"""Introductions of methods, and sentences about all of their parameters."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.citations import Citations
from ximstudio.model.clauses import Clause, Telling, plain_clause
from ximstudio.train import Method, method_named


def introduction(method: Method, citations: Citations) -> str:
    """Introduce the method, with its citation: "c-XIM, the Exploratory … [1]"."""
    about = method.introduction
    if about is None:
        return f"{method.name}: {method.summary.rstrip('.')} ({method.equations})"
    if about.equations:
        return f"{method.name}, {about.what}{citations.of(*about.works, equations=about.equations)}"
    return f"{method.name}, {about.what}{citations.of(*about.works)}"


def parameter_clauses(telling: Telling) -> Iterator[Clause]:
    """Yield sentences about all parameters; parameters without a clause are listed.

    Left out are parameters without effect (`Spec.when`), and those without a sentence of their own
    that have their defaults.
    """
    mentioned: set[str] = set()
    for clauses in method_named(telling.result.method).clauses:
        for clause in clauses(telling):
            mentioned.update(clause.names)
            yield clause
    params = telling.params
    silent = params.unused(new_items=telling.n_brought > 0)
    usual = type(params)().resolved(telling.n_items)
    for name in params.specs():
        if name not in mentioned and name not in silent and _differs(params, usual, name):
            # Prototypes that descend from another map began with that map.
            if name == "init" and telling.result.parent is not None:
                continue
            yield plain_clause(params, name)


def _differs(params: object, usual: object, name: str) -> bool:
    return bool(getattr(params, name) != getattr(usual, name))
