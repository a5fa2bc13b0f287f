"""Sizes and settings of figures."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ximstudio.figures.look import DOUBLE_MM, MIDDLE_MM, SINGLE_MM, Look, on_paper
from ximstudio.model.problem import UserError


def test_that_a_figure_is_as_wide_as_two_columns_unless_asked_otherwise() -> None:
    assert Look().width_mm == DOUBLE_MM
    assert (SINGLE_MM, MIDDLE_MM, DOUBLE_MM) == (85.0, 114.0, 174.0)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("width_mm", 30.0, 400.0), ("font_size", 4.0, 24.0), ("dpi", 72.0, 1200.0)],
)
def test_that_sizes_that_cannot_be_printed_are_refused(name: str, low: float, high: float) -> None:
    for value in (low, high):
        assert getattr(Look(**{name: value}), name) == value
    wrong: list[Any] = [low - 0.5, high + 0.5, float("nan"), float("inf"), "wide", None]
    for value in wrong:
        with pytest.raises(UserError) as error:
            Look(**{name: value})
        assert error.value.keys == ("params.bounds",)


def test_that_a_look_can_be_kept_as_json() -> None:
    look = Look(width_mm=114, font_size=6.5, dpi=600)
    assert Look.from_values(json.loads(json.dumps(look.as_values()))) == look
    with pytest.raises(UserError) as error:
        Look.from_values({"width_cm": 8.5})
    assert error.value.keys == ("params.unknown",)


def test_that_a_persons_own_settings_neither_change_a_figure_nor_are_changed() -> None:
    import matplotlib as mpl

    def settings() -> tuple[object, object]:
        return mpl.rcParams["savefig.bbox"], mpl.rcParams["lines.linewidth"]

    with mpl.rc_context({"savefig.bbox": "tight", "lines.linewidth": 9.0}):
        with on_paper(Look()):
            assert settings() == (None, 1.5)
        assert settings() == ("tight", 9.0)


def test_that_threads_do_not_draw_with_the_settings_of_another() -> None:
    import matplotlib as mpl

    inside, leave = threading.Event(), threading.Event()
    seen: list[float] = []

    def large() -> None:
        with on_paper(Look(font_size=20.0)):
            inside.set()
            leave.wait()

    def small() -> None:
        with on_paper(Look(font_size=5.0)):
            seen.append(float(mpl.rcParams["font.size"]))

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(large)
        inside.wait()
        second = pool.submit(small)
        assert seen == []
        leave.set()
        first.result()
        second.result()
    assert seen == [5.0]
    assert mpl.rcParams["font.size"] != 20.0
