"""Small HDF5 files, written as their formats have it, and damaged ones made of them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from tests.load.annotated_files import TEXT, biom_hdf5, gctx, loom


def write_sparse(group: h5py.Group, matrix: Any, *, old: bool = False) -> None:
    """A sparse matrix in its group; `old` is the way of AnnData before 0.7."""
    if old:
        group.attrs["h5sparse_format"] = matrix.format
        group.attrs["h5sparse_shape"] = matrix.shape
    else:
        group.attrs["encoding-type"] = f"{matrix.format}_matrix"
        group.attrs["shape"] = matrix.shape
    for name in ("data", "indices", "indptr"):
        group[name] = getattr(matrix, name)


def write_frame(root: h5py.Group, path: str, names: list[str], **columns: Any) -> h5py.Group:
    """A data frame of texts and numbers."""
    group = root.create_group(path)
    group.attrs["encoding-type"] = "dataframe"
    group.attrs["_index"] = "_index"
    group.attrs.create("column-order", list(columns), dtype=TEXT, shape=(len(columns),))
    group.create_dataset("_index", data=names, dtype=TEXT, shape=(len(names),))
    for name, values in columns.items():
        texts = len(values) and isinstance(values[0], str)
        group.create_dataset(name, data=values, dtype=TEXT if texts else None)
    return group


def write_h5ad(
    path: Path, values: Any, items: list[str] | None = None, features: list[str] | None = None
) -> Path:
    """The smallest h5ad file of these values: an array, or sparse rows or columns."""
    n_items, n_features = values.shape
    with h5py.File(path, "w") as file:
        file.attrs["encoding-type"] = "anndata"
        if isinstance(values, np.ndarray):
            file["X"] = values
        else:
            write_sparse(file.create_group("X"), values)
        write_frame(file, "obs", items or [f"c{n}" for n in range(n_items)])
        write_frame(file, "var", features or [f"g{n}" for n in range(n_features)])
    return path


def write_tenx(
    path: Path,
    values: NDArray[Any],
    *,
    ids: list[str] | None = None,
    names: list[str] | None = None,
    types: list[str] | None = None,
) -> Path:
    """A matrix as Cell Ranger 3 writes it; `values` are barcodes by features."""
    n_items, n_features = values.shape
    ids = ids or [f"E{number}" for number in range(n_features)]
    with h5py.File(path, "w") as file:
        group = file.create_group("matrix")
        _write_columns(group, values)
        group["barcodes"] = np.array([f"AC{number}-1" for number in range(n_items)], dtype="S18")
        features = group.create_group("features")
        features["_all_tag_keys"] = np.array([b"genome"])
        features["id"] = np.array(ids, dtype="S20")
        features["name"] = np.array(names or ids, dtype="S20")
        features["feature_type"] = np.array(types or ["Gene Expression"] * n_features, dtype="S20")
        features["genome"] = np.array(["GRCh38"] * n_features, dtype="S20")
    return path


def write_old_tenx(path: Path, genomes: dict[str, NDArray[Any]]) -> Path:
    """Matrices as Cell Ranger 2 writes them, one per genome."""
    with h5py.File(path, "w") as file:
        for genome, values in genomes.items():
            group = file.create_group(genome)
            _write_columns(group, values)
            n_items, n_features = values.shape
            numbers = range(n_features)
            group["barcodes"] = np.array([f"AC{n}-1" for n in range(n_items)], dtype="S18")
            group["genes"] = np.array([f"{genome}_E{number}" for number in numbers], dtype="S20")
            group["gene_names"] = np.array([f"G{number}" for number in numbers], dtype="S20")
    return path


def _write_columns(group: h5py.Group, values: NDArray[Any]) -> None:
    matrix = csc_array(values.T)
    for name in ("data", "indices", "indptr"):
        group[name] = getattr(matrix, name)
    group["shape"] = np.array(matrix.shape, dtype=np.int32)


def damaged(content: bytes, seed: int) -> bytes:
    """The content with some bytes changed, or cut off; the same for the same seed."""
    drawn = random.Random(seed)
    found = bytearray(content)
    if seed % 5 == 0:
        return bytes(found[: drawn.randrange(len(found))])
    for _ in range(drawn.choice([1, 1, 2, 5, 20])):
        place = drawn.randrange(min(len(found), 8000) if drawn.random() < 0.7 else len(found))
        found[place] = drawn.choice([drawn.randrange(256), 0, 255, 127, 128])
    if seed % 5 == 1:
        place = drawn.randrange(len(found))
        number = drawn.choice([0, 2**31, 2**40, 2**64 - 1])
        found[place : place + 8] = number.to_bytes(8, "little")
    return bytes(found)


ANNOTATED = {"biom": biom_hdf5, "gctx": gctx, "loom": loom}


def sample(kind: str, path: Path) -> Path:
    """A file with everything a format has, to be damaged."""
    values = np.array([[0, 1.5, 0], [2, 0, 3]])
    if kind == "10x-h5":
        return write_tenx(path, values, types=["Gene Expression"] * 2 + ["Antibody Capture"])
    if kind in ANNOTATED:
        return ANNOTATED[kind](path)
    write_h5ad(path, csr_array(values))
    with h5py.File(path, "a") as file:
        file["layers/dense"] = values
        kinds = file["obs"].create_group("kind")
        kinds.attrs["encoding-type"] = "categorical"
        kinds["codes"] = np.array([0, -1], dtype=np.int8)
        kinds.create_dataset("categories", data=["a"], dtype=TEXT)
        file["obs"].create_dataset("size", data=[1.5, 2.5], chunks=(1,), compression="gzip")
        file["obs"].attrs.create("column-order", ["kind", "size"], dtype=TEXT)
    return path
