"""The estimators keep scikit-learn's conventions and give the command line's maps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from ximstudio.estimators import SOM, XIM
from ximstudio.model import Matrix, UserError
from ximstudio.train import method_named, train

SMALL = {"shape": (5, 6), "n_steps": 1500, "random_state": 0}


@parametrize_with_checks(
    [
        XIM(**SMALL),
        XIM("t", **SMALL),
        XIM("gaussian", best_match="divergence", lattice="hexagonal", **SMALL),
        SOM(**SMALL),
        SOM(shape=(5, 6), algorithm="batch", n_epochs=10, random_state=0),
    ]
)
def test_that_scikit_learns_own_checks_pass(estimator: Any, check: Any) -> None:
    check(estimator)
