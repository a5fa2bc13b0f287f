"""One troublesome file and the table that it truly holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Case:
    """A file made by hand, and the truth about it.

    The truth is what a table reads as with rows as they lie in the file (after pivoting, if the
    file is long), however many hints had to be followed.

    Parameters
    ----------
    name
        Name of the file, with its suffix; unique among all cases.
    content
        The bytes of the file.
    trouble
        What is peculiar about it, as a sentence.
    items, features
        Names of the rows and of the columns of numbers, all of them, in order.
    item_labels, feature_labels
        Labels that the table must have, texts in order; it may have more.
    values
        The numbers, row by row, NaN for a missing one; None if they are not compared.
    notes
        Keys of the notes that must be given: what is not as it was in the file is told.
    refused
        Key of the refusal if no hint can mend the file, and `trouble` says why; few cases may be.
    """

    name: str
    content: bytes
    trouble: str
    items: tuple[str, ...]
    features: tuple[str, ...]
    item_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    feature_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    values: tuple[tuple[float, ...], ...] | None = None
    notes: tuple[str, ...] = ()
    refused: str = ""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of numbers."""
        return len(self.items), len(self.features)
