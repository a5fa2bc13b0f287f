"""Compile the kernels before their first use: once per machine, in a separate process.

The compiler takes half a minute and holds the interpreter's lock for most of it. In a separate
process it does not block the window, and compiled kernels are read from disk when they are needed.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import IO

import numpy as np

from ximstudio.maps import LayerEvidence, layers_of
from ximstudio.maps.mosaic import mosaic
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.grid import Grid, Lattice
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.result import Result
from ximstudio.train import METHODS, Method, train

TRAINING, MEASURING, REST = "training", "measuring", "rest"
"""Stages that can be waited for, in the order in which they are compiled."""

LOG = logging.getLogger(__name__)

LETTERS_KEPT = 2000
"""Bytes of the error stream that are logged."""

BETWEEN_LOOKS = 0.02
"""Seconds."""
PATIENCE = 2.0
"""Seconds until a process that was asked to end is killed."""
POLITENESS = 19
"""Niceness of the compiler, so that it does not slow down the window."""

OTHERS: tuple[dict[str, str], ...] = (
    {"algorithm": "batch"},
    {"algorithm": "batch", "best_match": "heskes"},
    {"divergence": "hellinger"},
    {"algorithm": "batch", "divergence": "hellinger"},
    {"reach_from": "perplexity"},
)
"""Trainings that together need all kernels but those of rare best matches."""

CHILD = (
    "import sys; sys.path[:] = {path!r};"
    " from ximstudio.session import precompile; precompile.main()"
)


class Precompiler:
    """Handle of the compiling process; waiting returns immediately without one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None

    def begin(self) -> None:
        """Start compiling what is not on disk yet."""
        if self._process is not None or all(map(is_compiled, (TRAINING, MEASURING, REST))):
            return
        if getattr(sys, "frozen", False):
            # A program packed into one file has no interpreter to start.
            return
        try:
            self._said = tempfile.TemporaryFile()  # noqa: SIM115  (as long as the process)
            self._process = subprocess.Popen(  # noqa: S603  (our own interpreter and code)
                [sys.executable, "-c", CHILD.format(path=sys.path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._said,
            )
        except OSError as error:
            LOG.warning("Kernels are not compiled ahead: %s", error)

    def wait(self, stage: str, halt: Callable[[], None]) -> None:
        """Wait until a stage is compiled, or has failed; `halt` is called meanwhile, and may raise.

        Kernels that are not on disk by then are compiled where they are needed.
        """
        while self._process is not None and not is_compiled(stage):
            if self._process.poll() is not None:
                self._log_failure()
                return
            halt()
            time.sleep(BETWEEN_LOOKS)

    def is_compiling(self, stage: str) -> bool:
        """Return whether a stage is still being compiled."""
        return self._process is not None and not is_compiled(stage)

    def _log_failure(self) -> None:
        """Log, once, why the process ended early; kernels are then compiled when needed."""
        if self._process is None or self._said is None or not self._process.returncode:
            return
        self._said.seek(max(0, self._said.seek(0, os.SEEK_END) - LETTERS_KEPT))
        said = self._said.read().decode("utf-8", errors="replace").strip()
        LOG.warning(
            "Compiling kernels ahead ended with code %s: %s", self._process.returncode, said
        )
        self._said.close()
        self._said = None

    def end(self) -> None:
        """Stop compiling; finished kernels stay on disk."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
        if self._said is not None:
            self._said.close()
            self._said = None


def is_compiled(stage: str) -> bool:
    """Return whether all kernels of a stage are on disk."""
    return _sign(stage).exists()


def main() -> None:
    """Compile everything, in the order in which the user will need it: the other process."""
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    matrices = (_tiny(blanks=False), _tiny(blanks=True))
    # Methods of other packages are compiled by those.
    methods = [method for method in METHODS if method.package is None]
    usual = [method for method in methods if not method.params().rare]
    trained = [(matrix, _trained(matrix, method)) for matrix in matrices for method in usual]
    for matrix, result in trained:
        _draw(result, matrix, live=True)
    _sign(TRAINING).touch()
    for matrix, result in trained:
        _measure(result, matrix)
    _sign(MEASURING).touch()
    # For large workbooks; imported late, because the window imports this module at its start.
    from ximstudio.load.workbook.sheet_scan import load_kernel

    load_kernel()
    # Cells that are neither squares nor hexagons, as a picture and under the mouse.
    cells = mosaic(Grid(2, 2, Lattice.DISC))
    cells.under_pixels(np.zeros(2), np.zeros(2))
    cells.node_at(0.0, 0.0)
    for matrix in matrices:
        for method in methods:
            for settings in ({}, *OTHERS):
                if method.params.specs().keys() >= settings.keys():
                    _measure(_trained(matrix, method, **settings), matrix)
    _sign(REST).touch()


def stage_of(params: MethodParams) -> str:
    """Stage that has to be compiled before training with these parameters."""
    return REST if params.rare else TRAINING


def _sign(stage: str) -> Path:
    """Marker file of a compiled stage."""
    # Imported late: numba takes a third of a second.
    from ximstudio.kernels.compiler import cache_folder

    return Path(cache_folder()) / f"{stage}-{version('numba')}.done"


def _tiny(*, blanks: bool) -> Matrix:
    values = np.random.default_rng(0).normal(size=(24, 5))
    if blanks:
        values[3, 1] = np.nan
    return Matrix.from_array(values)


def _trained(matrix: Matrix, method: Method, **settings: str) -> Result:
    known = method.params.specs()
    small = {"shape": (4, 4), "n_steps": 64, "n_epochs": 2}
    values = {name: value for name, value in small.items() if name in known}
    return train(matrix, method, method.params.from_values(values | settings))


def _measure(result: Result, matrix: Matrix) -> None:
    """Run all measures and layers of a finished map."""
    evidence = MapEvidence(matrix=matrix, result=result)
    for measure in MEASURES:
        measure.of(evidence)
    _draw(result, matrix, live=False)


def _draw(result: Result, matrix: Matrix, *, live: bool) -> None:
    """Draw all layers that are visible during training, or afterwards."""
    for layer in layers_of(result, matrix):
        if layer.live or not live:
            evidence = LayerEvidence(result=result, matrix=matrix, live=live)
            layer.of(evidence, (layer.options(result, matrix) or ("",))[0])
