"""What the guide says about the window is so: its tables, and its pictures."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtWidgets import QApplication

from ximstudio.maps import LAYERS
from ximstudio.maps.palettes import PALETTES, Scheme
from ximstudio.session.presets import PRESETS
from ximstudio.ui.keys import KEYS
from ximstudio.ui.settings import MOST_RECENT
from ximstudio.ui.views import VIEWS
from ximstudio.ui.words import Words

CHECKOUT = Path(__file__).parent.parent.parent
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
    assert rows_below("key") == rows((key.keys, key.does) for key in KEYS)


def test_that_the_guide_lists_every_view() -> None:
    assert rows_below("view") == rows((view.name, view.about) for view in VIEWS)


def test_that_the_guide_lists_every_layer_in_a_biologists_words() -> None:
    assert rows_below("layer") == rows(
        (WORDS.said(layer.name), WORDS.said(layer.about)) for layer in LAYERS
    )


def test_that_the_guide_lists_every_preset() -> None:
    assert rows_below("preset") == rows((preset.name, preset.about) for preset in PRESETS)


def test_that_the_guide_names_the_colours_and_how_many_files_are_remembered() -> None:
    text = (GUIDE / "window.md").read_text(encoding="utf-8")
    sequential = [one.name for one in PALETTES if one.scheme is Scheme.SEQUENTIAL]
    assert f"**Colours:** {', '.join(sequential)};" in text
    assert f"the last {MOST_RECENT} files" in text


def test_that_every_picture_of_the_tour_is_shown_and_every_one_that_is_shown_is_taken() -> None:
    module, every = tour(), set()
    for page, taken in (("tour.md", module.PICTURES), ("exploring.md", module.EXPLORING)):
        text = (GUIDE / page).read_text(encoding="utf-8")
        shown = re.findall(r"\]\(\.\./images/tour/(\S+)\.png\)", text)
        assert tuple(shown) == taken
        every |= set(shown)
    assert {path.stem for path in PICTURES.glob("*")} == every


def test_that_pictures_are_small() -> None:
    assert all(path.stat().st_size < 250_000 for path in PICTURES.glob("*"))


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
