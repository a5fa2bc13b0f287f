"""Genes and samples found by name: while a person types, and from a pasted list."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from ximstudio.load.annotation.matching import FORMS, tidy
from ximstudio.model.matrix import Labels, Matrix
from ximstudio.model.named_set import SetSide

NAMING = 0.5
"""A label names things if at least this share of its texts is different: symbols, not classes."""
SHOWN = 20
"""How many completions are offered."""

SEPARATORS = ("\n", "\t", ";", ",")
"""Between names, the strongest first; after them spaces."""
QUOTED = re.compile(r"(?:^|(?<=[\s,;]))([\"'])(.+?)\1(?=$|[\s,;])")
QUOTES = "\"'"
END = "\n"
"""Between the names of an index; no name holds it."""


@dataclass(frozen=True, kw_only=True)
class Completion:
    """One name that what was typed may become.

    Parameters
    ----------
    id
        The item (or feature) that is meant.
    text
        The name that fits.
    label
        The label whose text it is; '' if it is the id itself.
    """

    id: str
    text: str
    label: str = ""


@dataclass(frozen=True, kw_only=True)
class MatchedNames:
    """What became of a list of names.

    Parameters
    ----------
    found
        Ids, each once, in the order of the list.
    missing
        Names that are not there.
    unclear
        Names that fit several: (name, their ids).
    """

    found: tuple[str, ...]
    missing: tuple[str, ...] = ()
    unclear: tuple[tuple[str, tuple[str, ...]], ...] = ()


class NameIndex:
    """The ids of a table's items or features, and labels that name them; made once, asked often."""

    def __init__(self, ids: Sequence[str], labels: Labels | None = None) -> None:
        self.ids = tuple(ids)
        self.labels = {name: texts for name, texts in (labels or {}).items() if are_names(texts)}
        # Thousands of sets name the same genes again and again.
        self._asked: dict[str, Sequence[int]] = {}

    @classmethod
    def of(cls, matrix: Matrix, side: SetSide = SetSide.ITEMS) -> NameIndex:
        """The names of one side of a table."""
        if side is SetSide.ITEMS:
            return cls(matrix.item_ids, matrix.item_labels)
        return cls(matrix.feature_names, matrix.feature_labels)

    def completions(self, typed: str, *, most: int = SHOWN) -> tuple[Completion, ...]:
        """What was typed may become these: first the same name, then names that begin so, then
        names that hold it; of each kind ids before labels, in the order of the table.

        Upper and lower case are the same. An id is offered once.
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
        """Which id each name of a list is; ids are looked at first, then labels.

        Names are compared letter by letter, then without regard to white space, case and the
        versions of accessions. What fits several ids equally well is unclear.
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
            found=tuple(found),
            missing=tuple(missing),
            unclear=tuple(unclear.items()),
        )

    def matched_text(self, text: str) -> MatchedNames:
        """The same for a text that was pasted."""
        return self.matched(self.split(text))

    def split(self, text: str) -> list[str]:
        """The names in a text with lines, tabs, semicolons, commas or spaces between them.

        A piece is cut further only where it is no name as it stands. Names in quotes are not cut,
        and spaces do not cut where names of the table hold spaces, unless a part is one.
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
            # Line ends of all systems are one.
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
        """The numbers of all that a name fits best."""
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
    """One text per id, and two ways to find them: in one long text, and by their forms."""

    def __init__(self, label: str, texts: Sequence[str]) -> None:
        self.label = label
        self.texts = texts

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        """All texts in one, and where each begins: to search it is as quick as memory is."""
        folded = [tidy(text).casefold() for text in self.texts]
        begins = list(accumulate((len(text) + 1 for text in folded), initial=0))
        return END + END.join(folded) + END, begins

    @cached_property
    def places(self) -> Mapping[str, Mapping[str, Sequence[int]]]:
        """Kind of comparison → form of a text → numbers of those that have it."""
        found: dict[str, dict[str, list[int]]] = {}
        for kind, form in FORMS.items():
            here: dict[str, list[int]] = defaultdict(list)
            for number, text in enumerate(self.texts):
                here[form(text)].append(number)
            # A blank is no name.
            here.pop("", None)
            found[kind] = dict(here)
        return found

    def holding(self, sought: str) -> Iterator[int]:
        """The numbers of the texts that hold this, each once, in their order."""
        whole, begins = self._folded
        place = whole.find(sought)
        while place >= 0:
            # What begins with the mark between texts belongs to the text behind it.
            number = bisect_right(begins, place) - 1
            yield number
            if number + 1 >= len(self.texts):
                return
            place = whole.find(sought, begins[number + 1])


def are_names(texts: Sequence[str]) -> bool:
    """Whether texts name things, rather than put them into classes."""
    given = [text for text in texts if text]
    return bool(given) and len(set(given)) >= NAMING * len(given)
