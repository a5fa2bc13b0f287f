"""Cells of the same bytes get the same number."""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.alike import number_alike


def test_that_cells_are_numbered_as_a_dictionary_does() -> None:
    rng = np.random.default_rng(0)
    words = [bytes(rng.integers(97, 100, rng.integers(0, 6)).tolist()) for _ in range(4000)]
    ends = np.cumsum([len(word) for word in words])
    places = np.column_stack((np.concatenate(([0], ends[:-1])), ends))
    buffer = np.frombuffer(b"".join(words), np.uint8)
    firsts, codes = np.empty((2, len(words)), dtype=np.int64)
    # As little room as is allowed, so that most look-ups meet others on their way.
    table = np.full(4096, -1, dtype=np.int64)
    count = number_alike(buffer, places, table, firsts, codes)
    known: dict[bytes, int] = {}
    assert codes.tolist() == [known.setdefault(word, len(known)) for word in words]
    assert [words[first] for first in firsts[:count]] == list(known)
