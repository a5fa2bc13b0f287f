"""Gene sets from files and lists."""

from __future__ import annotations

import contextlib
import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.load.annotation.gene_sets import (
    GeneSet,
    read_gene_sets,
    read_gmt,
    read_gmx,
    read_list,
)
from ximstudio.load.source import Source
from ximstudio.model import UserError

GMT = "RIBOSOME\thttp://sets\tRPL3\tRPL4\tRPS6\nGLYCOLYSIS\tna\tHK1\tPFKM\n"


def text(content: str) -> Source:
    return Source.pasted(content)


def keys(notes: tuple[object, ...]) -> list[str]:
    return [note.key for note in notes]  # type: ignore[attr-defined]


def refusal(content: str) -> UserError:
    with pytest.raises(UserError) as caught:
        read_gmt(text(content))
    return caught.value


def test_that_a_line_is_a_set() -> None:
    read = read_gmt(text(GMT))
    assert read.sets == (
        GeneSet(name="RIBOSOME", description="http://sets", members=("RPL3", "RPL4", "RPS6")),
        GeneSet(name="GLYCOLYSIS", description="", members=("HK1", "PFKM")),
    )
    assert read.format == "gmt"
    assert read.notes == ()


@pytest.mark.parametrize(
    "content",
    [
        GMT.replace("\n", "\r\n"),
        "\ufeff" + GMT,
        GMT.rstrip("\n"),
        "\n" + GMT + "\n\n",
        GMT.replace("HK1", "\tHK1\t "),
        GMT.replace("RPL3", " RPL3 "),
    ],
    ids=["crlf", "bom", "no end", "blank lines", "blank fields", "white space"],
)
def test_that_peculiar_files_read_the_same(content: str) -> None:
    assert read_gmt(text(content)).sets == read_gmt(text(GMT)).sets


def test_that_a_compressed_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sets.gmt.gz"
    path.write_bytes(gzip.compress(GMT.encode()))
    assert read_gene_sets(Source.at(path)).sets == read_gmt(text(GMT)).sets


def test_that_a_member_named_twice_counts_once_and_is_told() -> None:
    read = read_gmt(text("A\tna\tx\ty\tx\n"))
    assert read.sets[0].members == ("x", "y")
    assert keys(read.notes) == ["load.gene_set_repeats"]


def test_that_a_set_without_members_is_kept_and_told() -> None:
    read = read_gmt(text("A\tna\nB\nC\tna\tx\n"))
    assert [(one.name, one.members) for one in read.sets] == [("A", ()), ("B", ()), ("C", ("x",))]
    assert keys(read.notes) == ["load.gene_set_empty"] * 2


def test_that_a_set_repeated_alike_is_told_and_another_of_its_name_is_refused() -> None:
    read = read_gmt(text("A\tna\tx\ty\nA\tna\ty\tx\n"))
    assert len(read.sets) == 1
    assert keys(read.notes) == ["load.gene_set_twice"]
    error = refusal("A\tna\tx\ty\nB\tna\tx\nA\tna\tz\n")
    assert error.keys == ("load.gene_set_name_twice",)
    assert "lines 1 and 3" in error.problems[0].where


def test_that_a_set_without_a_name_is_refused_with_its_line() -> None:
    error = refusal("A\tna\tx\n\tna\ty\n")
    assert error.keys == ("load.gene_set_unnamed",)
    assert "line 2" in error.problems[0].where


@pytest.mark.parametrize("content", ["", " \n\t\n"])
def test_that_an_empty_file_is_refused(content: str) -> None:
    assert refusal(content).keys == ("load.empty",)
    with pytest.raises(UserError) as caught:
        read_gene_sets(text(content))
    assert caught.value.keys == ("load.empty",)


def test_that_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sets.gmt"
    path.write_bytes(b"A\tna\tx\0y\n")
    with pytest.raises(UserError) as caught:
        read_gene_sets(Source.at(path))
    assert caught.value.keys == ("load.not_text",)


def test_that_columns_of_a_gmx_are_sets() -> None:
    content = "RIBOSOME\tGLYCOLYSIS\nna\tna\nRPL3\tHK1\nRPL4\tPFKM\nRPS6\t\n"
    expected = (
        GeneSet(name="RIBOSOME", description="", members=("RPL3", "RPL4", "RPS6")),
        GeneSet(name="GLYCOLYSIS", description="", members=("HK1", "PFKM")),
    )
    assert read_gmx(text(content)).sets == expected
    guessed = read_gene_sets(text(content))
    assert guessed.format == "gmx"
    assert guessed.sets == expected


def test_that_a_gmx_whose_sets_differ_much_in_length_keeps_members_in_their_columns() -> None:
    content = "A\tB\nna\tna\nx\t\ny\t\nz\tw\n"
    assert [one.members for one in read_gmx(text(content)).sets] == [("x", "y", "z"), ("w",)]


@pytest.mark.parametrize(
    "content",
    [
        "TP53\nBRCA1\nEGFR\n",
        "TP53, BRCA1; EGFR",
        "TP53 BRCA1\r\nEGFR",
        "# my genes\nTP53\n\nBRCA1\n'EGFR'\n",
    ],
    ids=["lines", "commas", "mixed", "comment"],
)
def test_that_a_pasted_list_is_one_set(content: str) -> None:
    read = read_gene_sets(text(content))
    assert read.format == "list"
    assert [one.members for one in read.sets] == [("TP53", "BRCA1", "EGFR")]


def test_that_a_list_is_called_as_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mygenes.txt"
    path.write_text("TP53\n")
    assert read_list(Source.at(path)).sets[0].name == "mygenes"
    assert read_list(Source.at(path), name="other").sets[0].name == "other"


def test_that_a_format_can_be_chosen_and_an_unknown_one_is_refused() -> None:
    assert read_gene_sets(text("A\tna\n"), format="gmt").sets[0].name == "A"
    with pytest.raises(UserError) as caught:
        read_gene_sets(text(GMT), format="xml")
    assert caught.value.keys == ("load.gene_set_format",)


WORDS = st.text(st.sampled_from("ABCabc123-."), min_size=1, max_size=6)


@given(st.dictionaries(WORDS, st.lists(WORDS, min_size=1, unique=True), min_size=1, max_size=6))
def test_that_any_sets_written_as_gmt_read_back_equal(sets: dict[str, list[str]]) -> None:
    content = "".join(f"{name}\tabout\t" + "\t".join(g) + "\n" for name, g in sets.items())
    read = read_gmt(text(content))
    assert {one.name: list(one.members) for one in read.sets} == sets


@given(st.binary(max_size=300))
def test_that_any_bytes_are_sets_or_refused(data: bytes) -> None:
    with contextlib.suppress(UserError):
        read = read_gene_sets(Source.pasted(data.decode("latin-1")))
        assert all(one.name for one in read.sets)
