"""The annealing that is shown before training is the one that training follows."""

import numpy as np
import pytest

from ximstudio.kernels import online
from ximstudio.model import Matrix
from ximstudio.train import METHODS, method_named, train
from ximstudio.train.annealing import annealed
from ximstudio.train.online import ANNEALINGS
from ximstudio.train.params import OnlineParams
from ximstudio.train.schedules import schedules
from ximstudio.train.xom_family import XomParams


@pytest.mark.parametrize("annealing", ANNEALINGS)
@pytest.mark.parametrize("pair", [(15.0, 0.4), (0.02, 0.45), (1.0, 1.0)])
def test_that_values_are_the_kernels(annealing: str, pair: tuple[float, float]) -> None:
    fractions = np.linspace(0.0, 1.0, 11)
    kernel = [online.annealed(ANNEALINGS[annealing], pair, f) for f in fractions]
    assert annealed(annealing, pair, fractions) == pytest.approx(kernel, rel=1e-12)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_every_method_with_steps_has_schedules(method: object) -> None:
    params = method.params()  # type: ignore[attr-defined]
    planned = schedules(params, 100)
    assert (planned is not None) == isinstance(params, OnlineParams | XomParams)


@pytest.mark.parametrize("key", ["xom", "ne-xom", "t-ne-xom"])
def test_that_items_in_a_map_follow_them_with_the_spaces_exchanged(key: str, yeast: Matrix) -> None:
    method = method_named(key)
    params = method.params(n_steps=640)  # type: ignore[call-arg]
    planned = schedules(params, yeast.n_items)
    assert planned is not None
    assert planned.step_size is not None
    assert (planned.width_name, planned.reach_name) == ("data width", "map reach")
    history = train(yeast, method, params).history
    width = history.width / yeast.median_distance
    for mine, real in ((planned.step_size, history.step_size), (planned.width, width)):
        assert np.interp(history.step, planned.steps, mine) == pytest.approx(real, rel=1e-3)
    assert (planned.reach is None) == bool(np.isnan(history.reach).all()) == (key == "xom")


@pytest.mark.parametrize("key", ["c-xim", "som"])
def test_that_training_follows_them(key: str, yeast: Matrix) -> None:
    method = method_named(key)
    params = method.params(shape=(4, 5), n_steps=640)  # type: ignore[call-arg]
    planned = schedules(params, yeast.n_items)
    assert planned is not None
    history = train(yeast, method, params).history
    assert planned.step_size is not None
    for mine, real in ((planned.step_size, history.step_size), (planned.width, history.width)):
        assert np.interp(history.step, planned.steps, mine) == pytest.approx(real, rel=1e-3)
    assert (planned.reach is None) == bool(np.isnan(history.reach).all())


def test_that_what_is_not_used_is_not_there() -> None:
    som, xim = method_named("som"), method_named("xim")
    batch = schedules(som.params(algorithm="batch", n_epochs=9), 10)  # type: ignore[call-arg]
    assert batch is not None
    assert batch.step_size is None
    assert batch.steps[-1] == 9
    for rule, repels in (("weighted", False), ("gradient", True)):
        planned = schedules(xim.params(repulsion=0.0, rule=rule), 10)  # type: ignore[call-arg]
        assert planned is not None
        assert (planned.reach is not None) == repels
