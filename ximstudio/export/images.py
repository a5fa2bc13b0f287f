"""Figures → image files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ximstudio.export.provenance import Provenance
from ximstudio.figures.files import FORMATS
from ximstudio.figures.look import Look
from ximstudio.load.samples import called
from ximstudio.maps.label_kinds import telling_label
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import UserError
from ximstudio.model.result import Result


def figure_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names of figures to be drawn; formats that cannot be written are refused."""
    names = tuple(names)
    for name in names:
        if Path(name).suffix.lower() not in FORMATS or Path(name).name != name:
            raise UserError(
                key="export.figure_name",
                what=f"A figure cannot be called '{name}'.",
                where="option --figure",
                way_out=f"Give a plain file name that ends in {', '.join(FORMATS)}.",
            )
    return names


def write_figures(
    folder: Path,
    names: Iterable[str],
    result: Result,
    matrix: Matrix,
    *,
    name: str,
    color_by: str | None = None,
    record: Mapping[str, Any] | None = None,
    look: Look | None = None,
) -> None:
    """The figure of a run under all `names`, coloured by a label (by default a telling one).

    `record` is the run's record, which goes into the files.
    """
    names = tuple(names)
    if not names:
        return
    from ximstudio.figures import map_figure, save_figure  # matplotlib takes 0.6 s

    look = Look() if look is None else look
    label = color_by or telling_label(matrix)
    title = f"{name}, {called(matrix.source)}"
    figure = map_figure(
        result,
        title=title,
        labels=None if label is None else matrix.item_labels[label],
        label_name=label or "",
        look=look,
    )
    drawn = {"view": "run", "color_by": label, "look": look.as_values()}
    provenance = Provenance(title=title, figure=drawn, runs=() if record is None else (record,))
    for file_name in names:
        save_figure(figure, folder / file_name, look, provenance)
