"""Fields of problems are printed as options."""

from __future__ import annotations

import pytest

from ximstudio.commands.console import show
from ximstudio.commands.options import field_options
from ximstudio.load import Choices
from ximstudio.model.problem import Problem, RecipeStep, SettingsForm


def problem(*fields: str, form: SettingsForm, step: RecipeStep | None = None) -> Problem:
    return Problem(key="a", what="W.", where="w", way_out="O.", fields=fields, form=form, step=step)


def test_that_every_choice_of_reading_has_an_option() -> None:
    for name in Choices.specs():
        assert field_options(problem(name, form=SettingsForm.READING)).startswith("--")


def test_that_options_are_written_as_the_command_line_takes_them() -> None:
    reading = problem("part", "uneven", "skip", form=SettingsForm.READING)
    assert field_options(reading) == (
        "--part NAME, --read uneven=clear|pad|drop|drop_all, --read skip=N"
    )
    assert field_options(problem("out", form=SettingsForm.COMMAND)) == "--out"
    assert field_options(problem("shape", form=SettingsForm.PARAMETERS)) == "--set shape=…"
    step = RecipeStep(2, "log2")
    of_step = problem("offset", form=SettingsForm.PARAMETERS, step=step)
    assert field_options(of_step) == "--step 'log2 offset=…'"


def test_that_the_terminal_prints_them_below_the_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show([problem("part", form=SettingsForm.READING)])
    assert capsys.readouterr().err.endswith("  options: --part NAME\n")
