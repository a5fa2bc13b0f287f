"""Warnings before training: risks of methods on a table, in the words of the table."""

from __future__ import annotations

from collections.abc import Iterable

from ximstudio.commands.input import in_words_of
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem
from ximstudio.model.table import Table
from ximstudio.train import Method, problems
from ximstudio.train.checks import few_problems


def risks(matrix: Matrix, entries: Iterable[tuple[Method, Params]]) -> tuple[Problem, ...]:
    """Return the problems and warnings of these methods on a table, each once."""
    found: list[Problem] = []
    for method, params in entries:
        found += [new for new in problems(matrix, method, params) if new not in found]
    table = Table.of(matrix)
    return tuple(in_words_of(table, each) for each in (*found, *few_problems(matrix)))
