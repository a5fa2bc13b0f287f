"""What a record says of everything that the numbers depend on."""

from __future__ import annotations

import json
from dataclasses import replace

from ximstudio import __version__
from ximstudio.export.methods_text import methods_text
from ximstudio.export.origin import origin_record, origin_rows
from ximstudio.export.wording.described import described
from ximstudio.model.made_with import MadeWith
from ximstudio.model.matrix import Matrix
from ximstudio.prepare.input import Input, Joining
from ximstudio.session.run import Run
from ximstudio.session.session import Session
from ximstudio.train import method_named, train
from ximstudio.train.record import made_here, record_of_run, surroundings


def test_that_packages_are_named_where_a_method_needs_them() -> None:
    plain = set(surroundings("c-xim", "pca")["versions"])
    assert {"python", "numpy", "numba"} <= plain
    assert set(surroundings("t-sne", "sne", "pca")["versions"]) == plain | {"openTSNE"}
    assert set(surroundings("umap")["versions"]) == plain | {"umap-learn"}


def test_that_a_map_from_elsewhere_says_what_it_was_made_with(yeast: Matrix) -> None:
    method = method_named("pca")
    elsewhere = MadeWith(program="0.0.9", versions={"numpy": "1.26"}, platform={"system": "other"})
    run = Run(
        key="a",
        name="a",
        result=train(yeast, method, method.params()),
        matrix=yeast,
        input=Input(name="sample:yeast"),
        made_with=elsewhere,
    )
    for record in (record_of_run(run), origin_record(run)):
        assert MadeWith.from_record(record) == elsewhere
    here = record_of_run(replace(run, made_with=None))
    assert MadeWith.from_record(here) == made_here("pca")
    told = methods_text([described(run)]).plain
    assert ("XIM Studio 0.0.9" in told, "1.26" in told, "Python" in told) == (True, True, False)
    both = methods_text([described(run), described(replace(run, name="b", made_with=None))]).plain
    assert all(f"XIM Studio {version}" in both for version in ("0.0.9", __version__))


def test_that_tables_do_not_tell_in_which_folders_files_lie(yeast: Matrix) -> None:
    method = method_named("pca")
    kept = replace(yeast, source="/home/ada/secret/genes.csv")
    run = Run(
        key="a",
        name="a",
        result=train(yeast, method, method.params()),
        matrix=kept,
        input=Input(
            name="/home/ada/secret/genes.csv",
            joinings=(Joining(name="C:\\Users\\ada\\labels.csv"),),
            frozen="/home/ada/first/frozen.npz",
        ),
    )
    session = Session().with_run(run)
    told = [json.dumps(origin_record(run)), *(text for _, text in origin_rows(session))]
    assert not any("ada" in text for text in told)
    assert origin_record(run)["data"]["source"] == "genes.csv"
