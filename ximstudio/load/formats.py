"""All file formats, and which of them a file is in."""

from __future__ import annotations

from ximstudio.load.annotated import biom, gctx, loom
from ximstudio.load.arrow import formats as arrow
from ximstudio.load.format import Format
from ximstudio.load.geo import series_matrix, soft
from ximstudio.load.r_data import formats as r_data
from ximstudio.load.single_cell import h5ad, mtx, tenx_h5
from ximstudio.load.source import Source
from ximstudio.load.structured import cls, gct, orange_tab, pcl, perseus
from ximstudio.load.text import delimited
from ximstudio.load.workbook import excel
from ximstudio.model.params import known
from ximstudio.model.problem import UserError

FORMATS: tuple[Format, ...] = (
    mtx.FORMAT,
    tenx_h5.FORMAT,
    loom.FORMAT,
    gctx.FORMAT,
    biom.FORMAT,
    h5ad.FORMAT,
    excel.FORMAT,
    r_data.FORMAT,
    arrow.PARQUET,
    arrow.FEATHER,
    gct.FORMAT,
    cls.FORMAT,
    series_matrix.FORMAT,
    soft.FORMAT,
    pcl.FORMAT,
    perseus.FORMAT,
    orange_tab.FORMAT,
    delimited.FORMAT,
)
"""Asked in this order; delimited text takes whatever no other knows as its own."""


def format_of(source: Source, key: str | None) -> Format:
    """The format with this key, or else the first that recognises the content."""
    if key is not None:
        known("format", key, [one.key for one in FORMATS])
        return next(one for one in FORMATS if one.key == key)
    for one in FORMATS:
        if one.recognises(source):
            return one
    if source.is_folder:
        raise UserError(
            key="load.folder",
            what="This folder holds no table.",
            where=source.name,
            way_out="Choose a file; only folders with a 10x matrix (matrix.mtx) are tables.",
        )
    # It refuses what is no text, and says what it looks like.
    return delimited.FORMAT
