"""Match the names of two lists: exactly first, then more and more loosely."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

# Only accessions carry versions: "CSN1.2", "RP11-34P13.7" and "AC079767.4" are whole names.
VERSIONED = re.compile(
    r"((?:ENS[A-Z]*(?:G|T|P|E)R?\d{6,}|[NX][MRPCTGW]_\d{4,}))\.\d{1,3}", re.IGNORECASE
)


def without_version(name: str) -> str:
    """Return an accession without its version; other names unchanged."""
    versioned = VERSIONED.fullmatch(name)
    return versioned.group(1) if versioned else name


def tidy(name: str) -> str:
    """Strip a name and collapse its inner white space."""
    return " ".join(name.split())


FORMS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "exact": lambda name: name,
        "white space": tidy,
        "case": lambda name: tidy(name).casefold(),
        "version": lambda name: without_version(tidy(name)).casefold(),
    }
)
"""Normal forms under which names are compared, strictest first."""

PUNCTUATION = "punctuation"
KINDS = (*FORMS, PUNCTUATION)
"""All kinds of matches: equal in one of the forms, or equal after R's renaming."""

NOT_IN_R = re.compile(r"[^\w.]")
"""Characters that R replaces in names."""

NO_START = re.compile(r"[\d_]|\.\d")
"""Beginnings that R does not allow in a name, so that it prepends an X."""


def as_r_name(name: str) -> str:
    """Return a name as R's make.names writes it, without the X that it prepends to some.

    Dashes, spaces and other signs become points: TCGA-A1 is TCGA.A1, and 1-A is X1.A. Empty if
    nothing else is left.
    """
    points = NOT_IN_R.sub(".", tidy(name))
    if points[:1] == "X" and NO_START.match(points[1:]):
        points = points[1:]
    return without_version(points).casefold() if points.strip(".") else ""


def is_r_name(name: str) -> bool:
    """Return whether R would keep a name unchanged."""
    return NOT_IN_R.search(name) is None


@dataclass(frozen=True, kw_only=True)
class Matches:
    """For every name sought: the known name that it matches, or the several that it might.

    Parameters
    ----------
    found
        Number sought → number known.
    kinds
        Number sought → how it was found, one of `KINDS`.
    unclear
        Number sought → numbers known that fit equally well, or the one that another name sought
        fits as well.
    """

    found: Mapping[int, int]
    kinds: Mapping[int, str]
    unclear: Mapping[int, tuple[int, ...]]


class Known:
    """Known names, indexed by every form; built once for many searches."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._places: dict[str, dict[str, list[int]]] = {}
        for kind, form in FORMS.items():
            places: dict[str, list[int]] = defaultdict(list)
            for number, name in enumerate(self.names):
                places[form(name)].append(number)
            # Blank cells are no names, and do not match each other.
            places.pop("", None)
            self._places[kind] = dict(places)
        self._of_r: dict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(self.names):
            if form_of_r := as_r_name(name):
                self._of_r[form_of_r].append(number)

    def _fitting(self, kind: str, name: str) -> Sequence[int]:
        """Return the indices of the known names that a name matches in one way."""
        if kind != PUNCTUATION:
            return self._places[kind].get(FORMS[kind](name), ())
        known = self._of_r.get(as_r_name(name), ())
        # One of the two must be R's form: "CD4+" is not "CD4-", though both are "CD4." in R.
        return known if is_r_name(name) else [n for n in known if is_r_name(self.names[n])]

    def matches(self, sought: Sequence[str]) -> Matches:
        """Match each name sought with a known name.

        A looser comparison is only tried for names that no stricter one has found. Different names
        that fit the same known name, one of them loosely, are unclear, save the one that fits it
        more strictly.
        """
        found: dict[int, int] = {}
        kinds: dict[int, str] = {}
        unclear: dict[int, tuple[int, ...]] = {}
        taken: dict[int, set[str]] = defaultdict(set)
        for kind in KINDS:
            proposed: dict[int, int] = {}
            for number, name in enumerate(sought):
                if number in found or number in unclear:
                    continue
                fitting = self._fitting(kind, name)
                if len(fitting) == 1:
                    proposed[number] = fitting[0]
                    taken[fitting[0]].add(name)
                elif fitting:
                    unclear[number] = tuple(fitting)
            for number, place in proposed.items():
                if len(taken[place]) > 1:
                    unclear[number] = (place,)
                else:
                    found[number] = place
                    kinds[number] = kind
        return Matches(found=found, kinds=kinds, unclear=unclear)

    def overlap(self, sought: Sequence[str]) -> int:
        """Count the names sought that match in some form, without resolving ambiguities."""
        return sum(
            bool(self._fitting("version", name) or self._fitting(PUNCTUATION, name))
            for name in sought
        )
