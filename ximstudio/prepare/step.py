"""What a step of a recipe has to offer to be one of STEPS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeAlias

from numpy.typing import NDArray

from ximstudio.load.reading import Report, silent
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem
from ximstudio.model.spec import param
from ximstudio.model.table import FEATURES, GENES, ITEMS, SAMPLES, Table
from ximstudio.prepare.side_words import SideWords
from ximstudio.prepare.specs import Side

Remembered: TypeAlias = Mapping[str, NDArray[Any]]
"""What a step learnt from the table it was first applied to: numbers and texts, no objects."""

NOTHING: Remembered = MappingProxyType({})


class Group(StrEnum):
    """What a step is about; menus and the guide list steps in this order."""

    NAMES = "Rows, columns and names"
    SELECTION = "Selection"
    BLANKS = "Missing values"
    VALUES = "Scale of values"
    SAMPLES = "Differences between samples"
    WEIGHTS = "How much each counts"


@dataclass(frozen=True, kw_only=True)
class Course:
    """Where in a recipe a step stands.

    Parameters
    ----------
    grows
        The side along which new data differ from the first: "items", or "features" if the recipe
        exchanges the two later on. What is chosen or computed along it is done afresh for new
        data; what concerns the other side is remembered.
    report
        Told how much of the step is done.
    """

    grows: str = ITEMS
    report: Report = silent

    @property
    def stays(self) -> str:
        """The side that is the same, name by name, in all data the recipe is applied to."""
        return other(self.grows)


@dataclass(frozen=True, kw_only=True)
class Applied:
    """What came out of a step.

    Parameters
    ----------
    table
        The new table; the old one is untouched.
    notes
        What was removed, and what was changed beyond the purpose of the step.
    removed_items, removed_features
        The names of all that were removed; notes spell out only the first.
    """

    table: Table
    notes: tuple[Problem, ...] = ()
    removed_items: tuple[str, ...] = ()
    removed_features: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Step:
    """One kind of step.

    Parameters
    ----------
    key, name
        For programs and for people.
    about
        What it does, in a sentence or two.
    params
        Its parameters.
    sentence
        What it does with the given parameters, in the words given for both sides: "Keep the 500
        genes of largest variance."
    learn
        What has to be remembered of the table to do the same to other data.
    apply
        The table after the step. Only `remembered` tells it about the table it was learnt from.

    `learn` and `apply` are given parameters whose sides are "items" or "features": where genes and
    samples are in that table (`Planned.at`).
    """

    key: str
    name: str
    group: Group
    about: str
    params: type[Params]
    sentence: Callable[[Any, SideWords], str]
    learn: Callable[[Table, Any, Course], Remembered]
    apply: Callable[[Table, Any, Remembered, Course], Applied]


@dataclass(frozen=True, kw_only=True)
class NoParams(Params):
    """For steps that leave nothing to choose."""


def learn_nothing(table: Table, params: Any, course: Course) -> Remembered:  # noqa: ARG001
    """For steps that treat every table by itself."""
    return NOTHING


def other(side: str) -> str:
    """The side of a table that is not this one."""
    return FEATURES if side == ITEMS else ITEMS


def side(
    default: str,
    *,
    label: str,
    help: str,  # noqa: A002
    genes: str = "genes",
    samples: str = "samples",
) -> Any:
    """A parameter that says which side of the table is meant."""
    return param(default, Side(label=label, help=help, options={GENES: genes, SAMPLES: samples}))
