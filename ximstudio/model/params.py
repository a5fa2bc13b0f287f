"""Sets of parameters: frozen dataclasses whose fields carry their Spec."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ximstudio.model.problem import Problem, SettingsForm, UserError, refuse
from ximstudio.model.spec import Spec

LISTED = 20
"""Number of known names that a message lists at most."""


@dataclass(frozen=True, kw_only=True)
class Params:
    """Base of all parameter sets. Building one checks every bound and reports all problems."""

    form: ClassVar[SettingsForm] = SettingsForm.PARAMETERS
    """Kind of settings that problems with these parameters name."""

    def __post_init__(self) -> None:
        problems: list[Problem] = []
        for name, spec in self.specs().items():
            value = getattr(self, name)
            try:
                value = spec.normal(value)
                allowed = spec.allows(value)
            except (TypeError, ValueError, OverflowError):
                allowed = False
            if allowed:
                object.__setattr__(self, name, value)
            else:
                problems.append(self._out_of_bounds(name, value))
        refuse(problems or self.conflicts())

    def conflicts(self) -> Iterable[Problem]:
        """Yield problems between parameters that are valid one by one; for subclasses."""
        return ()

    @classmethod
    def specs(cls) -> dict[str, Spec]:
        """Return declarations by parameter name, in the order they are shown."""
        return {field.name: field.metadata["spec"] for field in dataclasses.fields(cls)}

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Return default values by parameter name."""
        return {field.name: field.default for field in dataclasses.fields(cls)}

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """Parse parameters as the user wrote them; the rest keep their defaults."""
        specs = cls.specs()
        values: dict[str, Any] = {}
        problems: list[Problem] = []
        for name, text in texts.items():
            if name not in specs:
                problems.append(_unknown(name, specs))
                continue
            try:
                value = specs[name].parse(text)
                if specs[name].allows(value):
                    values[name] = value
                    continue
            except ValueError:
                pass
            problems.append(cls._out_of_bounds(name, text))
        refuse(problems)
        return cls(**values)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Build parameters from plain values, for instance from JSON; unknown names are refused."""
        specs = cls.specs()
        problems = [_unknown(name, specs) for name in values if name not in specs]
        try:
            params = cls(**{name: value for name, value in values.items() if name in specs})
        except UserError as error:
            raise UserError.of([*problems, *error.problems]) from None
        refuse(problems)
        return params

    def matters(self, name: str) -> bool:
        """Return whether a parameter has an effect beside the others as they are."""
        when = self.specs()[name].when
        return when is None or when.holds(self)

    def unused(self, *, new_items: bool = False) -> tuple[str, ...]:
        """Return the names of all parameters without effect beside the others as they are.

        Parameters that only place new items have one if there are `new_items`.
        """
        return tuple(
            name
            for name, spec in self.specs().items()
            if not self.matters(name) or (spec.new_items and not new_items)
        )

    def as_values(self) -> dict[str, Any]:
        """Return plain values by name; `from_values` reads them back."""
        return dataclasses.asdict(self)

    @classmethod
    def _out_of_bounds(cls, name: str, value: Any) -> Problem:
        spec = cls.specs()[name]
        return Problem(
            key="params.bounds",
            what=f"{spec.label} cannot be {value!r}.",
            where=f"parameter '{name}'",
            way_out=f"Give {spec.bounds}.",
            fields=(name,),
            form=cls.form,
        )

    def resolved(self, n_items: int) -> Self:  # noqa: ARG002
        """Return the parameters with all open values chosen; for subclasses."""
        return self

    def sized(self, n_items: int) -> Self:  # noqa: ARG002
        """Return the parameters with the size of the map chosen, if it is open; for subclasses."""
        return self

    def replace(self, **changes: Any) -> Self:
        """Return the parameters with some of them changed."""
        return dataclasses.replace(self, **changes)


def closest(name: str, names: Iterable[str]) -> str:
    """Return a sentence that proposes the nearest known name, or lists all."""
    names = list(names)
    near = difflib.get_close_matches(str(name), names, n=1, cutoff=0.5)
    if near:
        return f"Did you mean '{near[0]}'?"
    if not names:
        return "There are none."
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"Known are: {', '.join(names[:LISTED])}{more}."


def _unknown(name: str, specs: Mapping[str, Spec]) -> Problem:
    return Problem(
        key="params.unknown",
        what=f"There is no parameter '{name}'.",
        where=f"setting '{name}'",
        way_out=closest(name, specs),
    )


def known(kind: str, name: str, names: Iterable[str]) -> None:
    """Refuse a name that is not among the known ones, with a proposal."""
    names = list(names)
    if name not in names:
        raise UserError(
            key=f"{kind}.unknown",
            what=f"There is no {kind} '{name}'.",
            where=f"{kind} '{name}'",
            way_out=closest(name, names),
        )
