"""The guide agrees with the window: its tables, and its pictures."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtWidgets import QApplication

from ximstudio.export.choices import FORMATS
from ximstudio.figures.look import Look
from ximstudio.maps import LAYERS
from ximstudio.maps.palettes import PALETTES, PaletteScheme
from ximstudio.maps.ridges import FEWEST_ITEMS, LEAST_SHARE
from ximstudio.maps.stability import NULLS
from ximstudio.measure import trials
from ximstudio.measure.sweep import MOST_AXES, MOST_MAPS
from ximstudio.model.spec import Number
from ximstudio.prepare.input import Input
from ximstudio.session import open_data
from ximstudio.session.plan import USUAL
from ximstudio.session.presets import PRESETS
from ximstudio.session.words import Words
from ximstudio.train import method_named
from ximstudio.ui.actions.comparison import RUNS, SHARE
from ximstudio.ui.actions.series import MOST_PANELS
from ximstudio.ui.dialogs.exporting.dialog import PAGES
from ximstudio.ui.dialogs.exporting.figure_form import WIDTHS
from ximstudio.ui.runtime.settings import MOST_RECENT
from ximstudio.ui.views import VIEWS
from ximstudio.ui.views.compare.maps_page import NEIGHBOURS
from ximstudio.ui.views.compare.stability_page import TIMES
from ximstudio.ui.widgets.shortcuts import all_keys
from ximstudio.views.compare.stability_picture import STEPS

CHECKOUT = Path(__file__).parents[3]
GUIDE = CHECKOUT / "docs" / "guide"
PICTURES = CHECKOUT / "docs" / "images" / "tour"
WORDS = Words()
"""Genes in rows, as the guide has them."""


def tour() -> ModuleType:
    """packaging/tour_pictures.py; a package of that name keeps it from a plain import."""
    path = CHECKOUT / "packaging" / "tour_pictures.py"
    spec = importlib.util.spec_from_file_location("tour_pictures", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows_below(heading: str) -> list[str]:
    """The rows of a table in docs/guide/window.md, by the first cell of its heading."""
    text = (GUIDE / "window.md").read_text(encoding="utf-8")
    lines = text.split(f"| {heading} |")[1].splitlines()[2:]
    return lines[: lines.index("")]


def rows(entries: Iterable[tuple[str, str]]) -> list[str]:
    return [f"| {name} | {about} |" for name, about in entries]


def test_that_the_guide_lists_every_key() -> None:
    assert rows_below("key") == rows((key.keys, key.does) for key in all_keys())


def test_that_the_guide_lists_every_view() -> None:
    assert rows_below("view") == rows((view.kind.name, view.kind.about) for view in VIEWS)


def test_that_the_guide_lists_every_layer_in_a_biologists_words() -> None:
    assert rows_below("layer") == rows(
        (WORDS.said(layer.name), WORDS.said(layer.about)) for layer in LAYERS
    )


def test_that_the_guide_lists_every_preset() -> None:
    assert rows_below("preset") == rows((preset.name, preset.about) for preset in PRESETS)


def test_that_the_guide_names_the_colours_and_how_many_files_are_remembered() -> None:
    text = (GUIDE / "window.md").read_text(encoding="utf-8")
    sequential = [one.name for one in PALETTES if one.scheme is PaletteScheme.SEQUENTIAL]
    assert f"**Colours:** {', '.join(sequential)};" in text
    assert f"the last {MOST_RECENT} files" in text


def test_that_every_picture_of_the_tour_is_shown_and_every_one_that_is_shown_is_taken() -> None:
    module, every = tour(), set()
    pages = (
        # The tour ends with what leads out of the program.
        ("tour.md", (*module.PICTURES, *module.EXPORTING)),
        ("exploring.md", module.EXPLORING),
        ("comparing.md", module.COMPARING),
        ("exporting.md", module.EXPORTING),
    )
    for page, taken in pages:
        text = (GUIDE / page).read_text(encoding="utf-8")
        shown = re.findall(r"\]\(\.\./images/tour/(\S+)\.png\)", text)
        assert tuple(shown) == taken
        every |= set(shown)
    assert {path.stem for path in PICTURES.glob("*")} == every


def test_that_the_guide_names_the_limits_of_comparing() -> None:
    text = " ".join((GUIDE / "comparing.md").read_text(encoding="utf-8").split())
    for said in (
        f"**{MOST_PANELS} panels**",
        f"its {NEIGHBOURS} nearest genes",
        f"**Repeat {RUNS} times**",
        f"on {SHARE:.0%} of the genes".replace("%", " %"),
        f"**1 to {MOST_AXES} settings**, **{MOST_MAPS} maps** at most",
        f"{TIMES[0]} to {TIMES[-1]} times",
        f"on {NULLS} maps of made-up data",
        "from " + ", ".join(f"{share:.0%}" for share, _ in STEPS[:-1]).replace("%", " %"),
        f"Fewer than {FEWEST_ITEMS} genes, or than {LEAST_SHARE:.0%} of".replace("%", " %"),
    ):
        assert said in text
    assert [method_named(key).name for key in USUAL] == ["PCA", "SOM", "XOM", "c-XIM"]


def test_that_the_guide_names_what_can_be_exported() -> None:
    text = (GUIDE / "exporting.md").read_text(encoding="utf-8")
    width, size = Look.specs()["width_mm"], Look.specs()["font_size"]
    assert isinstance(width, Number)
    assert isinstance(size, Number)
    for said in (
        f"your own from {width.low:g} to {width.high:g}",
        f"{size.low:g} to {size.high:g} pt",
        " or ".join((", ".join(list(FORMATS.values())[:-1]), list(FORMATS.values())[-1])),
        *(f"{millimetres:g}" for millimetres in WIDTHS),
    ):
        assert said in text
    assert re.findall("^## (.*)$", text, re.MULTILINE) == [page.name for page in PAGES]


def test_that_times_of_maps_that_are_trained_side_by_side_follow_their_steps() -> None:
    module = tour()
    params = method_named("som").params.from_values({"n_steps": 700, "shape": (3, 3)})
    matrix = open_data(Input(name="sample:yeast")).matrix
    assert matrix is not None
    some = [trials.Trial(matrix, method_named("som"), params, seed, "") for seed in range(4)]
    with module.rehearsed():
        *_, last = trials.found_all(some, ())
    (seconds,) = {found.seconds for found in last.found}
    # Those before the first report do not count: they may have been compiling.
    assert 600 * module.STEP_SECONDS < seconds < 700 * module.STEP_SECONDS


def test_that_pictures_are_small() -> None:
    assert all(path.stat().st_size < 250_000 for path in PICTURES.glob("*"))


@pytest.mark.thorough
@pytest.mark.parametrize(("act", "name"), [("own_table", "import"), ("sample", "train")])
def test_that_a_picture_is_the_same_when_it_is_taken_again(
    qapp: QApplication, act: str, name: str
) -> None:
    assert qapp.platformName() == "offscreen"
    module = tour()

    def taken() -> bytes:
        with closing(module.pictures(getattr(module, act))) as pictures:
            data: bytes = next(data for found, data in pictures if found == name)
            return data

    assert taken() == taken()
