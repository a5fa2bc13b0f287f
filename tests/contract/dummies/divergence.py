"""A member of the β-divergences as one of its own, added before the parameters list it."""

from __future__ import annotations

from tests import divergences as twins
from ximstudio.train import divergences
from ximstudio.train.divergences import Divergence, beta_force

DUMMY = Divergence(
    key="dummy",
    name="Basu",
    formula="2 h (√h − √g) − ⅔ (h√h − g√g)",
    usual=1.5,
    force=beta_force,
    in_text="density power divergence",
    in_force="force h√g − g√g of neighbours and strangers",
)

divergences.DIVERGENCES = (*divergences.DIVERGENCES, DUMMY)

# Every divergence has a slow twin, which the contract asks for.
twins.VALUES[DUMMY.key] = lambda h, g, _: twins.beta(h, g, 1.5)
twins.PARTS[DUMMY.key] = lambda h, g, _: (h * g**0.5, g**1.5)
