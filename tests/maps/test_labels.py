"""Texts that find room."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.maps.box import Box
from ximstudio.maps.labels import BESIDE, CENTRED, LabelPlacement, placed
from ximstudio.model.arrays import Floats

BOUNDS = Box(left=0.0, top=0.0, right=300.0, bottom=200.0)
SPACING = 2.0

coordinates = st.floats(-20.0, 320.0)
wanted = st.lists(
    st.tuples(st.text("abcdefgh", max_size=8), coordinates, coordinates, st.integers(0, 3)),
    max_size=40,
)


def size_of(text: str) -> tuple[float, float]:
    return 7.0 * len(text), 12.0


def boxes_of(anchors: Floats, found: LabelPlacement) -> Floats:
    """Left, top, right and bottom of the texts shown, shape (K, 4)."""
    middles = anchors[found.kept] + found.offsets
    return np.hstack([middles - found.sizes / 2.0, middles + found.sizes / 2.0])


def overlap(one: Floats, other: Floats, spacing: float) -> bool:
    apart = (
        one[0] >= other[2] + spacing
        or other[0] >= one[2] + spacing
        or one[1] >= other[3] + spacing
        or other[1] >= one[3] + spacing
    )
    return not apart


def inside(box: Floats) -> bool:
    return bool((box[:2] >= BOUNDS[:2]).all() and (box[2:] <= BOUNDS[2:]).all())


@given(wanted, st.sampled_from([CENTRED, BESIDE]), st.sampled_from([0.0, 4.0]))
def test_that_no_text_covers_another_and_none_is_left_out_that_has_room(
    given_texts: list[tuple[str, float, float, int]],
    sides: tuple[tuple[int, int], ...],
    gap: float,
) -> None:
    texts = [text for text, *_ in given_texts]
    anchors = np.array([[x, y] for _, x, y, _ in given_texts]).reshape(-1, 2)
    priority = np.array([rank for *_, rank in given_texts], dtype=np.float64)
    found = placed(
        texts,
        anchors,
        size_of,
        bounds=BOUNDS,
        priority=priority,
        sides=sides,
        gap=gap,
        spacing=SPACING,
    )
    # The same, one by one: the first free side of each text in the order of priority.
    kept: dict[int, Floats] = {}
    for number in sorted(range(len(texts)), key=lambda number: (-priority[number], number)):
        x, y = anchors[number]
        seen = 0.0 <= x <= 300.0 and 0.0 <= y <= 200.0
        for right, down in sides if seen and texts[number] else ():
            width, height = size_of(texts[number])
            middle = np.array([x + right * (width / 2.0 + gap), y + down * (height / 2.0 + gap)])
            half = np.array([width / 2.0, height / 2.0])
            box = np.concatenate([middle - half, middle + half])
            if inside(box) and not any(overlap(box, old, SPACING) for old in kept.values()):
                kept[number] = box
                break
    assert found.kept.tolist() == list(kept)
    np.testing.assert_allclose(boxes_of(anchors, found), np.reshape([*kept.values()], (-1, 4)))


def test_that_the_more_important_of_two_texts_stays() -> None:
    anchors = np.array([[100.0, 100.0], [105.0, 100.0]])
    first = placed(["aaaa", "bbbb"], anchors, size_of, bounds=BOUNDS)
    second = placed(["aaaa", "bbbb"], anchors, size_of, bounds=BOUNDS, priority=[1.0, 2.0])
    assert (first.kept.tolist(), second.kept.tolist()) == ([0], [1])


@pytest.mark.parametrize("side", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_that_texts_keep_their_distance_on_all_sides(side: tuple[int, int]) -> None:
    width, height = size_of("aaaa")
    touching = np.array(side) * (width + 5.0, height + 5.0)
    anchors = np.array([[100.0, 100.0], touching + 100.0])
    kept = [
        len(placed(["aaaa"] * 2, anchors, size_of, bounds=BOUNDS, spacing=spacing).kept)
        for spacing in (5.0, 5.1)
    ]
    assert kept == [2, 1]


def test_that_a_text_beside_its_point_finds_the_next_free_side() -> None:
    anchors = np.array([[100.0, 100.0], [100.0, 100.0], [100.0, 100.0]])
    found = placed(["aaaa"] * 3, anchors, size_of, bounds=BOUNDS, sides=BESIDE, gap=10.0)
    assert found.offsets.tolist() == [[24.0, 0.0], [-24.0, 0.0], [0.0, -16.0]]


def test_that_no_more_texts_are_shown_or_measured_than_asked_for() -> None:
    asked: list[str] = []

    def measure(text: str) -> tuple[float, float]:
        asked.append(text)
        return size_of(text)

    anchors = np.column_stack([np.full(9, 50.0), 20.0 * np.arange(1, 10)])
    texts = [f"t{number}" for number in range(9)]
    found = placed(texts, anchors, measure, bounds=BOUNDS, most=4)
    assert found.kept.tolist() == [0, 1, 2, 3]
    assert asked == texts[:4]


def test_that_more_texts_find_room_than_was_first_made() -> None:
    anchors = np.array([[10.0 + 20.0 * x, 10.0 + 15.0 * y] for y in range(12) for x in range(14)])
    found = placed(["a"] * 168, anchors, size_of, bounds=BOUNDS)
    assert found.kept.tolist() == list(range(168))


@pytest.mark.parametrize("place", [np.nan, np.inf, -5.0])
def test_that_texts_out_of_sight_are_not_shown(place: float) -> None:
    found = placed(["a"], np.array([[place, 10.0]]), size_of, bounds=BOUNDS)
    assert len(found.kept) == len(found.offsets) == len(found.sizes) == 0
