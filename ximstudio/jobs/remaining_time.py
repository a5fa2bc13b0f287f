"""Estimate the remaining time of training from its recent pace."""

from __future__ import annotations

from collections import deque

WINDOW = 5.0
"""Seconds that the estimate looks back: the load of the machine changes."""
LEAST = 0.3
"""Seconds of training before an estimate is given."""


class Pace:
    """Recent number of training steps per second."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def forget(self) -> None:
        """Start again: with another training, or after a pause."""
        self._seen.clear()

    def note(self, seconds: float, step: int) -> None:
        """Note that training had reached `step` after so many seconds."""
        if self._seen and step <= self._seen[-1][1]:
            self._seen.clear()
        self._seen.append((seconds, step))
        while seconds - self._seen[0][0] > WINDOW and len(self._seen) > 2:
            self._seen.popleft()

    def left(self, n_steps: int) -> float | None:
        """Return the seconds until `n_steps`; None while too little is known."""
        if len(self._seen) < 2:
            return None
        (began, first), (now, last) = self._seen[0], self._seen[-1]
        if now - began < LEAST or last == first:
            return None
        return (n_steps - last) * (now - began) / (last - first)


def duration_text(seconds: float) -> str:
    """Format a duration: "8 s", "2 min 5 s", "1 h 20 min"."""
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 3600:
        return f"{round(whole / 60)} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
