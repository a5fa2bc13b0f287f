"""Kinds of rows and columns: by format, by names, by shape, or as the user says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ximstudio.load import Choices, read
from ximstudio.load.format import every_format
from ximstudio.load.sides import KINDS, decided, guessed, kind_named, with_genes
from ximstudio.model.table import FEATURES, GENES, ITEMS, SAMPLES, Axis, Table

ORFS = tuple(f"YAL{number:03}C" for number in range(1, 41))
PROTEINS = tuple(f"P{number:05}" for number in range(10000, 10040))
BARCODES = tuple(f"{'ACGT' * 3}{a}{b}-1" for a in "ACGT" for b in "ACGT")
CONTROLS = tuple(f"control {number}" for number in range(6))
MEASURED = ("alcohol", "malic_acid", "ash", "magnesium", "hue")
COUNTRIES = ("Chad", "Peru", "Fiji", "Iran", "Iraq", "Cuba", "Oman")
TISSUES = ("Liver", "Kidney", "Brain", "Heart", "Lung")
ENSEMBL = tuple(f"ENSG{number:011}" for number in range(20))
SYMBOLS = tuple(f"{a}{b}{c}{n}" for a in "KLRT" for b in "AIOM" for c in "DPS" for n in (1, 2, 7))
CONTIGS = tuple(f"contig_{number}|m.{number}" for number in range(200))


@pytest.mark.parametrize(
    ("rows", "columns", "kinds"),
    [
        (ORFS, CONTROLS, ("gene", "sample")),
        (CONTROLS, ORFS, ("sample", "gene")),
        (PROTEINS, CONTROLS, ("protein", "sample")),
        (CONTIGS, BARCODES, ("gene", "cell")),
        (tuple(map(str, range(1, 179))), MEASURED, ("sample", "measurement")),
        (tuple(f"row {number}" for number in range(1, 51)), MEASURED, ("sample", "measurement")),
        (MEASURED, CONTROLS, ("measurement", "sample")),
        (("a1b", "c2d"), ("e3f", "g4h", "i5j"), ("row", "column")),
        (ENSEMBL, TISSUES, ("gene", "sample")),
        (TISSUES, ENSEMBL, ("sample", "gene")),
        (SYMBOLS, TISSUES, ("gene", "sample")),
        (TISSUES, SYMBOLS, ("sample", "gene")),
        (SYMBOLS[:8], TISSUES, ("row", "column")),
    ],
)
def test_that_names_tell_what_rows_and_columns_are(
    rows: tuple[str, ...], columns: tuple[str, ...], kinds: tuple[str, str]
) -> None:
    found = guessed(rows, columns)
    assert (found.rows.one, found.columns.one) == kinds
    assert {found.rows.side, found.columns.side} == {GENES, SAMPLES}
    assert found.reason


def test_that_measurements_of_wine_are_no_genes(tmp_path: Path) -> None:
    path = tmp_path / "wine.csv"
    rows = [",".join(f"{value:.2f}" for value in line) for line in np.ones((178, 5)) * 3.7]
    path.write_text("\n".join([",".join(MEASURED), *rows]), encoding="utf-8")
    table = read(str(path)).table
    assert (table.items.kind, table.features.kind) == ("sample", "measurement")
    # What was measured is on the genes' side, where filters and scales are by default.
    assert table.genes == FEATURES


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    path = tmp_path / "counts.tsv"
    lines = ["\t".join(["id", *CONTROLS])]
    lines += ["\t".join([name, *["3.5"] * 6]) for name in ORFS]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_that_it_does_not_matter_which_side_is_mapped(counts: Path) -> None:
    for items, genes in (("rows", ITEMS), ("columns", FEATURES)):
        reading = read(str(counts), Choices(items=items))
        assert reading.table.genes == genes
        told = {guess.key: guess.value for guess in reading.guesses}
        assert (told["rows"], told["columns"]) == ("genes", "samples")


@pytest.mark.parametrize(
    ("said", "kinds", "genes"),
    [
        ({"rows": "proteins"}, ("protein", "sample"), ITEMS),
        ({"columns": "patients"}, ("gene", "patient"), ITEMS),
        ({"rows": "samples"}, ("sample", "gene"), FEATURES),
        ({"rows": "Wines"}, ("wine", "sample"), ITEMS),
        ({"rows": "cells", "columns": "taxa"}, ("cell", "taxon"), FEATURES),
        ({"rows": "genes", "columns": "genes"}, ("gene", "gene"), ITEMS),
    ],
)
def test_that_a_user_has_the_last_word(
    counts: Path, said: dict[str, str], kinds: tuple[str, str], genes: str
) -> None:
    reading = read(str(counts), Choices.from_values(said))
    assert (reading.table.items.kind, reading.table.features.kind) == kinds
    assert reading.table.genes == genes
    assert all(guess.sure for guess in reading.guesses if guess.key in ("rows", "columns"))


def test_that_every_word_on_offer_is_understood() -> None:
    for kind in KINDS:
        assert kind_named(kind.several) == kind_named(kind.one) == kind
    for form in every_format():
        sides = {kind_named(word).side for word in (form.rows, form.columns) if word}
        assert sides in ({GENES, SAMPLES}, set())


def test_that_a_record_of_before_keeps_its_genes_where_they_were() -> None:
    table = Table(
        values=np.ones((len(ORFS), 6)),
        items=Axis(names=ORFS),
        features=Axis(names=CONTROLS),
    )
    assert decided(table).genes == ITEMS
    moved = with_genes(table, FEATURES)
    assert moved.genes == FEATURES
    assert (moved.items.kind, moved.features.kind) == ("sample", "gene")
    assert with_genes(moved, FEATURES) is moved


@pytest.mark.parametrize(
    ("header", "kind"),
    [("Lipid,", "metabolite"), ("#OTU ID,", "taxon"), ("id,m/z,", "metabolite"), ("id,", "sample")],
)
def test_that_headers_tell_molecules_and_taxa(tmp_path: Path, header: str, kind: str) -> None:
    cells = "".join(f"{number + 40},1.{number}," for number in range(3))
    path = tmp_path / "table.csv"
    extra = header.count(",") > 1
    lines = [f"{number * 7 + 11},{'99.5,' if extra else ''}{cells}5" for number in range(6)]
    path.write_text("\n".join([f"{header}aa_x,bb_y,cc_z,dd_x,ee_y,ff_z,gg_x", *lines]))
    axis = read(str(path), Choices()).table.items
    assert (axis.kind, axis.side) == (kind, SAMPLES if kind == "sample" else GENES)
