"""Fixtures shared by the contracts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ximstudio.place import supervised


@pytest.fixture
def briefly_taught(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Networks that place items learn for a moment, where it does not matter how well."""
    monkeypatch.setattr(supervised, "MOST_ITERATIONS", 12)
    yield
    supervised.network.cache_clear()
