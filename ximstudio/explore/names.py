"""Find genes and samples by name, while the user types and from pasted lists."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import accumulate

from ximstudio.kernels.parallel import check_here
from ximstudio.load.annotation.matching import FORMS, tidy
from ximstudio.model.matrix import Labels, Matrix
from ximstudio.model.named_set import SetSide

NAMING = 0.5
"""A label counts as names, not classes, if at least this share of its texts is different."""
SHOWN = 20
"""Maximum number of completions."""

SEPARATORS = ("\n", "\t", ";", ",")
"""Separators of names, strongest first; spaces come last."""
QUOTED = re.compile(r"(?:^|(?<=[\s,;]))([\"'])(.+?)\1(?=$|[\s,;])")
QUOTES = "\"'"
END = "\n"
"""Separator in an index; no name contains it."""
LEAST_ALIKE = 0.6
"""Minimum similarity of a suggestion."""
AT_ONCE = 2000
"""Names compared between two checks for cancellation."""


@dataclass(frozen=True, kw_only=True)
class Completion:
    """An item or feature that the typed text may mean, and its matching name.

    `label` is the one that the name comes from; '' for the id itself.
    """

    id: str
    text: str
    label: str = ""


@dataclass(frozen=True, kw_only=True)
class MatchedNames:
    """Result of matching a list of names.

    Parameters
    ----------
    found
        Ids, each once, in the order of the list.
    missing
        Names that do not exist.
    unclear
        Names that match several: (name, their ids).
    """

    found: tuple[str, ...]
    missing: tuple[str, ...] = ()
    unclear: tuple[tuple[str, tuple[str, ...]], ...] = ()


class NameIndex:
    """Index of the ids of a table's items or features, and of labels that name them."""

    def __init__(self, ids: Sequence[str], labels: Labels | None = None) -> None:
        self.ids = tuple(ids)
        self.labels = {name: texts for name, texts in (labels or {}).items() if are_names(texts)}
        # Cached, because thousands of sets contain the same genes.
        self._asked: dict[str, Sequence[int]] = {}

    @classmethod
    def of(cls, matrix: Matrix, side: SetSide = SetSide.ITEMS) -> NameIndex:
        """Index one side of a table."""
        if side is SetSide.ITEMS:
            return cls(matrix.item_ids, matrix.item_labels)
        return cls(matrix.feature_names, matrix.feature_labels)

    def completions(self, typed: str, *, most: int = SHOWN) -> tuple[Completion, ...]:
        """Complete the typed text: equal names first, then names that begin with it or contain it.

        Within each group, ids come before labels, in the order of the table.
        Case is ignored. Each id is offered once.
        """
        wanted = tidy(typed).casefold()
        if not wanted:
            return ()
        found: dict[str, Completion] = {}
        for sought in (f"{END}{wanted}{END}", f"{END}{wanted}", wanted):
            for column in self._columns:
                for number in column.holding(sought):
                    if len(found) >= most:
                        return tuple(found.values())
                    name = self.ids[number]
                    if name not in found:
                        found[name] = Completion(
                            id=name, text=column.texts[number], label=column.label
                        )
        return tuple(found.values())

    def matched(self, sought: Iterable[str]) -> MatchedNames:
        """Match each name of a list to an id; ids first, then labels.

        Names are compared exactly, then ignoring white space, case and the versions of accessions.
        A name that matches several ids equally well is unclear.
        """
        found: dict[str, None] = {}
        missing: dict[str, None] = {}
        unclear: dict[str, tuple[str, ...]] = {}
        for name in sought:
            places = self._places(name)
            if not places:
                missing[name] = None
            elif len(places) > 1:
                unclear[name] = tuple(self.ids[place] for place in places)
            else:
                found[self.ids[places[0]]] = None
        return MatchedNames(
            found=tuple(found), missing=tuple(missing), unclear=tuple(unclear.items())
        )

    def matched_text(self, text: str) -> MatchedNames:
        """Match the names in a pasted text."""
        return self.matched(self.split(text))

    def split(self, text: str) -> list[str]:
        """Split a text into names at lines, tabs, semicolons, commas or spaces.

        A piece is split further only if it is not a name itself. Names in quotes are not split, and
        spaces do not split if names of the table contain spaces, unless one of the parts is a name.
        """
        pieces: list[str] = []
        end = 0
        for quoted in QUOTED.finditer(text):
            pieces += self._cut(text[end : quoted.start()], 0)
            pieces.append(quoted.group(2))
            end = quoted.end()
        pieces += self._cut(text[end:], 0)
        return [name for name in map(tidy, pieces) if name]

    def _cut(self, text: str, level: int) -> Iterator[str]:
        text = text.strip()
        whole = text.strip(QUOTES)
        if not text:
            return
        if level > 0 and self._places(whole):
            yield whole
        elif level < len(SEPARATORS):
            # Line ends of all systems.
            parts = text.splitlines() if level == 0 else text.split(SEPARATORS[level])
            for part in parts:
                yield from self._cut(part, level + 1)
        else:
            words = [word.strip(QUOTES) for word in text.split()]
            if self._hold_spaces and not any(self._places(word) for word in words):
                yield whole
            else:
                yield from words

    def _places(self, name: str) -> Sequence[int]:
        """Numbers of the best matches of a name."""
        places = self._asked.get(name)
        if places is None:
            places = self._asked[name] = self._looked_up(name)
        return places

    def _looked_up(self, name: str) -> Sequence[int]:
        for column in self._columns:
            for kind, form in FORMS.items():
                fitting = column.places[kind].get(form(name))
                if fitting:
                    return fitting
        return ()

    @cached_property
    def _hold_spaces(self) -> bool:
        return any(" " in text.strip() for column in self._columns for text in column.texts)

    @cached_property
    def _columns(self) -> tuple[_Column, ...]:
        labels = (_Column(label, texts) for label, texts in self.labels.items())
        return (_Column("", self.ids), *labels)


class _Column:
    """One text per id, searchable in one long text and by normalised forms."""

    def __init__(self, label: str, texts: Sequence[str]) -> None:
        self.label = label
        self.texts = texts

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        """All texts joined, and where each begins, for a fast search."""
        folded = [tidy(text).casefold() for text in self.texts]
        begins = list(accumulate((len(text) + 1 for text in folded), initial=0))
        return END + END.join(folded) + END, begins

    @cached_property
    def places(self) -> Mapping[str, Mapping[str, Sequence[int]]]:
        """Kind of comparison → normalised text → numbers."""
        found: dict[str, dict[str, list[int]]] = {}
        for kind, form in FORMS.items():
            here: dict[str, list[int]] = defaultdict(list)
            for number, text in enumerate(self.texts):
                here[form(text)].append(number)
            # A blank is not a name.
            here.pop("", None)
            found[kind] = dict(here)
        return found

    def holding(self, sought: str) -> Iterator[int]:
        """Yield the numbers of the texts that contain this, each once, in order."""
        whole, begins = self._folded
        place = whole.find(sought)
        while place >= 0:
            # A match at the separator belongs to the text after it.
            number = bisect_right(begins, place) - 1
            yield number
            if number + 1 >= len(self.texts):
                return
            place = whole.find(sought, begins[number + 1])


def are_names(texts: Sequence[str]) -> bool:
    """Return whether texts are names rather than classes."""
    given = [text for text in texts if text]
    return bool(given) and len(set(given)) >= NAMING * len(given)


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
