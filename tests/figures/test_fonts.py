"""Fonts of figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from ximstudio.assets import asset
from ximstudio.figures.fonts import PAPER, STYLES, WIDE, _is_truetype, families
from ximstudio.figures.look import Look, on_paper


def test_that_the_bundled_font_is_taken_in_every_style_whatever_is_installed() -> None:
    from matplotlib.font_manager import FontProperties, findfont

    with on_paper(Look()):
        found = [
            Path(findfont(FontProperties(weight=weight, style=style)))
            for style in ("normal", "italic")
            for weight in ("normal", "bold")
        ]
    assert found == [asset("fonts", f"LiberationSans-{style}.ttf") for style in STYLES]


def test_that_fonts_are_made_known_once() -> None:
    from matplotlib.font_manager import fontManager

    assert families()[:2] == [PAPER, WIDE]
    known = [entry.name for entry in fontManager.ttflist]
    families()
    assert [entry.name for entry in fontManager.ttflist] == known
    assert known.count(PAPER) == known.count(WIDE) == len(STYLES)


def test_that_the_second_font_comes_with_matplotlib() -> None:
    import matplotlib as mpl
    from matplotlib.font_manager import FontProperties, findfont

    families()
    path = Path(findfont(FontProperties(family=WIDE)))
    assert path.is_relative_to(mpl.get_data_path())


def test_that_only_fonts_that_a_pdf_can_hold_are_taken(tmp_path: Path) -> None:
    assert _is_truetype(asset("fonts", "LiberationSans-Regular.ttf"))
    assert not _is_truetype(asset("fonts", "Inter-Regular.otf"))
    assert not _is_truetype(tmp_path / "missing.ttf")
    collection = tmp_path / "some.ttc"
    for outlines, fits in ((b"\0\1\0\0", True), (b"OTTO", False)):
        collection.write_bytes(b"ttcf" + bytes(8) + (16).to_bytes(4, "big") + outlines)
        assert _is_truetype(collection) == fits


def test_that_the_fonts_licence_is_there() -> None:
    text = asset("fonts", "OFL-Liberation.txt").read_text(encoding="utf-8")
    assert "Reserved Font Name Liberation" in text
    assert "SIL OPEN FONT LICENSE Version 1.1" in text


def test_that_installed_fonts_help_out_in_every_style_but_only_those_that_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from matplotlib.font_manager import FontEntry, fontManager

    from ximstudio.figures.fonts import FAR, MOST_FAR, _far

    fits, does_not = (
        asset("fonts", name) for name in ("LiberationSans-Bold.ttf", "Inter-Bold.otf")
    )
    installed = [FontEntry(fname=str(fits), name=name, weight=700) for name in FAR[1:]]
    installed.append(FontEntry(fname=str(does_not), name=FAR[0]))
    monkeypatch.setattr(fontManager, "ttflist", [*reversed(installed)])
    taken = list(_far())
    assert taken == [f"{WIDE}: {name}" for name in FAR[1 : 1 + MOST_FAR]]
    added = fontManager.ttflist[len(installed) :]
    assert {entry.fname for entry in added} == {str(fits)}
    styles = {(entry.weight, entry.style) for entry in added if entry.name == taken[0]}
    assert styles == {(400, "normal"), (700, "normal"), (400, "italic"), (700, "italic")}


def test_that_nothing_is_said_about_letters_that_no_font_has(
    caplog: pytest.LogCaptureFixture,
) -> None:
    from matplotlib.figure import Figure

    from ximstudio.figures.files import FORMATS, figure_bytes

    with on_paper(Look()):
        figure = Figure(figsize=(2.0, 1.0))
        # Warnings are errors here. The last ones are in no font at all.
        figure.text(0.1, 0.5, "基因 → Ω ≥ ₂ \ue123 \U000f0000")
        figure.text(0.1, 0.2, r"$\mathcal{C}\,\alpha \rightarrow \mathbf{b}$", weight="bold")
    for suffix in FORMATS:
        assert figure_bytes(figure, suffix)
    assert not caplog.records
