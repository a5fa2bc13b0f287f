"""The methods text of one map, of several, of descendants, and of what was found about them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ximstudio.export.methods_text import MethodsText, methods_text, session_methods
from ximstudio.export.wording.described import Described, described
from ximstudio.export.wording.finding_clauses import SOFTWARE, text_measures
from ximstudio.load.samples import samples
from ximstudio.maps.clusters import CLUSTERINGS, clusterings_of, find_clusters
from ximstudio.maps.stability import MapStability
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.protocol import compare
from ximstudio.model import Matrix
from ximstudio.model.citations import REPORT
from ximstudio.place import MAPPINGS
from ximstudio.prepare.input import Input, Joining
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session.run import Run
from ximstudio.session.session import Session
from ximstudio.train import method_named, train
from ximstudio.train.continued import continued_again
from ximstudio.train.part import part_of

FEW: dict[str, Any] = {"shape": (4, 5), "n_steps": 50}


def mapped(matrix: Matrix, key: str = "c-xim", *, seed: int = 0, **changes: Any) -> Described:
    way = method_named(key)
    few = {name: value for name, value in FEW.items() if name in way.params.specs()}
    result = train(matrix, way, way.params(**(few | changes)), seed=seed)
    return Described(result=result, matrix=matrix, input=Input(name="/data/table.csv"))


@pytest.fixture(scope="module")
def one(yeast: Matrix) -> Described:
    return mapped(yeast)


def whole(text: MethodsText) -> str:
    return " ".join(text.paragraphs)


def held_to_form(text: MethodsText) -> None:
    """What no text may have: gaps, noise, citations that lead nowhere, sentences without an end."""
    told = whole(text)
    assert not re.search(r"  | \.|\.\.|None|nan|\d\.\d{7}|\bitems? items?\b", told)
    assert all(paragraph.endswith(".") for paragraph in text.paragraphs)
    cited = {
        int(number)
        for group in re.findall(r"\[(\d+(?:, \d+)*)(?:, eqs? [^\]]*)?\]", told)
        for number in group.split(", ")
    }
    assert cited == set(range(1, len(text.references) + 1))
    assert len(set(text.references)) == len(text.references)


def test_that_the_text_tells_the_table_and_the_numbers(one: Described, yeast: Matrix) -> None:
    text = methods_text([one])
    held_to_form(text)
    told = whole(text)
    for number in (yeast.n_items, yeast.n_features, yeast.n_missing, 50, 0.25, "4 × 5"):
        assert str(number) in told
    assert "'table.csv'" in told
    assert "/data" not in told


def test_that_the_references_follow_the_text(one: Described) -> None:
    text = methods_text([one])
    works = {work for way in CLUSTERINGS for work in way.works}
    works |= {work for rule in MAPPINGS for work in rule.works}
    software = {work for _, work in SOFTWARE.values()}
    assert REPORT in text.references
    assert set(text.references) <= {REPORT, *works, *software}
    assert text.plain.endswith(text.references[-1] + "\n")
    assert f"{len(text.references)}. {text.references[-1]}" in text.markdown


def test_that_items_are_called_as_their_names_look(one: Described) -> None:
    assert "genes" in whole(methods_text([one]))
    told = whole(methods_text([one], words=("cell", "protein")))
    assert "cells" in told
    assert "items" not in told


def test_that_the_steps_that_were_on_are_told(one: Described) -> None:
    on, off = planned("log2", offset=1.0), replace(planned("square_root"), on=False)
    given = replace(one.input, recipe=Recipe.of(on, off), joinings=(Joining(name="x/labels.txt"),))
    text = methods_text([replace(one, input=given)])
    held_to_form(text)
    assert "log2(x + 1)" in text.paragraphs[0]
    assert "square root" not in text.paragraphs[0]
    assert "'labels.txt'" in text.paragraphs[0]


def test_that_a_sample_is_cited(one: Described) -> None:
    text = methods_text([replace(one, input=Input(name="sample:yeast"))])
    held_to_form(text)
    assert text.references[0].rstrip(".") in samples()["yeast"].citation


def test_that_seeds_of_equal_settings_are_told_together(one: Described, yeast: Matrix) -> None:
    text = methods_text([one, mapped(yeast, seed=7)])
    held_to_form(text)
    assert len(text.paragraphs) == len(methods_text([one]).paragraphs)
    assert "0 and 7" in whole(text)


def test_that_what_maps_share_is_said_once_and_of_whom(yeast: Matrix) -> None:
    som, xim = mapped(yeast, "som"), mapped(yeast, "c-xim")
    text = methods_text([som, xim])
    held_to_form(text)
    assert "those of SOM" in text.paragraphs[2]
    assert "4 × 5" not in text.paragraphs[2]
    # What the earlier map has and the later has not would be told of both.
    pinned = mapped(yeast, "som", anchors=(f"3={yeast.item_ids[0]}",))
    assert "those of SOM" not in methods_text([pinned, xim]).paragraphs[2]


def test_that_measures_are_told_with_their_values(one: Described, yeast: Matrix) -> None:
    values = {"trustworthiness": 0.8761, "continuity": 0.9, "sammon": 0.1, "spearman": -0.25}
    measures = {key: Estimate(value) for key, value in values.items()}
    assert set(values) == {measure.key for measure in text_measures()}
    told = methods_text([replace(one, measures=measures)])
    held_to_form(told)
    for number in ("T = 0.876", "C = 0.900", "E = 0.100", "ρ = −0.250"):
        assert number in whole(told)
    sampled = measures | {"sammon": Estimate(0.1, 0.002)}
    assert "E = 0.100 ± 0.002" in whole(methods_text([replace(one, measures=sampled)]))
    two = methods_text([replace(one, measures=measures), mapped(yeast, "pca")])
    held_to_form(two)


def test_that_clusters_of_every_kind_are_told(one: Described) -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(30, 3)))
    other = mapped(matrix)
    for way in clusterings_of(other.result):
        found = find_clusters(other.result, matrix, way=way)
        text = methods_text([replace(other, clustering=found)])
        held_to_form(text)
        assert way.in_text in whole(text).replace("’", "'")
        assert set(way.works) <= set(text.references)
    assert len(methods_text([one]).paragraphs) == 3


def test_that_descendants_tell_where_they_come_from(one: Described) -> None:
    some = part_of(one.result, one.matrix, items=one.matrix.item_ids[:30])
    part = Described(result=some.train(), matrix=some.matrix, input=one.input, parent=one)
    more = continued_again(part.result, part.matrix)
    further = replace(part, result=more.train(), parent=part)
    for each in (part, further, replace(further, parent=None)):
        held_to_form(methods_text([each]))
    table = methods_text([one]).paragraphs[0]
    assert methods_text([further]).paragraphs[0] == table
    assert methods_text([one, part, further]).paragraphs.count(table) == 1


def test_that_pca_is_not_said_to_leave_blanks_out(yeast: Matrix, one: Described) -> None:
    pca = mapped(yeast, "pca")
    alone = methods_text([pca])
    assert "training used" not in whole(alone)
    assert any("Srebro" in text for text in alone.references)
    assert "distances and training used" in whole(methods_text([pca, one]))
    full = mapped(Matrix.from_array(np.arange(12.0).reshape(4, 3) ** 2), "pca")
    assert not any("Srebro" in text for text in methods_text([full]).references)


def test_that_a_name_with_an_apostrophe_stays_a_name(one: Described) -> None:
    told = replace(one, input=Input(name="/data/Ada's items and features.csv"))
    text = whole(methods_text([told], words=("gene", "sample")))
    assert "Ada’s items and features.csv" in text
    assert not re.search(r"\bitems?\b", text.replace("Ada’s items", ""))


def test_that_a_stopped_training_is_told(one: Described) -> None:
    stopped = replace(one.result, step=20)
    assert "20 of 50 steps" in whole(methods_text([replace(one, result=stopped)]))


def test_that_epochs_are_counted_as_epochs_and_those_that_were_not_needed_are_told(
    yeast: Matrix,
) -> None:
    batch = mapped(yeast, algorithm="batch", n_epochs=6)
    assert "6 epochs" in whole(methods_text([batch]))
    stopped = replace(batch.result, step=4)
    assert "4 of 6 epochs" in whole(methods_text([replace(batch, result=stopped)]))
    rested = mapped(yeast, algorithm="batch", n_epochs=40, annealing="constant", tolerance=1.0)
    assert rested.result.finished
    assert rested.result.step < 40
    assert f"after {rested.result.step} epoch" in whole(methods_text([rested]))


def test_that_no_more_prototypes_are_told_than_there_are(yeast: Matrix) -> None:
    assert "its 12 nearest prototypes" in whole(methods_text([mapped(yeast)]))
    few = whole(methods_text([mapped(yeast, shape=(3, 3))]))
    assert "over all prototypes" in few
    assert "12 nearest" not in few


def test_that_prototypes_which_are_items_are_not_said_to_go_a_share_of_their_way() -> None:
    apart = np.abs(np.subtract.outer(np.arange(9.0), np.arange(9.0)))
    for kind, goes in (("relational", True), ("median", False)):
        how: dict[str, Any] = {"metric": "precomputed", "relational": kind, "n_epochs": 3}
        one = mapped(Matrix.from_array(apart), "som", **how)
        assert ("λ = 0.5" in whole(methods_text([one]))) is goes


def test_that_repetitions_are_told() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(30, 3)))
    maps = [mapped(matrix, "pca"), mapped(matrix, "som")]
    entries = [(each.method, each.result.params) for each in maps]
    *_, last = compare(matrix, entries, runs=2, share=0.9)
    again = MapStability(
        wander=np.full(30, 0.125),
        ridges=None,
        null=None,
        runs=3,
        n_made=3,
        nulls=0,
        share=0.8,
        seed=0,
    )
    text = methods_text([maps[0], replace(maps[1], stability=again)], comparison=last.comparison)
    held_to_form(text)
    for number in ("0.12", "80 %", "90 %", "27 rows", "seeds 0 to 1"):
        assert number in whole(text)


def test_that_the_runs_of_a_session_are_told(one: Described) -> None:
    run = Run(key="a", name="first", result=one.result, matrix=one.matrix, input=one.input)
    session = Session(runs=(run, replace(run, key="b", name="second")))
    assert session_methods(session, ["a"]) == methods_text([described(run)])
    held_to_form(session_methods(session))
