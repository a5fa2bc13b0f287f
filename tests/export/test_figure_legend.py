"""Legends of figures: letters, what is shared once, words for items."""

from __future__ import annotations

from ximstudio.export.figure_legend import legend_text
from ximstudio.views.common.legend import PanelWords

U_MATRIX = PanelWords(
    shows="U-matrix",
    colours="distance to neighbouring nodes",
    method="c-XIM",
    n_items=186,
)


def test_that_one_panel_tells_its_map_and_its_colours() -> None:
    text = legend_text("Yeast", [U_MATRIX], words=("gene", "sample"))
    assert text == (
        "Figure 1. Yeast. Map of 186 genes by c-XIM. U-matrix; colours: distance to neighbouring"
        " nodes."
    )


def test_that_panels_have_letters_and_share_what_is_the_same() -> None:
    panels = [
        PanelWords(**{**vars(U_MATRIX), "letter": "a"}),
        PanelWords(
            shows="positions", letter="b", marks="points are items", method="c-XIM", n_items=186
        ),
    ]
    text = legend_text("", panels, number=3)
    assert text.count("186 items") == 1
    assert text.index("(a) U-matrix") < text.index("(b) ")
    assert text.startswith("Figure 3. ")


def test_that_maps_of_several_methods_are_told_apart() -> None:
    panels = [
        PanelWords(shows="nodes", letter=letter, method=method, n_items=n_items)
        for letter, method, n_items in (("a", "SOM", 186), ("b", "c-XIM", 60))
    ]
    text = legend_text("", panels, number=None)
    assert text.startswith("Maps by SOM and c-XIM.")
    assert "186 items by SOM" in text
    assert "60 items by c-XIM" in text


def test_that_the_size_is_said_once_where_only_methods_differ() -> None:
    panels = [
        PanelWords(letter=letter, shows=f"run ‘{run}’", method=method, n_items=186)
        for letter, run, method in (("a", "c-XIM 1", "c-XIM"), ("b", "item 2", "SOM"))
    ]
    text = legend_text("One item", panels, number=None, words=("gene", "sample"))
    assert text == (
        "One item. Maps of 186 genes by c-XIM and SOM. (a) Run ‘c-XIM 1’ (map by c-XIM)."
        " (b) Run ‘item 2’ (map by SOM)."
    )


def test_that_two_runs_of_one_method_are_two_maps() -> None:
    panels = [
        PanelWords(shows="nodes", letter=letter, method="SOM", n_items=9, run=letter)
        for letter in "ab"
    ]
    text = legend_text("", panels, number=None)
    assert text.startswith("Maps of 9 items by SOM. ")
    assert text.count("SOM") == 1
