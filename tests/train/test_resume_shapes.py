"""A training does not go on from arrays that are not its own: kernels would not notice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ximstudio.model import Matrix
from ximstudio.model.problem import UserError
from ximstudio.train import checkpoints, method_named, train


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("c-xim", {"shape": (3, 3), "n_steps": 60}),
        ("som", {"shape": (3, 3), "algorithm": "batch", "n_epochs": 4}),
        ("xom", {"n_steps": 60}),
        ("t-sne", {"n_steps": 20}),
    ],
)
@pytest.mark.parametrize("name", ["prototypes", "moving", "tallies"])
def test_that_arrays_of_other_shapes_are_refused(
    key: str, settings: dict[str, Any], name: str
) -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(20, 4)))
    method = method_named(key)
    params = method.params.from_values(settings)
    stopped = next(iter(checkpoints(matrix, method, params, chunk=2))).result()
    resume = stopped.resume
    assert resume is not None
    array = getattr(resume, name)
    if not array.size:
        return
    wrong = replace(resume, **{name: array[..., :-1]})
    with pytest.raises(UserError) as caught:
        train(matrix, method, params, resume=wrong)
    assert caught.value.keys == ("train.resume",)
