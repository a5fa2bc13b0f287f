"""The works that a text cites, numbered in the order of first citation.

A work stands as a constant beside what it describes, as a list of references has it.
"""

from __future__ import annotations

from collections.abc import Sequence

REPORT = (
    "A. Wismüller, A Computational Framework for Nonlinear Dimensionality Reduction of"
    " Large Data Sets: The Exploratory Inspection Machine (XIM), technical report, version"
    " 1.0."
)
"""The technical report, whose equations are cited by number."""


class Citations:
    """The works cited so far, shared by all sentences of a text."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def of(self, *works: str, equations: Sequence[int] = ()) -> str:
        """Cite works as a list of references has them: " [1, 3]"; "" without works.

        One work may be cited for some of its `equations`: " [1, eqs 12 and 24]".
        """
        if not works:
            return ""
        numbers = ", ".join(str(number) for number in sorted(map(self._number, works)))
        return f" [{numbers}{_equations(equations)}]"

    def _number(self, text: str) -> int:
        if text not in self._texts:
            self._texts.append(text)
        return self._texts.index(text) + 1

    @property
    def cited(self) -> tuple[str, ...]:
        """All cited works, in order."""
        return tuple(self._texts)


def _equations(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    if len(numbers) == 1:
        return f", eq. {numbers[0]}"
    *first, last = numbers
    return f", eqs {', '.join(map(str, first))} and {last}"
