"""What all window tests share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _garbage_stays_in_this_thread() -> Iterator[None]:
    """Collect what a test left behind, here and not in a lane: see ximstudio/ui/garbage.py."""
    yield
    if not gc.isenabled():
        gc.collect()
