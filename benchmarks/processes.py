"""Fresh Python processes whose caches are as a user's are: bytecode written, kernels compiled.

Bytecode goes to a folder of our own, so that the first run, which is not timed, can write it
wherever Python itself is installed and whatever PYTHONDONTWRITEBYTECODE says.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Processes:
    """Where fresh processes keep their caches, and where they may write."""

    folder: Path
    settings: dict[str, str]

    def run(
        self, *arguments: str, python: str = sys.executable, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """Run Python with these arguments and settings; its output is kept, failures raise."""
        return subprocess.run(
            [python, *arguments],
            env=self.settings | settings,
            cwd=Path(__file__).parents[1],
            check=True,
            capture_output=True,
            text=True,
        )


@contextmanager
def fresh_processes() -> Iterator[Processes]:
    """Processes with a folder that is theirs until the end."""
    with tempfile.TemporaryDirectory(prefix="ximstudio-benchmarks-") as name:
        folder = Path(name)
        # A user's process has neither.
        unset = {"PYTHONDONTWRITEBYTECODE", "NUMBA_CACHE_DIR"}
        settings = {key: value for key, value in os.environ.items() if key not in unset}
        settings["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
        yield Processes(folder=folder, settings=settings)
