"""Parse and list preparation steps."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from ximstudio.commands.console import say
from ximstudio.commands.methods import listed_parameters, say_values
from ximstudio.commands.options import EXAMPLES, given_settings
from ximstudio.doctor.requested import RequestedRepair
from ximstudio.model.problem import UserError
from ximstudio.model.shell import unescaped
from ximstudio.prepare.recipe import Planned, read_recipe, step_named
from ximstudio.prepare.steps import STEPS
from ximstudio.session.words import Words

REPAIR = "repair:"
"""Prefix that marks the value of --repair among steps."""


def step_of(text: str) -> Planned:
    """Return the step written as "KEY NAME=VALUE …"; quotes keep values with spaces together."""
    try:
        key, *settings = shlex.split(text)
    except ValueError:
        raise UserError(
            key="cli.step",
            what=f"{text!r} is not a step.",
            where="option --step",
            way_out=f"Write {EXAMPLES['--step']}; 'ximstudio steps' lists them.",
        ) from None
    step = step_named(key)
    texts = given_settings(settings, option="--step")
    try:
        return Planned(step=step, params=step.params.from_texts(texts))
    except UserError as error:
        raise UserError.of(
            replace(problem, where=f"step '{text}', {problem.where}") for problem in error.problems
        ) from None


def text_of(planned: Planned) -> str:
    """Return the step as a value of --step, without default parameters."""
    params = planned.params
    defaults, specs = params.defaults(), params.specs()
    settings = [
        shlex.quote(f"{name}={specs[name].show(value)}")
        for name in specs
        if (value := getattr(params, name)) != defaults[name]
    ]
    return " ".join([planned.step.key, *settings])


def steps_of(recipe: Path | None, texts: Sequence[str]) -> tuple[Planned | RequestedRepair, ...]:
    """Return the steps of a file followed by those of the options, including repairs."""
    first = () if recipe is None else read_recipe(recipe).steps
    given = map(unescaped, texts)
    return *first, *(
        RequestedRepair.of(text.removeprefix(REPAIR)) if text.startswith(REPAIR) else step_of(text)
        for text in given
    )


def steps(options: argparse.Namespace) -> int:
    """Print all steps, one per line, or one step with its parameters."""
    chosen = STEPS if options.name is None else [step_named(options.name)]
    if options.json:
        say_values(chosen, "key", "name", "group", "about")
    elif options.name is None:
        width = max(len(step.key) for step in chosen)
        for group, alike in groupby(chosen, key=lambda step: step.group):
            say(group)
            for step in alike:
                say(f"  {step.key:{width}}  {Words().said(step.name)}")
        say("\n'ximstudio steps NAME' shows what one does, and its parameters.")
    else:
        (step,) = chosen
        head = [f"{step.name} ({step.key})", step.about, ""]
        # Without a table, so in the default words.
        say("\n".join(map(Words().said, [*head, *listed_parameters(step.params)])))
    return 0
