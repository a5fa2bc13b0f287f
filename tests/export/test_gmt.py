"""Named sets written as GMT."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.export.gmt import write_gmt
from ximstudio.load.annotation.gene_sets import read_gmt
from ximstudio.load.source import Source
from ximstudio.model import UserError
from ximstudio.model.named_set import NamedSet, SetSide

WORDS = st.text(st.sampled_from("aBé12 -.,;'\"βü"), min_size=1, max_size=8).map(str.strip)
SETS = st.dictionaries(
    WORDS.filter(bool),
    st.tuples(WORDS, st.lists(WORDS.filter(bool), unique=True, max_size=5)),
    min_size=1,
    max_size=5,
)


def tidy(text: str) -> str:
    return " ".join(text.split())


@given(SETS)
def test_that_written_sets_read_back_equal(
    tmp_path_factory: pytest.TempPathFactory, given_sets: dict[str, tuple[str, list[str]]]
) -> None:
    sets = {tidy(name): one for name, one in given_sets.items()}
    path = tmp_path_factory.mktemp("sets") / "sets.gmt"
    write_gmt(path, [NamedSet.of(name, m, note=about) for name, (about, m) in sets.items()])
    read = read_gmt(Source.at(path)).sets
    assert [(one.name, one.description, one.members) for one in read] == [
        (name, tidy(about), tuple(dict.fromkeys(map(tidy, members))))
        for name, (about, members) in sets.items()
    ]


def test_that_white_space_cannot_break_the_file(tmp_path: Path) -> None:
    one = NamedSet.of("my\tset\n", ["a\tb", "c\r\nd"], side=SetSide.FEATURES, note="two\nlines")
    write_gmt(tmp_path / "x.gmt", [one])
    (read,) = read_gmt(Source.at(tmp_path / "x.gmt")).sets
    assert (read.name, read.description, read.members) == ("my set", "two lines", ("a b", "c d"))


def test_that_sets_that_could_not_be_told_apart_are_refused_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.gmt"
    with pytest.raises(UserError) as caught:
        write_gmt(path, [NamedSet.of(name, ["a"]) for name in ("x", " ", "x ")])
    assert caught.value.keys == ("export.set_unnamed", "export.set_name_twice")
    assert list(tmp_path.iterdir()) == []


def test_that_what_cannot_be_written_leaves_the_earlier_file(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        write_gmt(tmp_path / "none" / "x.gmt", [NamedSet.of("x", ["a"])])
    assert caught.value.keys == ("prepare.unwritable",)
