"""Contract of every divergence in DIVERGENCES."""

from __future__ import annotations

import numpy as np
import pytest

from tests import divergences as twins
from ximstudio.kernels.divergence import (
    KL,
    Force,
    attraction,
    divergence_value,
    repulsion,
    set_parts,
)
from ximstudio.kernels.jit import kernel
from ximstudio.model.arrays import Floats, Floats32
from ximstudio.train.divergences import DIVERGENCES, Divergence, force_of, parts, value

CASES = [
    (divergence, order)
    for divergence in DIVERGENCES
    for order in (
        (divergence.usual,)
        if divergence.order is None
        else (divergence.usual, divergence.order.low + 0.3, 1.7, divergence.order.high)
    )
]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0].key} {case[1]:g}")
def case(request: pytest.FixtureRequest) -> tuple[Divergence, float]:
    divergence, order = request.param
    return divergence, order


def neighbourhoods(seed: int = 0, n_nodes: int = 40) -> tuple[Floats, Floats]:
    """ln h and ln g of some item, neither of them 0 anywhere."""
    rng = np.random.default_rng(seed)
    return -rng.exponential(1.5, n_nodes), -rng.exponential(1.5, n_nodes)


def close(found: object, expected: object, precision: float = 1e-9) -> None:
    np.testing.assert_allclose(
        np.asarray(found), np.asarray(expected), rtol=precision, atol=precision * 1e-3
    )


def test_that_keys_and_names_are_unique_and_every_one_has_its_twin() -> None:
    assert len({divergence.name for divergence in DIVERGENCES}) == len(DIVERGENCES)
    keys = [divergence.key for divergence in DIVERGENCES]
    assert set(keys) == set(twins.VALUES)
    assert len(set(keys)) == len(DIVERGENCES)
    assert force_of("kl") is KL


def test_that_the_usual_order_is_one_of_its_orders(case: tuple[Divergence, float]) -> None:
    divergence, _ = case
    if divergence.order is not None:
        assert divergence.order.low <= divergence.usual <= divergence.order.high
    assert force_of(divergence.key) == force_of(divergence.key, divergence.usual)


def test_that_the_value_is_that_of_its_formula(case: tuple[Divergence, float]) -> None:
    divergence, order = case
    log_h, log_g = neighbourhoods()
    expected = twins.VALUES[divergence.key](np.exp(log_h), np.exp(log_g), order)
    close(value(divergence.force(order), log_h, log_g), expected)


def test_that_no_value_is_negative_and_equal_neighbourhoods_cost_nothing(
    case: tuple[Divergence, float],
) -> None:
    divergence, order = case
    force = divergence.force(order)
    for seed in range(20):
        log_h, log_g = neighbourhoods(seed)
        assert value(force, log_h, log_g) > 0.0
        assert abs(value(force, log_h, log_h)) < 1e-12


def test_that_the_force_is_the_slope_of_the_value(case: tuple[Divergence, float]) -> None:
    """Δw_j = (f_j/γ²)(x − w_j) is −∂Div/∂w_j, taken from the formula by central differences."""
    divergence, order = case
    rng = np.random.default_rng(1)
    x, prototypes = rng.normal(size=3), rng.normal(size=(12, 3))
    log_h, reach = -rng.exponential(1.0, 12), 1.3

    def of(places: Floats) -> float:
        g = np.exp(-((x - places) ** 2).sum(axis=1) / (2.0 * reach**2))
        return twins.VALUES[divergence.key](np.exp(log_h), g, order)

    slopes = np.zeros_like(prototypes)
    for place in np.ndindex(*prototypes.shape):
        step = np.zeros_like(prototypes)
        step[place] = 1e-5
        # Five points: the error of three is above the precision that is asked for.
        nearer = of(prototypes + step) - of(prototypes - step)
        farther = of(prototypes + 2.0 * step) - of(prototypes - 2.0 * step)
        slopes[place] = (8.0 * nearer - farther) / 12e-5
    log_g = -((x - prototypes) ** 2).sum(axis=1) / (2.0 * reach**2)
    a, b = parts(divergence.force(order), log_h, log_g)
    for ours, twin in zip(
        (a, b), twins.PARTS[divergence.key](np.exp(log_h), np.exp(log_g), order), strict=True
    ):
        close(ours, twin)
    assert (a >= 0.0).all()
    assert (b >= 0.0).all()
    force = (a - b)[:, None] / reach**2 * (x - prototypes)
    np.testing.assert_allclose(force, -slopes, rtol=0.0, atol=1e-6 * np.abs(slopes).max())


def kernel_parts(force: Force, log_h: Floats, log_g: Floats) -> tuple[Floats32, Floats32]:
    a, b = np.empty((2, len(log_h)), dtype=np.float32)
    set_parts(force, log_h.astype(np.float32), log_g.astype(np.float32), a, b)
    return a, b


def test_that_the_kernel_agrees_with_double_precision(case: tuple[Divergence, float]) -> None:
    divergence, order = case
    for seed in range(5):
        log_h, log_g = neighbourhoods(seed)
        for ours, twin in zip(
            kernel_parts(divergence.force(order), log_h, log_g),
            parts(divergence.force(order), log_h, log_g),
            strict=True,
        ):
            np.testing.assert_allclose(ours, twin, rtol=5e-5, atol=1e-30)


@kernel
def one_by_one(force: Force, log_h: Floats32, log_g: Floats32, a: Floats32, b: Floats32) -> None:
    for j in range(a.size):
        a[j] = attraction(force, log_h[j], log_g[j])
        b[j] = repulsion(force, log_g[j])


def test_that_parts_of_single_nodes_differ_by_their_divisor_alone(
    case: tuple[Divergence, float],
) -> None:
    divergence, order = case
    log_h, log_g = neighbourhoods(3)
    a, b = np.empty((2, len(log_h)), dtype=np.float32)
    one_by_one(divergence.force(order), log_h.astype(np.float32), log_g.astype(np.float32), a, b)
    for ours, twin in zip((a, b), parts(divergence.force(order), log_h, log_g), strict=True):
        np.testing.assert_allclose(ours / ours.sum(), twin / twin.sum(), rtol=5e-5)


def test_that_forces_are_numbers_however_far_the_prototypes(
    case: tuple[Divergence, float],
) -> None:
    divergence, order = case
    log_h = -np.array([0.0, 1.0, 90.0, 1e3, 1e6, 1e10, 5.0, 0.1])
    for log_g in (-np.logspace(0, 12, 8), np.full(8, -1e20), np.zeros(8), -np.logspace(8, -3, 8)):
        for part in kernel_parts(divergence.force(order), log_h, log_g):
            assert np.isfinite(part).all()
            assert (part >= 0.0).all()


def test_that_the_kernels_value_agrees_with_double_precision(
    case: tuple[Divergence, float],
) -> None:
    divergence, order = case
    force = divergence.force(order)
    if force == KL:
        return
    for seed in range(5):
        log_h, log_g = (each.astype(np.float32) for each in neighbourhoods(seed))
        twin = value(force, log_h.astype(np.float64), log_g.astype(np.float64))
        assert divergence_value(force, log_h, log_g) == pytest.approx(twin, rel=1e-9)
    far = np.linspace(-1e8, 0.0, 9, dtype=np.float32)
    assert np.isfinite(divergence_value(force, far, far[::-1].copy()))


# Limits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "order", "other"),
    [
        ("beta", 1.0, "kl"),
        ("alpha", 1.0, "kl"),
        ("tsallis", 1.0, "kl"),
        ("renyi", 1.0, "kl"),
        ("beta", 0.0, "itakura-saito"),
        ("beta", 2.0, "euclidean"),
        ("gamma", 1.0, "cauchy-schwarz"),
        ("tsallis", 0.5, "hellinger"),
    ],
)
def test_that_families_meet_their_members(key: str, order: float, other: str) -> None:
    log_h, log_g = neighbourhoods()
    assert force_of(key, order) == force_of(other)
    expected = twins.VALUES[other](np.exp(log_h), np.exp(log_g), 0.0)
    close(value(force_of(key, order), log_h, log_g), expected)
    # And come near them without a jump.
    near = force_of(key, order + 1e-9)
    assert near != force_of(other)
    close(value(near, log_h, log_g), expected, 1e-7)
    for ours, twin in zip(
        parts(near, log_h, log_g), parts(force_of(other), log_h, log_g), strict=True
    ):
        close(ours, twin, 1e-7)
