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


def shares(values: Floats) -> Floats:
    return np.asarray(values / values.sum())


def jensen_shannon_parts(h: Floats, g: Floats, _: float) -> tuple[Floats, Floats]:
    return 0.5 * g * np.log((h + g) / g), 0.5 * g * np.log(2.0)


def renyi_parts(h: Floats, g: Floats, s: float) -> tuple[Floats, Floats]:
    one_and_s = 1.0 + s * (s - 1.0) * alpha(h, g, s)
    return h**s * g ** (1.0 - s) / one_and_s, g / one_and_s


PARTS: dict[str, Callable[[Floats, Floats, float], tuple[Floats, Floats]]] = {
    "kl": lambda h, g, _: (h, g),
    "itakura-saito": lambda h, g, _: (h / g, np.ones_like(g)),
    "euclidean": lambda h, g, _: (h * g, g * g),
    "beta": lambda h, g, s: (h * g ** (s - 1.0), g**s),
    "alpha": lambda h, g, s: (h**s * g ** (1.0 - s) / s, g / s),
    "tsallis": lambda h, g, s: (h**s * g ** (1.0 - s), g),
    "renyi": renyi_parts,
    "hellinger": lambda h, g, _: (np.sqrt(h * g), g),
    "gamma": lambda h, g, s: (shares(h * g**s), shares(g ** (s + 1.0))),
    "cauchy-schwarz": lambda h, g, _: (shares(h * g), shares(g * g)),
    "jensen-shannon": jensen_shannon_parts,
}
"""Attraction a and repulsion b of one item at some order."""
SHARES = {"gamma", "cauchy-schwarz"}
"""Divergences whose parts sum up to 1 over the nodes."""
