"""Decoys and zeros of a table of proteins, from its file to the repaired table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.contract.troublesome.proteomics import MAXQUANT
from ximstudio.doctor import Finding, examine_input
from ximstudio.load import Choices
from ximstudio.prepare.input import Input


def findings_of(path: Path, choices: Choices) -> dict[str, Finding]:
    wanted = Input(name=str(path), choices=choices)
    labelled = wanted.read()
    found = examine_input(wanted, labelled, labelled.table)
    return {finding.key: finding for finding in found}


def test_that_zeros_and_decoys_are_found_and_set_right(tmp_path: Path) -> None:
    path = tmp_path / MAXQUANT.name
    path.write_bytes(MAXQUANT.content)
    found = findings_of(path, Choices())
    zeros = found["zero_intensities"]
    assert [(address.item, address.feature) for address in zeros.addresses] == [(1, 1)]
    decoys = found["decoys"]
    assert [address.item for address in decoys.addresses] == [2, 3, 4]
    cleared = decoys.repairs[0].recipe.prepare(Input(name=str(path)).read().table).table
    assert cleared.items.names == ("P04637", "P38398")
    choices = Choices().replace(**zeros.repairs[0].choices)
    table = Input(name=str(path), choices=choices).read().table
    assert np.isnan(table.dense[1, 1])
    assert table.n_missing == 1
    assert "zero_intensities" not in findings_of(path, choices)
    kept = Choices().replace(**zeros.repairs[1].choices)
    assert "zero_intensities" not in findings_of(path, kept)


def test_that_zeros_of_counted_spectra_are_values(tmp_path: Path) -> None:
    path = tmp_path / "combined_protein.tsv"
    rows = "".join(f"P0000{n}\tG{n}A\t{n % 3}\t{n}\n" for n in range(9))
    path.write_text(f"Protein ID\tGene\twt Spectral Count\tko Spectral Count\n{rows}")
    assert "zero_intensities" not in findings_of(path, Choices())
