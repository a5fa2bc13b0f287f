"""Texts of run cards: distance, side, preparation, and differences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui.maps_to_show import run_of
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session.run_words import (
    AS_READ,
    metric_text,
    preparation_lines,
    preparation_text,
    side_text,
    why_apart,
)
from ximstudio.train import METHODS


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_every_method_names_its_distance(method: object) -> None:
    params = method.params  # type: ignore[attr-defined]
    assert metric_text(params()) == "Euclidean"
    assert metric_text(params().replace(metric="correlation")) == "correlation"


def test_that_steps_that_are_on_are_named_and_sides_are_counted_instead() -> None:
    given = Input(name="a.csv", recipe=Recipe.of(planned("orientation")))
    assert preparation_text(given) == AS_READ
    assert not list(preparation_lines(given))
    log = planned("log2")
    steps = Recipe.of(planned("orientation"), log, replace(planned("centre"), on=False))
    prepared = replace(given, recipe=steps)
    assert preparation_text(prepared) == log.step.name
    assert len(list(preparation_lines(prepared))) == 1
    assert side_text(run_of("som").matrix).startswith("60 ")


def test_that_every_reason_not_to_compare_is_told_with_the_runs_it_holds_for() -> None:
    run, alike = run_of("som"), run_of("pca")
    by_shape = run_of("c-xim", name="shape", metric="correlation")
    shifted = run.matrix.with_values(run.matrix.values + 1.0)
    prepared = replace(run, name="prepared", matrix=shifted)
    part = replace(run, name="part", matrix=run.matrix.items([1, 2, 3]))
    assert why_apart(run, (run, alike)) == ""
    told = why_apart(run, (run, alike, by_shape, prepared, part))
    assert all(name in told for name in ("shape: ", "prepared: ", "part: "))
    assert alike.name not in told
    assert "correlation" in told
