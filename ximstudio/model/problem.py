"""Problems: what is wrong, where, and how to fix it. The one form of all messages to users."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self


class Severity(StrEnum):
    """Severity of a problem: whether work can go on, and whether the user should look."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class SettingsForm(StrEnum):
    """Group of settings to which the fields of a problem belong."""

    PARAMETERS = "parameters"
    """Parameters of the method, the step or whatever else was checked."""
    READING = "reading"
    """Reading of a table: the fields of `load.Choices`."""
    COMMAND = "command"
    """Options of a command, such as `out`; the window asks for them in dialogs."""


@dataclass(frozen=True)
class RecipeStep:
    """A step of a recipe: its number, counted from 1, and its key."""

    number: int
    key: str

    def __str__(self) -> str:
        return f"step {self.number} ({self.key})"


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing that is wrong, with its address and what to do about it.

    `key` is stable and meant for programs and tests. The three sentences are meant for users, serve
    the window as well as the command line, and are never taken apart: what a program needs to know
    stands in the other fields.

    Parameters
    ----------
    fields
        Names of the settings that the problem is about or that solve it. The window marks or shows
        them, the command line prints them as options.
    form
        What the names in `fields` are names of.
    step
        The step of the recipe that has the problem; `where` is the place within it.
    hint
        The way out as values where reading the file in another way fixes it: name of a choice (a
        field of `load.Choices`) → its value. The command line prints it as an option to paste, the
        import dialog offers it as a button, and following it must lead to the right table.
    """

    key: str
    what: str
    where: str
    way_out: str
    severity: Severity = Severity.ERROR
    fields: tuple[str, ...] = ()
    form: SettingsForm = SettingsForm.PARAMETERS
    step: RecipeStep | None = None
    hint: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def address(self) -> str:
        """Location of the problem, with the step of the recipe if it is in one."""
        return ", ".join(str(part) for part in (self.step, self.where) if part)

    def __post_init__(self) -> None:
        # Lists, as JSON gives them back, are the same as the tuples that were written.
        values = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in self.hint.items()
        }
        object.__setattr__(self, "hint", values)

    def __str__(self) -> str:
        return "\n".join((self.what, f"  where:   {self.address}", f"  way out: {self.way_out}"))


class UserError(ValueError):
    """Raised when work cannot go on; carries every problem found, not only the first."""

    problems: tuple[Problem, ...]

    def __init__(
        self,
        *,
        key: str,
        what: str,
        where: str,
        way_out: str,
        fields: tuple[str, ...] = (),
        form: SettingsForm = SettingsForm.PARAMETERS,
        hint: Mapping[str, Any] | None = None,
    ) -> None:
        problem = Problem(
            key=key,
            what=what,
            where=where,
            way_out=way_out,
            fields=fields,
            form=form,
            hint=dict(hint or {}),
        )
        self._hold((problem,))

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> Self:
        """Make an error that reports all `problems` together."""
        error = cls.__new__(cls)
        error._hold(tuple(problems))
        return error

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self).of, (self.problems,))

    def _hold(self, problems: tuple[Problem, ...]) -> None:
        assert problems, "an error has to say what is wrong"
        self.problems = problems
        self.args = ("\n".join(str(problem) for problem in problems),)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all problems, in the order they were found."""
        return tuple(problem.key for problem in self.problems)

    @property
    def hint(self) -> Mapping[str, Any]:
        """The first hint that any of the problems gives; empty if none does."""
        return next((problem.hint for problem in self.problems if problem.hint), {})


def because(what: str, why: str | UserError) -> str:
    """Join a statement and its reason, a clause or a refusal: "It is damaged: it has no runs."."""
    if isinstance(why, UserError):
        return f"{what}. {why.problems[0].what}"
    return f"{what}: {why}."


def refuse(problems: Iterable[Problem]) -> None:
    """Raise one UserError with every problem that is an error; warnings pass."""
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    if errors:
        raise UserError.of(errors)
