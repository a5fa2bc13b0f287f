"""Arrays in files: as numpy writes them, and nothing else."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ximstudio.model.npy import NoArrayError, header_of, pieces_of, read_array, size_of

KINDS = ("<f8", "<f4", "<i8", "<i4", "|b1", "|u1")

ANY = arrays.arrays(
    st.sampled_from([np.float64, np.float32, np.int64, np.bool_, np.uint8]),
    arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5),
)


def written(array: Any) -> bytes:
    return header_of(array) + b"".join(bytes(piece) for piece in pieces_of(array))


@given(array=ANY, turned=st.booleans())
def test_that_arrays_are_as_numpy_writes_and_reads_them(array: Any, turned: bool) -> None:
    array = array.T if turned else array
    content = written(array)
    assert len(content) == size_of(array)
    by_numpy = np.load(io.BytesIO(content))
    ours = read_array(io.BytesIO(content), len(content), kinds=KINDS)
    file = io.BytesIO()
    np.save(file, array)
    theirs = read_array(io.BytesIO(file.getvalue()), len(file.getvalue()), kinds=KINDS)
    for found in (by_numpy, ours, theirs):
        assert found.dtype == array.dtype
        assert np.array_equal(found, array, equal_nan=array.dtype.kind == "f")
    assert not ours.flags.writeable


@given(array=ANY, cut=st.integers(1, 200))
def test_that_arrays_that_are_cut_off_or_go_on_are_refused(array: Any, cut: int) -> None:
    content = written(array)
    for wrong in (content[:-cut], content + bytes(cut)):
        with pytest.raises(NoArrayError):
            read_array(io.BytesIO(wrong), len(wrong), kinds=KINDS)
    if len(content) > 128:
        with pytest.raises(NoArrayError):
            read_array(io.BytesIO(content[:-1]), len(content), kinds=KINDS)


def test_that_only_types_that_were_asked_for_are_read() -> None:
    content = written(np.zeros(3))
    with pytest.raises(NoArrayError):
        read_array(io.BytesIO(content), len(content), kinds=("<i8",))


def test_that_reading_tells_of_every_piece_and_can_be_ended() -> None:
    content = written(np.zeros(1_500_000))
    heard: list[int] = []
    read_array(io.BytesIO(content), len(content), kinds=KINDS, heard=heard.append)
    assert sum(heard) == 12_000_000
    assert len(heard) == 3
