"""BIOM, loom and GCTX files of the same small matrix."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from scipy.sparse import csr_array

TEXT = h5py.string_dtype()

VALUES = np.array([[0.0, 2, 0], [1, 0, 0], [0, 0, 3], [4, 0, 5]])
GENES = ["TP53", "MYC", "EGFR", "BRCA1"]
SAMPLES = ["s1", "s2", "s3"]
TAXA = [["k__Bacteria", "p__A"], ["k__Bacteria", ""], ["k__Archaea", "p__C"], ["", ""]]


def biom_json(path: Path, *, dense: bool = False, **changes: Any) -> Path:
    cells = [[int(i), int(j), VALUES[i, j]] for i, j in zip(*np.nonzero(VALUES), strict=True)]
    rows = zip(GENES, TAXA, strict=True)
    document = {
        "id": None,
        "format": "Biological Observation Matrix 1.0.0",
        "format_url": "http://biom-format.org",
        "type": "Gene table",
        "rows": [{"id": gene, "metadata": {"taxonomy": taxa}} for gene, taxa in rows],
        "columns": [{"id": sample, "metadata": None} for sample in SAMPLES],
        "matrix_type": "dense" if dense else "sparse",
        "matrix_element_type": "float",
        "shape": [4, 3],
        "data": VALUES.tolist() if dense else cells,
    }
    path.write_text(json.dumps(document | changes))
    return path


def biom_hdf5(path: Path) -> Path:
    with h5py.File(path, "w") as file:
        file.attrs["format-version"] = (2, 1)
        for side, names, matrix in (
            ("observation", GENES, csr_array(VALUES)),
            ("sample", SAMPLES, csr_array(VALUES.T)),
        ):
            group = file.create_group(side)
            group.create_dataset("ids", data=names, dtype=TEXT)
            for name in ("data", "indices", "indptr"):
                group[f"matrix/{name}"] = getattr(matrix, name)
            group.create_group("metadata")
            group.create_group("group-metadata")
        metadata = file["observation/metadata"]
        metadata.create_dataset("taxonomy", data=np.array(TAXA, dtype=object), dtype=TEXT)
        metadata["confidence"] = [0.5, 1, np.nan, 2]
    return path


def loom(path: Path) -> Path:
    with h5py.File(path, "w") as file:
        file["matrix"] = VALUES.astype(np.float32)
        file["layers/spliced"] = 2 * VALUES
        for name, texts in (("Gene", ["TP53", "MYC", "MYC", "BRCA1"]), ("Accession", GENES)):
            file.create_dataset(f"row_attrs/{name}", data=texts, dtype=TEXT)
        file["row_attrs/Selected"] = np.array([True, False, True, True])
        file.create_dataset("col_attrs/CellID", data=SAMPLES, dtype=TEXT)
        file["col_attrs/cluster"] = [3, 1, 3]
        file["col_attrs/_tSNE"] = np.zeros((3, 2))
        file.create_group("row_graphs")
    return path


def gctx(path: Path) -> Path:
    with h5py.File(path, "w") as file:
        file.attrs["version"] = "GCTX1.0"
        # Column by column, so that h5py shows it the other way round.
        file["0/DATA/0/matrix"] = VALUES.T.astype(np.float32)
        file["0/META/ROW/id"] = np.array(GENES, dtype="S")
        file["0/META/ROW/pr_gene_title"] = np.array(["a", "b", "c", "d"], dtype="S")
        file["0/META/COL/id"] = np.array(SAMPLES, dtype="S")
        file["0/META/COL/pert_dose"] = [0.5, 10, 2]
    return path
