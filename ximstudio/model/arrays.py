"""Array types and read-only arrays."""

from __future__ import annotations

import hashlib
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Floats32: TypeAlias = NDArray[np.float32]
Complexes: TypeAlias = NDArray[np.complex128]
Ints: TypeAlias = NDArray[np.int64]
Ints32: TypeAlias = NDArray[np.int32]
Bools: TypeAlias = NDArray[np.bool_]

AnyArray = TypeVar("AnyArray", bound=NDArray[Any])


def frozen(array: AnyArray) -> AnyArray:
    """Mark an array as read-only and return it."""
    array.flags.writeable = False
    return array


def frozen_floats(values: Any) -> Floats:
    """Return the values as read-only float64; a copy, unless they are that already."""
    values = without_mask(values)
    if isinstance(values, np.ndarray) and values.dtype == np.float64 and _is_sealed(values):
        return values
    return frozen(np.array(values, dtype=np.float64, order="C"))


def without_mask(values: Any) -> Any:
    """Return the values with NaN wherever a numpy mask hides one."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    return np.ma.filled(values.astype(np.float64), np.nan)


def _is_sealed(array: NDArray[Any]) -> bool:
    """Return whether rows lie one after the other in memory that no array can write to."""
    part: Any = array
    while isinstance(part, np.ndarray):
        if part.flags.writeable:
            return False
        part = part.base
    return part is None and array.flags.c_contiguous


def digest(*parts: NDArray[Any] | str) -> str:
    """Return the SHA-256 over arrays (dtype, shape and bytes) and texts, in the order given."""
    sha = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            text = part.encode()
            sha.update(b"text" + len(text).to_bytes(8, "little") + text)
        else:
            array = np.ascontiguousarray(part)
            sha.update(f"{array.dtype.str}{array.shape}".encode())
            # No copy: it would block all other threads, the window's among them.
            sha.update(array.reshape(-1).view(np.uint8).data)
    return sha.hexdigest()
