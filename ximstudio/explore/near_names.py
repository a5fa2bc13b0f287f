"""Names that are nearly what was typed, for what is not there."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from ximstudio.explore.names import NameIndex
from ximstudio.kernels.parallel import check_here

LEAST_ALIKE = 0.6
"""Share of letters in common, from which on a name is worth proposing."""
AT_ONCE = 2000
"""Names that are compared before somebody may end it."""


def near_names(names: NameIndex, typed: str, *, most: int = 4) -> tuple[str, ...]:
    """The names most like what was typed, best first, whatever their case; ids before labels."""
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
