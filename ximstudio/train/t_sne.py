"""t-SNE: keep neighbours in the data as neighbours in the map, with a heavy tail in the map."""

from __future__ import annotations

from ximstudio.train.method import Introduction, Method
from ximstudio.train.sne_family import OPEN_TSNE, POLICAR, VAN_DER_MAATEN, sne_problems, train_sne
from ximstudio.train.sne_params import TSneParams

KOBAK = (
    "D. Kobak et al., Heavy-tailed kernels reveal a finer cluster structure in t-SNE"
    " visualisations, European Conference on Machine Learning (ECML PKDD) (2019)."
)

METHOD = Method(
    key="t-sne",
    name="t-SNE",
    summary="Keeps neighbours together and shows clear groups; distances between groups mean"
    " little.",
    equations="van der Maaten and Hinton 2008, by openTSNE",
    introduction=Introduction(
        what="t-distributed stochastic neighbour embedding, as implemented in openTSNE",
        works=(VAN_DER_MAATEN, POLICAR),
    ),
    params=TSneParams,
    package=OPEN_TSNE,
    train=train_sne,
    problems=sne_problems,
)
