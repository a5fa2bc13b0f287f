"""Options of the command line as texts: settings NAME=VALUE, and what messages propose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ximstudio.load.reading import Choices
from ximstudio.model.problem import Problem, SettingsForm, UserError
from ximstudio.model.shell import option
from ximstudio.model.spec import Choice, Number, Spec

NAMED = ("id", "items", "part", "rows", "columns")
"""Choices with their own option; --read sets the others."""
LISTED = ("labels", "features")
"""Choices with their own option, which may be repeated."""


_PLACEHOLDERS = {
    "part": "NAME",
    "features": "PATTERN",
    **dict.fromkeys(("id", "labels", "sample", "value"), "COLUMN"),
}
EXAMPLES = {
    "--set": "--set name=value, for instance --set shape=20x30",
    "--read": "--read name=value, for instance --read delimiter=';'",
    "--annotate": "--annotate FILE, or --annotate 'FILE on=COLUMN side=samples'",
    "--step": "--step 'KEY name=value …', for instance --step 'log2 offset=1'",
}


def hint_options(hint: Mapping[str, Any]) -> str:
    """Return the options for the choices of a hint; '' for an empty one."""
    specs = Choices.specs()
    options = []
    for name, value in hint.items():
        if name in LISTED:
            # No labels at all are asked for by an empty one.
            texts = value or ("",) * (name == "labels")
            options += [option(f"--{name}", text) for text in texts]
        elif name in NAMED:
            options.append(option(f"--{name}", specs[name].show(value)))
        else:
            shown = specs[name].show(value)
            # Write a tab as \t: it is invisible in a terminal.
            shown = "tab" if shown == "\t" else shown
            options.append(option("--read", f"{name}={shown}"))
    return " ".join(options)


def field_options(problem: Problem) -> str:
    """Return the options for the fields of a problem, with placeholders for values; '' if none."""
    names = [name for name in problem.fields if name not in problem.hint]
    match problem.form:
        case SettingsForm.READING:
            specs = Choices.specs()
            return ", ".join(_reading_option(name, specs[name]) for name in names)
        case SettingsForm.COMMAND:
            return ", ".join(f"--{name}" for name in names)
        case _ if problem.step is not None:
            return ", ".join(f"--step '{problem.step.key} {name}=…'" for name in names)
        case _:
            return ", ".join(f"--set {name}=…" for name in names)


def _reading_option(name: str, spec: Spec) -> str:
    value = _PLACEHOLDERS.get(name, "…")
    if isinstance(spec, Choice):
        value = "|".join(spec.options)
    elif isinstance(spec, Number):
        value = "N"
    return f"--{name} {value}" if name in (*NAMED, *LISTED) else f"--read {name}={value}"


def given_settings(settings: Iterable[str], *, option: str = "--set") -> dict[str, str]:
    """Return name → text of settings NAME=VALUE; the last one of a name counts."""
    texts: dict[str, str] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UserError(
                key="cli.setting",
                what=f"'{setting}' is not a setting.",
                where=f"option {option}",
                way_out=f"Write {EXAMPLES[option]}.",
            )
        texts[name.strip()] = text
    return texts


def useless(option: str, way_out: str) -> UserError:
    """Return the refusal of an option that has no effect with the others."""
    return UserError(
        key="cli.useless",
        what="This option has no effect here.",
        where=f"option {option}",
        way_out=way_out,
    )
