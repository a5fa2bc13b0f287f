"""Interface of a step, one of STEPS."""

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
from ximstudio.prepare.specs import SideSpec

Remembered: TypeAlias = Mapping[str, NDArray[Any]]
"""Learnt values of a step: numbers and texts, no objects."""

NOTHING: Remembered = MappingProxyType({})


class StepGroup(StrEnum):
    """Groups of steps; menus and the guide list steps in this order."""

    NAMES = "Rows, columns and names"
    SELECTION = "Selection"
    BLANKS = "Missing values"
    VALUES = "Scale of values"
    SAMPLES = "Differences between samples"
    WEIGHTS = "How much each counts"


@dataclass(frozen=True, kw_only=True)
class Course:
    """Position of a step in a recipe.

    Parameters
    ----------
    grows
        The side along which new data differ from the first: "items", or "features" if the recipe
        exchanges the two later on. Choices and statistics along it are made anew for new data;
        those of the other side are remembered.
    report
        Called with the share of the step that is done.
    """

    grows: str = ITEMS
    report: Report = silent

    @property
    def stays(self) -> str:
        """The side that has the same names in all data the recipe is applied to."""
        return other(self.grows)


@dataclass(frozen=True, kw_only=True)
class StepResult:
    """Result of a step.

    Parameters
    ----------
    table
        The new table; the old one is untouched.
    notes
        Reports of removals, and of changes beyond the purpose of the step.
    removed_items, removed_features
        Names of all removed; notes list only the first.
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
        For programs and for users.
    about
        Description in a sentence or two.
    params
        Its parameters.
    sentence
        Description with the given parameters, in the given words for both sides: "Keep the 500
        genes of largest variance." It begins with the verb, or with "Of …, " before it.
    learn
        Function that returns what to remember of the table to do the same to other data.
    apply
        Function that returns the table after the step. It knows the original table by `remembered`
        only.
    values
        Name of a value after the step, where "{}" is its name before: "log2 {}".
    removes, merges, makes_labels
        Whether it removes items or features, merges several into one, or turns them into labels.
    of_values
        False if its result depends on names and labels only, or on values that are not finite.
    value_by_value
        True if it changes every value separately, and learns nothing from the others.

    `learn` and `apply` are given parameters whose sides are "items" or "features": where genes and
    samples are in that table (`Planned.at`).
    """

    key: str
    name: str
    group: StepGroup
    about: str
    params: type[Params]
    sentence: Callable[[Any, SideWords], str]
    learn: Callable[[Table, Any, Course], Remembered]
    apply: Callable[[Table, Any, Remembered, Course], StepResult]
    values: str = "{}"
    removes: bool = False
    merges: bool = False
    makes_labels: bool = False
    of_values: bool = True
    value_by_value: bool = False

    @property
    def loses(self) -> bool:
        """True if data are lost by it."""
        return self.removes or self.merges


@dataclass(frozen=True, kw_only=True)
class NoParams(Params):
    """Parameters of steps without choices."""


def learn_nothing(table: Table, params: Any, course: Course) -> Remembered:  # noqa: ARG001
    """Return nothing to remember, for steps that treat every table separately."""
    return NOTHING


def other(side: str) -> str:
    """Return the other side of a table."""
    return FEATURES if side == ITEMS else ITEMS


def side(
    default: str,
    *,
    label: str,
    help: str,  # noqa: A002
    genes: str = "genes",
    samples: str = "samples",
) -> Any:
    """Return a parameter that names a side of the table."""
    return param(
        default, SideSpec(label=label, help=help, options={GENES: genes, SAMPLES: samples})
    )
