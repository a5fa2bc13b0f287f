"""Recognition of names and values."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.load.names import looks_like_genes, looks_like_samples, may_be_gene
from ximstudio.load.scale import looks_logged

GENES = {
    "gene symbols": ["TP53", "BRCA1", "HLA-DRB1", "GAPDH", "C9orf72", "MYC", "ACTB"],
    "Ensembl ids": ["ENSG00000141510.18", "ENSMUSG00000059552", "ENST00000269305"],
    "yeast ORFs": ["YAL001C", "YBR166C", "YOR357C", "YDL075W-A"],
    "Affymetrix probes": ["1007_s_at", "AFFX-BioB-5_at", "200000_s_at"],
    "Illumina probes": ["ILMN_1762337", "ILMN_2055271"],
    "microRNAs": ["hsa-miR-21-5p", "hsa-let-7a"],
    "Entrez ids": [str(100 + 97 * number) for number in range(30)],
}
SAMPLES = [
    ["GSM1001", "GSM1002", "GSM1003"],
    ["alpha 0", "alpha 7", "heat 20 min", "cold 40 min"],
    ["patient1", "patient2", "patient3"],
    ["s1", "s2", "s3"],
    ["control_1", "control_2", "treated_1"],
    ["0", "7", "14", "21"],
    ["ALL_19769_B-cell", "ALL_23953_B-cell", "AML_12"],
    ["AAACCTGAGAAACCAT-1", "AAACCTGAGAAACCGC-1"],
]


@pytest.mark.parametrize("kind", GENES)
def test_that_names_of_genes_are_known(kind: str) -> None:
    share, found = looks_like_genes(GENES[kind])
    assert share > 0.8
    assert found == kind


@pytest.mark.parametrize("names", SAMPLES)
def test_that_samples_are_not_taken_for_genes(names: list[str]) -> None:
    assert looks_like_genes(names)[0] < 0.5
    assert looks_like_genes([])[0] == 0


@pytest.mark.parametrize("names", [names for names in SAMPLES if names[0] != "0"])
def test_that_names_of_samples_are_known(names: list[str]) -> None:
    assert looks_like_samples(names) > 0.5
    assert looks_like_samples(GENES["yeast ORFs"]) < 0.5


def test_that_one_name_alone_may_be_a_genes() -> None:
    assert all(may_be_gene(name) for name in ("TP53", "WT1", "HR", "Actb", "1007_s_at", "YAL001C"))
    assert not any(may_be_gene(name) for name in ("age", "survival_days", "patient 3", ""))


def test_that_the_scale_is_told_from_the_values() -> None:
    rng = np.random.default_rng(3)
    logs = rng.normal(8, 2, 5000).clip(2)
    assert looks_logged(logs)[0] == "logged"
    assert looks_logged(logs - 8)[0] == "logged"
    assert looks_logged(2**logs)[0] == "linear"
    assert looks_logged(rng.negative_binomial(2, 0.01, 5000).astype(float))[0] == "counts"
    assert looks_logged(rng.random(5000))[0] == "unclear"
    assert looks_logged(np.array([np.nan, np.inf]))[0] == "unclear"
