"""The divergences as their formulas stand in the books, from h and g themselves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ximstudio.model.arrays import Floats


def kl(h: Floats, g: Floats, _: float) -> float:
    return float((h * np.log(h / g) - h + g).sum())


def itakura_saito(h: Floats, g: Floats, _: float) -> float:
    return float((h / g - np.log(h / g) - 1.0).sum())


def euclidean(h: Floats, g: Floats, _: float) -> float:
    return float(0.5 * ((h - g) ** 2).sum())


def beta(h: Floats, g: Floats, s: float) -> float:
    first = h * (h ** (s - 1.0) - g ** (s - 1.0)) / (s - 1.0)
    return float((first - (h**s - g**s) / s).sum())


def alpha(h: Floats, g: Floats, s: float) -> float:
    return float((h**s * g ** (1.0 - s) - s * h + (s - 1.0) * g).sum() / (s * (s - 1.0)))


def tsallis(h: Floats, g: Floats, s: float) -> float:
    return s * alpha(h, g, s)


def renyi(h: Floats, g: Floats, s: float) -> float:
    return float(np.log(1.0 + s * (s - 1.0) * alpha(h, g, s)) / (s - 1.0))


def hellinger(h: Floats, g: Floats, _: float) -> float:
    return float(((np.sqrt(h) - np.sqrt(g)) ** 2).sum())


def gamma(h: Floats, g: Floats, s: float) -> float:
    return float(
        np.log((h ** (s + 1.0)).sum()) / (s * (s + 1.0))
        + np.log((g ** (s + 1.0)).sum()) / (s + 1.0)
        - np.log((h * g**s).sum()) / s
    )


def cauchy_schwarz(h: Floats, g: Floats, _: float) -> float:
    return float(0.5 * np.log((g**2).sum() * (h**2).sum()) - np.log((h * g).sum()))


def jensen_shannon(h: Floats, g: Floats, _: float) -> float:
    return float(0.5 * (h * np.log(2.0 * h / (h + g)) + g * np.log(2.0 * g / (h + g))).sum())


VALUES: dict[str, Callable[[Floats, Floats, float], float]] = {
    "kl": kl,
    "itakura-saito": itakura_saito,
    "euclidean": euclidean,
    "beta": beta,
    "alpha": alpha,
    "tsallis": tsallis,
    "renyi": renyi,
    "hellinger": hellinger,
    "gamma": gamma,
    "cauchy-schwarz": cauchy_schwarz,
    "jensen-shannon": jensen_shannon,
}
"""Div(h‖g) of one item at some order, by the key of the divergence."""
