from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_limits

from ximstudio.model import LinearMap
from ximstudio.place.linear import project


def test_that_a_projection_has_the_same_bits_with_any_number_of_threads() -> None:
    rng = np.random.default_rng(0)
    model = LinearMap(
        centre=rng.normal(size=300), components=rng.normal(size=(2, 300)), explained=np.ones(2) / 2
    )
    values = rng.normal(size=(3000, 300))
    with threadpool_limits(1):
        one = project(model, values).positions
    np.testing.assert_array_equal(project(model, values).positions, one)
