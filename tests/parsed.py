"""The parsed source of the package, once for all tests of a process."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path

import ximstudio

PACKAGE = Path(ximstudio.__file__).parent


@cache
def parsed_modules() -> dict[str, ast.Module]:
    """Modules by their path in the package."""
    enabled = gc.isenabled()
    # Nothing here is garbage: to look for it takes twice as long as to parse.
    gc.disable()
    try:
        return {
            path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
            for path in sorted(PACKAGE.rglob("*.py"))
        }
    finally:
        gc.freeze()
        if enabled:
            gc.enable()
