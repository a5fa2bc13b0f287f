"""Layers of sets: shares of members, and means of features over the nodes of a map."""

from __future__ import annotations

import numpy as np

from tests.ui.maps_to_show import run_of, some_matrix
from ximstudio.explore.set_layers import MEAN, SHARE, set_layers
from ximstudio.maps import LayerEvidence
from ximstudio.maps.layer import Layer
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.result import PrototypeMap

MEMBERS = NamedSet.of("first ten", [f"YBR{number:03d}W" for number in range(10)])
STRESS = NamedSet.of("stress", ("heat", "salt", "not there"), side=SetSide.FEATURES)


def evidence() -> LayerEvidence:
    return LayerEvidence(result=run_of("som").result, matrix=some_matrix())


def layer(key: str) -> Layer:
    return next(one for one in set_layers((MEMBERS, STRESS)) if one.key == key)


def test_that_there_are_layers_only_for_sets_there_are() -> None:
    assert set_layers(()) == ()
    assert [one.key for one in set_layers((MEMBERS,))] == [SHARE]
    assert [one.key for one in set_layers((STRESS,))] == [MEAN]
    assert layer(SHARE).options(evidence().result, some_matrix()) == ("first ten",)


def test_that_the_share_of_a_set_is_that_of_the_nodes_members() -> None:
    found = layer(SHARE).of(evidence(), "first ten")

    winners = evidence().winners
    for node in range(48):
        here = np.flatnonzero(winners == node)
        if len(here):
            assert found[node] == np.mean([number < 10 for number in here])
        else:
            assert np.isnan(found[node])


def test_that_the_mean_of_a_set_is_that_of_its_features_as_z_scores() -> None:
    found = layer(MEAN).of(evidence(), "stress")

    model, values = evidence().result.model, some_matrix().values
    assert isinstance(model, PrototypeMap)
    scores = [
        (model.prototypes[:, column] - np.nanmean(values[:, column]))
        / np.nanstd(values[:, column], ddof=1)
        for column in (0, 2)
    ]
    np.testing.assert_allclose(found, np.mean(scores, axis=0))


def test_that_a_set_of_which_nothing_is_there_has_no_values() -> None:
    strange = NamedSet.of("strange", ("nothing",), side=SetSide.FEATURES)
    (made,) = set_layers((strange,))

    assert np.isnan(made.of(evidence(), "strange")).all()
