"""Work over millions of rows in slices, with a report after each, so that it can be cancelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ximstudio.load.reading import Report

SLICE = 100_000
"""Rows of a slice: texts of so many take some hundredths of a second."""


def slices(count: int, report: Report, done: float = 1.0) -> Iterator[slice]:
    """Yield slices of `count` things one after the other, each followed by a report.

    `done` is the part of the work that the report hears of.
    """
    for begin in range(0, count, SLICE):
        yield slice(begin, begin + SLICE)
        report(done)


def count_texts(texts: Sequence[str], report: Report) -> Counter[str]:
    """Return how often every text occurs."""
    often: Counter[str] = Counter()
    for part in slices(len(texts), report):
        often.update(texts[part])
    return often
