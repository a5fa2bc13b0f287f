"""Timing of checkpoints, and the stretches of the history."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from ximstudio.model.arrays import Bools, Ints

STRETCHES = 64
"""Number of entries of the history."""
CHUNK_SECONDS = 0.015
FIRST_CHUNK = 64


class Clock:
    """Number of steps until the next checkpoint: fixed, or as many as fit the time.

    The step `last` always has a checkpoint.
    """

    def __init__(
        self, fixed: int | None, first: int = FIRST_CHUNK, *, last: int | None = None
    ) -> None:
        self.fixed = fixed
        self.last = last
        self.steps = fixed or first
        self.began = 0.0

    def next_stop(self, step: int, n_steps: int) -> int:
        """Step of the next checkpoint."""
        end = n_steps if self.last is None or self.last <= step else min(self.last, n_steps)
        return min(step + self.steps, end)

    def __enter__(self) -> None:
        self.began = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        if self.fixed is None:
            spent = max(time.perf_counter() - self.began, 1e-6)
            wanted = self.steps * CHUNK_SECONDS / spent
            self.steps = int(min(max(wanted, 1, self.steps / 4), self.steps * 4))


class Stretches(NamedTuple):
    """The stretches that training has reached: which, the last step of each, the steps in it."""

    reached: Bools
    ends: Ints
    counts: Ints

    @classmethod
    def until(cls, step: int, n_steps: int, stretches: int) -> Stretches:
        """Stretches of a training that has taken `step` of `n_steps`."""
        # The first step of stretch s is the least t with t · stretches ≥ s · n_steps.
        begins = -(-np.arange(stretches + 1) * n_steps // stretches)
        ends = np.minimum(begins[1:], step)
        reached = begins[:-1] < step
        return cls(reached, ends[reached].astype(np.int64), (ends - begins[:-1])[reached])
