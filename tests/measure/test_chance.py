"""Trustworthiness and continuity of random maps, and words for those of real ones."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.measure.chance import (
    CHANCE,
    GRADES,
    chance_curve,
    chance_level,
    grade,
    neighbours_of,
)
from ximstudio.measure.neighbourhoods import continuity, trustworthiness
from ximstudio.measure.ranks import neighbour_ranks

OPEN = (np.inf, np.inf)


@pytest.mark.parametrize("n_items", [8, 30, 120])
def test_that_random_maps_have_the_expected_trust_and_continuity(n_items: int) -> None:
    k = n_items - 2
    trust, kept = [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        data, places = rng.normal(size=(n_items, 20)), rng.normal(size=(n_items, 2))
        ranks = neighbour_ranks(data, places, OPEN, k=k)
        trust.append(trustworthiness(ranks))
        kept.append(continuity(ranks))
    expected = chance_curve(n_items, k)
    for found in (np.array(trust), np.array(kept)):
        error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
        assert (np.abs(found.mean(axis=0) - expected) <= 5.0 * error + 1e-12).all()


@pytest.mark.parametrize("n_items", [3, 20, 186, 20_000])
def test_that_grades_rise_from_chance_to_perfect(n_items: int) -> None:
    chance = chance_level(n_items)
    assert 0.4 < chance < 0.6
    assert chance == chance_curve(n_items, neighbours_of(n_items)).mean()
    words = [grade(value, n_items) for value in np.linspace(0.0, 1.0, 1001)]
    assert list(dict.fromkeys(words)) == [CHANCE, *(word for _, word in reversed(GRADES))]
    assert grade(chance, n_items) == CHANCE
