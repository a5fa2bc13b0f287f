"""What all window tests share."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

KERNEL_SECONDS = 60


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """Delete what a test closed, and fail if a thread of it goes on."""
    before = set(threading.enumerate())
    yield
    delete_closed()
    left = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        # One that loads a kernel, once in a process, cannot be asked to end, but will.
        thread.join(KERNEL_SECONDS)
    assert [thread.name for thread in left if thread.is_alive()] == []


def delete_closed() -> None:
    """Delete closed widgets now: Qt would wait for an event loop, and style them until then.

    Cycles, too, here and not in a lane: see ximstudio/ui/garbage.py.
    """
    from PySide6.QtCore import QCoreApplication, QEvent

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if not gc.isenabled():
        gc.collect()
