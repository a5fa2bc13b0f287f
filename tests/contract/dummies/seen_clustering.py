"""Where a way to cluster appears; run with the plugin that adds it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.contract.dummies.clustering import DUMMY
from ximstudio.export.methods_text import methods_text
from ximstudio.export.wording.described import Described
from ximstudio.maps.clusters import clustering_named, find_clusters
from ximstudio.model import Matrix
from ximstudio.prepare.input import Input
from ximstudio.train import method_named, train


def test_that_the_methods_text_tells_the_dummy() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(30, 3)))
    method = method_named("som")
    params = method.params.from_values({"shape": (3, 4), "n_steps": 100})
    result = train(matrix, method, params)
    described = Described(result=result, matrix=matrix, input=Input(name="table.csv"))
    found = find_clusters(described.result, matrix, way=clustering_named(DUMMY.key))
    text = methods_text([replace(described, clustering=found)])
    assert f"by {DUMMY.in_text} [" in " ".join(text.paragraphs)
    assert set(DUMMY.works) <= set(text.references)
