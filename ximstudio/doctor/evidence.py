"""A table as the checks see it, with shared statistics that are computed once when needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from ximstudio.doctor.codes import Code, blanked, find_codes
from ximstudio.doctor.finding import Addresses
from ximstudio.doctor.tally import SideTally, tally
from ximstudio.load.names import looks_like_genes
from ximstudio.load.reading import Guess, Reading
from ximstudio.load.sides import called_genes
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import Severity
from ximstudio.model.table import FEATURES, ITEMS, Axis, Table
from ximstudio.prepare.step import other

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SIDES = (ITEMS, FEATURES)
NAMES_LOOKED_AT = 2000
COMPONENT = re.compile(r"PC \d+")
SHARES = "share of variance"
"""The label that the step 'pca' gives its features."""
GENES = 0.5
"""Share of names that must look like genes for a side to be the genes."""
Rest = ParamSpec("Rest")
Answer = TypeVar("Answer")


@dataclass(frozen=True, eq=False)
class TableEvidence:
    """A table with statistics that are cheap to compute.

    Codes are missing values in `table`, so that no check mistakes them for measurements.

    Parameters
    ----------
    given
        The table as it is.
    halt
        Called before long computations; may raise to stop.
    reading
        Outcome of reading the file, if the table comes from one.
    measured
        Numbers that look like codes, but are known to be values.
    """

    given: Table
    halt: Callable[[], None] = lambda: None
    reading: Reading | None = None
    measured: tuple[float, ...] = ()
    kept: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)
    """Cache of `once`."""

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """Numbers that stand for a missing value."""
        if self.has_components or not self.given.n_items or not self.given.n_features:
            return ()
        # Values that overflow are codes, or of no interest here.
        with np.errstate(all="ignore"):
            counts = tally(self.given, self.halt)
            # Names of genes imply that all values are of one kind.
            apart = self.gene_side is None
            found = find_codes(self.given, counts, apart=apart, measured=self.measured)
        if not found:
            self.__dict__["tally"] = counts
        if found and self.reading is not None:
            # Numbers made by steps cannot be read as missing.
            there = self.reading.table.stored
            found = tuple(code for code in found if (there == code.value).any())
        return found

    def guess(self, key: str) -> Guess | None:
        """Return what reading the file found under this key."""
        guesses = () if self.reading is None else self.reading.guesses
        return next((guess for guess in guesses if guess.key == key), None)

    @cached_property
    def table(self) -> Table:
        """The table with its codes missing."""
        return blanked(self.given, self.codes) if self.codes else self.given

    def axis(self, side: str) -> Axis:
        return self.given.axis(side)

    def length(self, side: str) -> int:
        return len(self.axis(side))

    @property
    def is_empty(self) -> bool:
        return self.given.n_items == 0 or self.given.n_features == 0

    @cached_property
    def tally(self) -> dict[str, SideTally]:
        """Blanks, infinite values, sums and extremes of every item and feature."""
        return tally(self.table, self.halt)

    def present(self, side: str) -> Ints:
        """Return the number of known values of every item or feature."""
        return self.length(other(side)) - self.tally[side].missing

    @cached_property
    def infinite(self) -> Addresses:
        """The cells whose values are infinite."""
        return self.cells(np.isinf) if self.tally[ITEMS].infinite.any() else Addresses()

    @cached_property
    def blanks(self) -> Addresses:
        """The cells that are blank."""
        return self.cells(np.isnan) if self.tally[ITEMS].missing.any() else Addresses()

    @cached_property
    def genes(self) -> dict[str, tuple[float, str]]:
        """Share of the names of each side that look like genes', and the kind they are of."""
        return {side: looks_like_genes(spread(self.axis(side).names)) for side in SIDES}

    def is_genes(self, side: str) -> bool:
        """Return whether the names of this side look like genes and those of the other do not."""
        share, against = self.genes[side][0], self.genes[other(side)][0]
        return share >= GENES and share > against

    @cached_property
    def gene_side(self) -> str | None:
        """The side of the genes, as names or the declared sides show."""
        by_names = next((side for side in SIDES if self.is_genes(side)), None)
        said = self.given.genes
        if said is None:
            return by_names
        return said if by_names == said or called_genes(self.axis(said).kind) else None

    @cached_property
    def sample_side(self) -> str:
        """The side of the samples: the one that is not the genes; if unclear, the shorter one.

        In a sparse table, cells are the items.
        """
        if self.given.genes is not None:
            return other(self.given.genes)
        if self.gene_side is not None:
            return other(self.gene_side)
        if self.given.is_sparse:
            return ITEMS
        return ITEMS if self.given.n_items < self.given.n_features else FEATURES

    @property
    def has_components(self) -> bool:
        """True if the features are principal components, made by a step of the recipe."""
        features = self.given.features
        return SHARES in features.labels and all(map(COMPONENT.fullmatch, features.names))

    def where(self, side: str, numbers: Sequence[int] | Ints, said: str = "") -> str:
        """Return the addresses of some items or features, for a message."""
        axis = self.axis(side)
        shown = some_of([axis.address(int(n)) for n in numbers[:SHOWN]], total=len(numbers))
        return f"{self.table.source}: {said or side} {shown}"

    def along(self, side: str, numbers: Sequence[int] | Ints) -> Addresses:
        """Return addresses of items or of features."""
        chosen = np.asarray(numbers, dtype=np.int64)
        return Addresses(items=chosen) if side == ITEMS else Addresses(features=chosen)

    def values_of(self, side: str, number: int) -> Floats:
        """Return all values of one item or feature."""
        values = self.table.values
        if isinstance(values, np.ndarray):
            return values[number] if side == ITEMS else values[:, number]
        one: Any = values[[number]] if side == ITEMS else values[:, [number]]
        # One row or column, dense, is no longer than the list of names.
        return np.asarray(one.toarray()).ravel()

    def cells(self, test: Callable[[Floats], Bools]) -> Addresses:
        """Return the cells whose value passes the test."""
        values = self.table.values
        if isinstance(values, np.ndarray):
            rows, columns = np.nonzero(test(values))
        else:
            rows, columns = _coordinates(values, test(values.data))
        return Addresses(items=rows, features=columns)


def once(
    ask: Callable[Concatenate[TableEvidence, Rest], Answer],
) -> Callable[Concatenate[TableEvidence, Rest], Answer]:
    """Decorate a method of the evidence that several checks use, so that it runs once."""

    @wraps(ask)
    def asked(evidence: TableEvidence, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Answer:
        key = (ask, args, tuple(kwargs.items()))
        if key not in evidence.kept:
            evidence.halt()
            evidence.kept[key] = ask(evidence, *args, **kwargs)
        answer: Answer = evidence.kept[key]
        return answer

    return asked


def severity_of(evidence: TableEvidence, side: str, numbers: Sequence[int]) -> Severity:
    """Return the severity of invalid names: a map needs unique ones."""
    names = evidence.axis(side).names
    different = len({names[number] for number in numbers})
    return Severity.WARNING if different == len(numbers) else Severity.ERROR


def spread(names: Sequence[str]) -> Sequence[str]:
    """Return some of the names, spread over the list: the first may be controls."""
    return names[:: -(-len(names) // NAMES_LOOKED_AT) or 1]


def _coordinates(values: csr_array[np.float64], chosen: Bools) -> tuple[Ints, Ints]:
    """Return rows and columns of the chosen stored values."""
    places = np.flatnonzero(chosen)
    rows = np.searchsorted(values.indptr, places, side="right") - 1
    return rows.astype(np.int64), values.indices[places].astype(np.int64)
