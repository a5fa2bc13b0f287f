"""Sheets in millimetres, legends and colour bars."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from tests.figures.drawn import assert_nothing_is_cut, said, size_mm, texts
from ximstudio.figures.look import Look, on_paper
from ximstudio.figures.parts import Bar, ColourKey, LegendLine, letter
from ximstudio.figures.sheet import PaperSheet, cut, text_width, wrapped
from ximstudio.maps.box import Box
from ximstudio.maps.palettes import palette_named
from ximstudio.pictures.ticks import tick_texts, ticks

VIRIDIS = palette_named("viridis").table
LETTERS = st.characters(min_codepoint=0xC0, max_codepoint=0x24F) | st.sampled_from(" -_$^{}abcXYZ")
NAMES = st.text(LETTERS, min_size=1, max_size=60)


def with_key(key: ColourKey, look: Look, *, title: str = "") -> Figure:
    """A square plot and its key."""
    with on_paper(look):
        sheet = PaperSheet(look, title=title)
        right = sheet.right - key.width_beside(sheet)
        side = right - sheet.left
        sheet.axes(Box(sheet.left, sheet.top, right, sheet.top + side))
        letter(sheet, 0, sheet.left, sheet.top + 3.0)
        end = key.draw_beside(sheet, right + 2.5, sheet.top, side)
        end = max(end, sheet.top + side)
        return sheet.finish(key.draw_below(sheet, sheet.left, end, sheet.right - sheet.left))


def entries(*names: str) -> tuple[LegendLine, ...]:
    return tuple(
        LegendLine(name=name, colour="#0072B2", count=10**n) for n, name in enumerate(names)
    )


@pytest.mark.parametrize("width", [30.0, 85.0, 114.0, 174.0])
@pytest.mark.parametrize("font", [5.0, 7.0, 9.0])
def test_that_width_and_type_are_as_asked(width: float, font: float) -> None:
    bar = Bar(table=VIRIDIS, low=0.0, high=1.0, name="height", blank="none")
    key = ColourKey(bar=bar, entries=entries("ribosome", "proteasome"), title="kind")
    drawn = with_key(key, Look(width_mm=width, font_size=font), title="A title")
    assert size_mm(drawn)[0] == pytest.approx(width)
    assert {text.get_fontsize() for text in texts(drawn, "bar name")} == {font}
    assert {text.get_fontsize() for text in texts(drawn, "bar number")} == {max(font - 1.0, 5.0)}
    assert_nothing_is_cut(drawn)


def test_that_letters_are_bold_and_small() -> None:
    drawn = with_key(ColourKey(), Look(width_mm=85.0, font_size=7.0))
    (found,) = texts(drawn, "letter")
    assert found.get_text() == "a"
    assert found.get_fontweight() == "bold"


@settings(max_examples=12, deadline=None)
@given(names=st.lists(NAMES, min_size=1, max_size=14), width=st.floats(40.0, 180.0))
def test_that_a_legend_is_never_cut_whatever_its_names(names: list[str], width: float) -> None:
    key = ColourKey(
        entries=entries(*(" ".join(name.split()) or "x" for name in names)), title="$kind$"
    )
    drawn = with_key(key, Look(width_mm=width, font_size=7.0))
    assert_nothing_is_cut(drawn)
    letters = "".join(said(drawn, "legend name")).replace(" ", "")
    assert letters == "".join(names).replace(" ", "") or any(not name.split() for name in names)
    assert len(said(drawn, "legend count")) == len(names)


def test_that_a_legend_stands_beside_a_wide_plot_and_below_a_narrow_one() -> None:
    key = ColourKey(entries=entries("a name of some length", "b"))
    wide, narrow = (with_key(key, Look(width_mm=width)) for width in (174.0, 60.0))
    assert size_mm(wide)[1] < 174.0
    beside, below = (texts(one, "legend name")[0].get_position() for one in (wide, narrow))
    assert beside[0] > 0.6 * 174.0
    assert below[0] < 0.2 * 60.0


def test_that_a_bar_has_the_round_numbers_of_the_screen() -> None:
    bar = Bar(table=VIRIDIS, low=-0.13, high=2.3, name="height")
    drawn = with_key(ColourKey(bar=bar), Look(width_mm=85.0, font_size=7.0))
    found = said(drawn, "bar number")
    assert any(found == tick_texts(ticks(-0.13, 2.3, most=most)) for most in range(2, 8))
    colours = next(axes for axes in drawn.axes if axes.get_label() == "colour bar").images[0]
    np.testing.assert_array_equal(np.asarray(colours.get_array())[:, 0], VIRIDIS)
    assert colours.origin == "lower"


def test_that_a_bar_of_one_number_says_it() -> None:
    bar = Bar(table=VIRIDIS, low=2.0, high=2.0)
    assert said(with_key(ColourKey(bar=bar), Look(width_mm=85.0)), "bar number")


def test_that_texts_are_cut_and_wrapped_to_the_width() -> None:
    with on_paper(Look()):
        for widest in (5.0, 12.0, 40.0):
            text = "mitochondrial ribosome and respiration"
            assert text_width(cut(text, widest, size=7.0), size=7.0) <= widest
            lines = wrapped(text, widest, size=7.0)
            assert max(text_width(line, size=7.0) for line in lines) <= widest
            assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert cut("short", 40.0, size=7.0) == "short"


def test_that_a_line_does_not_end_within_a_number() -> None:
    with on_paper(Look()):
        narrow = text_width("more than 5\u202f0", size=7.0)
        lines = wrapped("more  than\n5\u202f000 genes", narrow, size=7.0)
    assert lines == ["more than", "5\u202f000 genes"]


def test_that_what_is_no_letter_has_the_width_of_the_mark_for_it() -> None:
    with on_paper(Look()):
        assert text_width("a\ud800\x01", size=7.0) == text_width("a\ufffd\ufffd", size=7.0)
