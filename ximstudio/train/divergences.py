"""Divergences between the neighbourhoods in map and data; `DIVERGENCES` lists them.

Each is the value that the gradient rule lowers (TR 11–12). The families of β and α are written with
E(s, u) = (e^(su) − 1)/s, which is u at s = 0, so that they are exact at and near their limits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ximstudio.kernels import divergence as codes
from ximstudio.kernels.divergence import KL, Force
from ximstudio.model.arrays import Floats
from ximstudio.model.registry import named


@dataclass(frozen=True, kw_only=True)
class DivergenceOrder:
    """The order of a family: its symbol, its bounds, and the reason for them."""

    symbol: str
    low: float
    high: float = 5.0
    reason: str


@dataclass(frozen=True, kw_only=True)
class Divergence:
    """One divergence Div(h‖g).

    Parameters
    ----------
    key, name
        For the command line, and for display.
    formula
        Its value, summed over the nodes where no sum is written.
    usual
        The default order; for a divergence without one, its place in its family.
    order
        The allowed orders; None if there is no choice.
    force
        Returns what the kernels need for an order.
    in_text
        Its name in the methods text, where it differs.
    in_force
        Its weighted force in the methods text, where that has a formula.
    """

    key: str
    name: str
    formula: str
    usual: float
    force: Callable[[float], Force]
    order: DivergenceOrder | None = None
    in_text: str = ""
    in_force: str = "weighted force of attraction in the map and repulsion in the data"

    @property
    def words(self) -> str:
        """The divergence in a sentence: "Hellinger divergence"."""
        name = self.in_text or self.name
        return name if "divergence" in name else f"{name} divergence"


def beta_force(beta: float) -> Force:
    """a = h g^(β−1), b = g^β: Kullback–Leibler at 1, Itakura–Saito at 0, Euclidean at 2."""
    if beta == 1.0:
        return KL
    return Force(codes.BETA, beta, 1.0, beta - 1.0, beta, 1.0, codes.NOTHING)


def alpha_force(alpha: float) -> Force:
    """a = h^α g^(1−α)/α, b = g/α: Kullback–Leibler at 1."""
    if alpha == 1.0:
        return KL
    return Force(codes.ALPHA, alpha, alpha, 1.0 - alpha, 1.0, 1.0 / alpha, codes.NOTHING)


def tsallis_force(alpha: float) -> Force:
    """a = h^α g^(1−α), b = g: α times the α-divergence."""
    return KL if alpha == 1.0 else alpha_force(alpha)._replace(factor=1.0)


def renyi_force(alpha: float) -> Force:
    """a = h^α g^(1−α)/(1 + S), b = g/(1 + S)."""
    return KL if alpha == 1.0 else tsallis_force(alpha)._replace(divisor=codes.ONE_PLUS_S)


def gamma_force(order: float) -> Force:
    """a = h g^λ/Σ h g^λ, b = g^(λ+1)/Σ g^(λ+1)."""
    return Force(codes.GAMMA, order, 1.0, order, order + 1.0, 1.0, codes.ITS_SUM)


def jensen_shannon_force(order: float) -> Force:
    """a = ½ g ln(1 + h/g), b = ½ g ln 2."""
    return Force(codes.JENSEN_SHANNON, order, 0.0, 0.0, 0.0, 1.0, codes.NOTHING)


DIVERGENCES: tuple[Divergence, ...] = (
    Divergence(
        key="kl",
        name="Kullback–Leibler",
        formula="h ln(h/g) − h + g",
        usual=1.0,
        force=beta_force,
        in_text="generalised Kullback–Leibler",
        in_force="force (1 − η) h − η g of attraction h in the map and repulsion g in the data",
    ),
    Divergence(
        key="itakura-saito",
        name="Itakura–Saito",
        formula="h/g − ln(h/g) − 1",
        usual=0.0,
        force=beta_force,
    ),
    Divergence(
        key="euclidean",
        name="squared Euclidean",
        formula="½ (h − g)²",
        usual=2.0,
        force=beta_force,
    ),
    Divergence(
        key="beta",
        name="β-divergence",
        formula="h (h^(β−1) − g^(β−1))/(β−1) − (h^β − g^β)/β",
        usual=0.8,
        force=beta_force,
        order=DivergenceOrder(
            symbol="β",
            low=0.0,
            reason="Below 0, repulsion increases with distance.",
        ),
    ),
    Divergence(
        key="alpha",
        name="α-divergence",
        formula="[h^α g^(1−α) − α h + (α−1) g]/(α(α−1))",
        usual=0.8,
        force=alpha_force,
        order=DivergenceOrder(
            symbol="α",
            low=0.05,
            reason="At 0 and below the map no longer attracts, and attraction and repulsion cannot"
            " be weighted.",
        ),
    ),
    Divergence(
        key="tsallis",
        name="Tsallis",
        formula="[h^α g^(1−α) − α h + (α−1) g]/(α−1)",
        usual=0.8,
        force=tsallis_force,
        order=DivergenceOrder(
            symbol="α",
            low=0.05,
            reason="At 0 the divergence is 0 whatever the map, and below it the map repels.",
        ),
    ),
    Divergence(
        key="renyi",
        name="Rényi",
        formula="ln(1 + Σ[h^α g^(1−α) − α h + (α−1) g])/(α−1)",
        usual=1.2,
        force=renyi_force,
        order=DivergenceOrder(
            symbol="α",
            low=1.0,
            reason="Below 1, the logarithm may get a number that is not positive.",
        ),
    ),
    Divergence(
        key="hellinger",
        name="Hellinger",
        formula="(√h − √g)²",
        usual=0.5,
        force=tsallis_force,
    ),
    Divergence(
        key="gamma",
        name="γ-divergence",
        formula="ln Σh^(λ+1)/(λ(λ+1)) + ln Σg^(λ+1)/(λ+1) − ln Σ h g^λ / λ",
        usual=0.2,
        force=gamma_force,
        order=DivergenceOrder(
            symbol="λ",
            low=0.01,
            reason="At 0, the value is undefined (division by 0).",
        ),
    ),
    Divergence(
        key="cauchy-schwarz",
        name="Cauchy–Schwarz",
        formula="½ ln(Σg² Σh²) − ln Σ h g",
        usual=1.0,
        force=gamma_force,
    ),
    Divergence(
        key="jensen-shannon",
        name="Jensen–Shannon",
        formula="½[h ln(2h/(h+g)) + g ln(2g/(h+g))]",
        usual=0.5,
        force=jensen_shannon_force,
    ),
)


def divergence_named(key: str) -> Divergence:
    """Return the divergence with this key; refuse an unknown one with a proposal."""
    return named("divergence", key, DIVERGENCES)


def force_of(key: str, order: float | None = None) -> Force:
    """Return a divergence in the form that kernels use, at its default order if None."""
    divergence = divergence_named(key)
    chosen = divergence.usual if order is None or divergence.order is None else order
    return divergence.force(chosen)


def value(force: Force, log_h: Floats, log_g: Floats) -> Floats:
    """Div(h‖g) over the last axis, from logarithms, so that h and g may underflow."""
    h, g, u = np.exp(log_h), np.exp(log_g), log_h - log_g
    if force.family == codes.GAMMA:
        order = force.order
        return np.asarray(
            _log_sum((order + 1.0) * log_h) / (order * (order + 1.0))
            + _log_sum((order + 1.0) * log_g) / (order + 1.0)
            - _log_sum(log_h + order * log_g) / order
        )
    if force.family == codes.JENSEN_SHANNON:
        terms = h * (np.log(2.0) - np.logaddexp(0.0, -u)) + g * (np.log(2.0) - np.logaddexp(0.0, u))
        return np.asarray(0.5 * terms.sum(axis=-1))
    if force.family == codes.BETA:
        s = force.order
        terms = _growth(s, log_g) - _growth(s, log_h)
        terms += _times(log_h, s - 1.0, log_h) - _times(log_h, s - 1.0, log_g)
        return np.asarray(force.factor * terms.sum(axis=-1))
    found = (_times(log_h, force.order - 1.0, u) - h + g).sum(axis=-1)
    if force.divisor == codes.ONE_PLUS_S:
        return np.asarray(np.log1p((force.order - 1.0) * found) / (force.order - 1.0))
    return np.asarray(force.factor * found)


def parts(force: Force, log_h: Floats, log_g: Floats) -> tuple[Floats, Floats]:
    """Attraction a and repulsion b over the last axis, in double precision."""
    if force.family == codes.JENSEN_SHANNON:
        g = np.exp(log_g)
        return 0.5 * g * np.logaddexp(0.0, log_h - log_g), 0.5 * np.log(2.0) * g
    log_a, log_b = force.p * log_h + force.q * log_g, force.r * log_g
    if force.divisor == codes.ITS_SUM:
        log_a = log_a - _log_sum(log_a)[..., None]
        log_b = log_b - _log_sum(log_b)[..., None]
    elif force.divisor == codes.ONE_PLUS_S:
        # Rényi's value is ln(1 + S)/(α−1).
        log_divisor = ((force.order - 1.0) * value(force, log_h, log_g))[..., None]
        log_a, log_b = log_a - log_divisor, log_b - log_divisor
    return force.factor * np.exp(log_a), force.factor * np.exp(log_b)


def _growth(s: float, u: Floats) -> Floats:
    """E(s, u) = (e^(su) − 1)/s."""
    return u if s == 0.0 else np.asarray(np.expm1(s * u) / s)


def _times(log_h: Floats, s: float, u: Floats) -> Floats:
    """h·E(s, u), also where h underflows and e^(su) overflows."""
    if s == 0.0:
        return np.asarray(np.exp(log_h) * u)
    small = np.abs(s * u) < 1.0
    near = np.exp(log_h) * np.expm1(np.where(small, s * u, 0.0))
    return np.asarray(np.where(small, near, np.exp(log_h + s * u) - np.exp(log_h)) / s)


def _log_sum(exponents: Floats) -> NDArray[np.float64]:
    largest = exponents.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(exponents - largest).sum(axis=-1)) + largest[..., 0])
