"""Identity of the data of a map, which survives the rounding of another processor.

A fingerprint is a hash: one bit in one number gives another. Logarithms and means differ in their
last bits between processors, so data that were prepared elsewhere seldom have the same fingerprint.
Signed sums over all values, s = Σ_i Σ_j r_i c_j x_ij with r_i and c_j of ±1, change by rounding by
about as little as the values do, but by the whole of any change of a single value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

import numpy as np

from ximstudio.model.arrays import Floats, digest
from ximstudio.model.matrix import Matrix

N_SUMS = 16
"""Signed sums per table: values that change places escape with a probability of 2⁻¹⁶."""
ROUNDING = 1e-10
"""Difference between sums that rounding may explain, in units of the root of the sum of squares.

Rounding in preparation gives 1e-15 to 1e-12; a change of one value in a million that can be seen on
a map gives more than 1e-6.
"""
_ROWS = 1 << 15
"""Rows that are summed at a time, so that no second table is needed in memory."""


class Likeness(StrEnum):
    """Comparison of some data with the data that a record describes."""

    SAME = "same"
    """Equal to the last bit."""
    ROUNDED = "rounded"
    """The same names and labels; values differ no more than by rounding."""
    UNKNOWN = "unknown"
    """The same size; the record has no sums to compare, only a fingerprint from another machine."""
    DIFFERENT = "different"
    """Other values, names, labels or another size."""


@dataclass(frozen=True, kw_only=True)
class DataIdentity:
    """Size, fingerprint and sums of the data of a map.

    Parameters
    ----------
    fingerprint
        Matrix.fingerprint.
    n_items, n_features
        Size of the matrix; 0 in records of the first schema, which do not have it.
    names
        Hash of names, labels and places of missing values; empty in records before version 0.2.
    sums
        Signed sums of the values; empty in records before version 0.2.
    """

    fingerprint: str
    n_items: int
    n_features: int
    names: str = ""
    sums: tuple[float, ...] = ()

    @classmethod
    def of(cls, matrix: Matrix) -> Self:
        """Return the identity of a matrix."""
        return cls(
            fingerprint=matrix.fingerprint,
            n_items=matrix.n_items,
            n_features=matrix.n_features,
            names=_names_hash(matrix),
            sums=tuple(_signed_sums(matrix.values).tolist()),
        )

    def as_values(self) -> dict[str, Any]:
        """Return plain values for a record; `from_values` reads them back."""
        return {
            "items": self.n_items,
            "features": self.n_features,
            "fingerprint": self.fingerprint,
            "names": self.names,
            "sums": list(self.sums),
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Read the `data` of a record; raise KeyError, TypeError or ValueError if they do not
        fit.
        """
        return cls(
            fingerprint=str(values["fingerprint"]),
            n_items=int(values.get("items", 0)),
            n_features=int(values.get("features", 0)),
            names=str(values.get("names", "")),
            sums=tuple(map(float, values.get("sums", ()))),
        )

    def likeness(self, matrix: Matrix, *, elsewhere: bool) -> Likeness:
        """Compare a matrix with this identity.

        `elsewhere` is true if the identity was taken with other versions or on another processor;
        otherwise nothing but the same bits is accepted.
        """
        if matrix.fingerprint == self.fingerprint:
            return Likeness.SAME
        wanted = self.n_items, self.n_features
        if not elsewhere or wanted not in ((matrix.n_items, matrix.n_features), (0, 0)):
            return Likeness.DIFFERENT
        if not self.sums:
            return Likeness.UNKNOWN
        if self.names != _names_hash(matrix) or len(self.sums) != N_SUMS:
            return Likeness.DIFFERENT
        apart = np.abs(_signed_sums(matrix.values) - np.array(self.sums))
        size = float(np.sqrt(np.nansum(np.square(matrix.values))))
        return Likeness.ROUNDED if apart.max() <= ROUNDING * size else Likeness.DIFFERENT


def _names_hash(matrix: Matrix) -> str:
    return digest(np.packbits(np.isnan(matrix.values)), *matrix.name_parts)


def _signed_sums(values: Floats) -> Floats:
    """Σ_i Σ_j r_i c_j x_ij for N_SUMS draws of signs, the same for tables of the same size."""
    n_items, n_features = values.shape
    columns = _signs(n_features, stream=0)
    sums = np.zeros(N_SUMS)
    for first in range(0, n_items, _ROWS):
        rows = values[first : first + _ROWS]
        products = np.where(np.isnan(rows), 0.0, rows) @ columns
        sums += (products * _signs(len(rows), stream=1 + first // _ROWS)).sum(axis=0)
    return sums


def _signs(n: int, *, stream: int) -> Floats:
    """±1 in shape (n, N_SUMS); random bits of a generator whose stream is fixed for ever."""
    bits = np.random.PCG64([stream, N_SUMS]).random_raw(n)
    halves = (np.asarray(bits, dtype=np.uint64)[:, None] >> np.arange(N_SUMS, dtype=np.uint64)) & 1
    return 1.0 - 2.0 * halves.astype(np.float64)
