"""Versions and platform of this process, which the numbers of its maps may depend on."""

from __future__ import annotations

import platform
import sys
from functools import cache
from importlib.metadata import version

from ximstudio import __version__
from ximstudio.model.made_with import MadeWith
from ximstudio.train import method_named

LIBRARIES = ("numpy", "numba", "scipy", "pandas", "scikit-learn")


@cache
def made_here(*methods: str) -> MadeWith:
    """Describe the versions and platform for maps of these methods, made in this process."""
    # Imported late, so that reading a record does not wait for numba.
    from ximstudio.kernels.compiler import processor

    packages = [method_named(key).package for key in methods]
    used = [package.distribution for package in packages if package is not None]
    return MadeWith(
        program=__version__,
        versions={
            "python": platform.python_version(),
            **{library: version(library) for library in (*LIBRARIES, *dict.fromkeys(used))},
        },
        platform={
            "system": sys.platform,
            "machine": platform.machine(),
            "processor": processor(),
        },
    )
