"""Suggest similar names for a name that does not exist."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from ximstudio.explore.names import NameIndex
from ximstudio.kernels.parallel import check_here

LEAST_ALIKE = 0.6
"""Minimum similarity of a suggestion."""
AT_ONCE = 2000
"""Names compared between two checks for cancellation."""


def near_names(names: NameIndex, typed: str, *, most: int = 4) -> tuple[str, ...]:
    """Find the names most similar to the typed text, best first, ignoring case."""
    wanted = typed.strip().casefold()
    if not wanted:
        return ()
    best: dict[str, str] = {}
    for texts in (names.ids, *names.labels.values()):
        for begin in range(0, len(texts), AT_ONCE):
            check_here()
            best |= _near(wanted, texts[begin : begin + AT_ONCE], most)
    # Once more among the best of every part.
    near = get_close_matches(wanted, list(best), n=most, cutoff=LEAST_ALIKE)
    return tuple(best[each] for each in near)


def _near(wanted: str, texts: Sequence[str], most: int) -> dict[str, str]:
    folded = {text.casefold(): text for text in reversed(texts) if text}
    near = get_close_matches(wanted, list(folded), n=most, cutoff=LEAST_ALIKE)
    return {each: folded[each] for each in near}
