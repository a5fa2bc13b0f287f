"""Compare two values deeply: dataclasses, arrays, mappings."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ximstudio.doctor.finding import Addresses

LEFT_OUT = {"evidence"}


def assert_alike(left: Any, right: Any, where: str = "value") -> None:
    """Fails with the address of the first difference."""
    if isinstance(left, np.ndarray):
        assert isinstance(right, np.ndarray), where
        assert left.dtype == right.dtype, f"{where}: {left.dtype} {right.dtype}"
        assert left.shape == right.shape, where
        assert np.array_equal(left, right, equal_nan=left.dtype.kind == "f"), where
        assert not right.flags.writeable or left.dtype.kind == "U", where
    elif hasattr(left, "indptr"):
        for part in ("data", "indices", "indptr"):
            assert_alike(getattr(left, part), getattr(right, part), f"{where}.{part}")
    elif isinstance(left, Addresses):
        assert_alike(left.items, right.items, where)
        assert_alike(left.features, right.features, where)
    elif dataclasses.is_dataclass(left) and not isinstance(left, type):
        assert type(left) is type(right), where
        for field in dataclasses.fields(left):
            if field.name not in LEFT_OUT:
                inner = f"{where}.{field.name}"
                assert_alike(getattr(left, field.name), getattr(right, field.name), inner)
    elif isinstance(left, Mapping):
        assert list(left) == list(right), where
        for key in left:
            assert_alike(left[key], right[key], f"{where}[{key}]")
    elif isinstance(left, tuple):
        assert isinstance(right, tuple), where
        assert len(left) == len(right), where
        for number, (one, other) in enumerate(zip(left, right, strict=True)):
            assert_alike(one, other, f"{where}[{number}]")
    elif isinstance(left, float) and math.isnan(left):
        assert math.isnan(right), where
    else:
        assert left == right, where
        assert type(left) is type(right) or isinstance(left, np.generic), where
