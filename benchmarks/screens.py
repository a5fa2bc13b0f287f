"""A screen of our own for windows that are measured."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

SIZE = "1920x1080x24"


@contextmanager
def screen() -> Iterator[dict[str, str]]:
    """Settings with which a window finds a screen.

    The one there is, else a private Xvfb; where that is not installed Qt's off-screen platform,
    which paints into memory and shows nothing.
    """
    if os.environ.get("DISPLAY") or os.environ.get("QT_QPA_PLATFORM"):
        yield {}
        return
    program = shutil.which("Xvfb")
    if program is None:
        yield {"QT_QPA_PLATFORM": "offscreen"}
        return
    listening, context = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(context), "-screen", "0", SIZE, "-nolisten", "tcp"],
        pass_fds=[context],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(context)
    try:
        with os.fdopen(listening) as told:
            number = told.readline().strip()
        yield {"DISPLAY": f":{number}"}
    finally:
        server.terminate()
        server.wait()
