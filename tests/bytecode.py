"""Keeps what Python compiles from run to run, even where nothing may be written beside sources.

Loaded early (``-p tests.bytecode``), because workers and programs that tests start inherit it.
Containers often set PYTHONDONTWRITEBYTECODE. Every process would then compile all libraries again,
and pytest would rewrite every test: 15 of the 25 seconds before the first one begins.
"""

import os
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / ".pytest_cache" / "bytecode"


def keep_bytecode(folder: Path) -> None:
    """Let this process, and all that it starts, keep in the folder what it may not keep beside."""
    if not sys.dont_write_bytecode or sys.pycache_prefix is not None:
        return
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(folder)
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


keep_bytecode(FOLDER)
