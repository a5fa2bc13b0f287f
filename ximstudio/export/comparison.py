"""A comparison of methods as tables, text, figure and record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ximstudio import __version__
from ximstudio.export.comparison_text import markdown
from ximstudio.export.places import without_places
from ximstudio.export.preparation import write_preparation
from ximstudio.export.provenance import Provenance
from ximstudio.export.record import data_record, parameter_record, surroundings, write_record
from ximstudio.export.tables import blanked, label_columns, write_table
from ximstudio.figures.look import Look
from ximstudio.load.samples import called
from ximstudio.measure.comparison import Comparison
from ximstudio.model.arrays import digest
from ximstudio.model.matrix import Matrix
from ximstudio.prepare.input import Input, Opened

SCHEMA = 2
FIGURES = ("comparison.pdf", "comparison.png")


def write_comparison(
    folder: Path,
    comparison: Comparison,
    opened: Opened,
    *,
    data: Input,
    figures: Sequence[str] = FIGURES,
    look: Look | None = None,
) -> None:
    """All files of a comparison; `data` says how the table was to be opened."""
    matrix = opened.matrix
    write_means(folder / "table.csv", comparison)
    write_runs(folder / "runs.csv", comparison)
    write_wander(folder / "wander.csv", comparison, matrix)
    text = markdown(comparison, opened)
    (folder / "table.md").write_text(text, encoding="utf-8", newline="\n")
    record = comparison_record(comparison, opened, data=data)
    write_comparison_figures(folder, comparison, matrix, record=record, names=figures, look=look)
    write_preparation(folder, opened)
    write_record(folder / "compare.json", record)


def write_means(path: Path, comparison: Comparison) -> None:
    """One line per method: mean and standard deviation of every measure."""
    summaries = comparison.summaries
    header = [
        f"{summary.definition.key}_{part}" for summary in summaries for part in ("mean", "sd")
    ]
    columns = [
        part.tolist() for summary in summaries for part in (summary.means, summary.deviations)
    ]
    rows = zip(*columns, strict=True)
    write_table(
        path,
        ["method", *header],
        ([method.key, *blanked(row)] for method, row in zip(comparison.methods, rows, strict=True)),
    )


def write_runs(path: Path, comparison: Comparison) -> None:
    """One line per method and run: its seed, how many items it had, and every measure.

    Measures that looked at a sample have their standard error beside them.
    """
    sampled = [measure.key in comparison.sampled for measure in comparison.measures]
    header = ["method", "run", "seed", "items"]
    for measure, with_error in zip(comparison.measures, sampled, strict=True):
        header += [measure.key, f"{measure.key}_error"] if with_error else [measure.key]

    def rows() -> Iterator[list[object]]:
        for number, method in enumerate(comparison.methods):
            for run, items in enumerate(comparison.items):
                row: list[object] = [method.key, run + 1, comparison.seed + run, len(items)]
                values = comparison.values[number, run].tolist()
                errors = comparison.errors[number, run].tolist()
                for value, error, with_error in zip(values, errors, sampled, strict=True):
                    row += blanked([value, error] if with_error else [value])
                yield row

    write_table(path, header, rows())


def write_wander(path: Path, comparison: Comparison, matrix: Matrix) -> None:
    """id, how far the item wanders between the runs of every method, then the item's labels."""
    header = ["id", *(method.key for method in comparison.methods)]
    columns: list[Sequence[object]] = [matrix.item_ids]
    columns += [blanked(wander) for wander in comparison.wander.tolist()]
    labels = label_columns(matrix.item_labels, header)
    write_table(path, [*header, *labels], zip(*columns, *labels.values(), strict=True))


def write_comparison_figures(
    folder: Path,
    comparison: Comparison,
    matrix: Matrix,
    *,
    record: Mapping[str, Any],
    names: Sequence[str] = FIGURES,
    look: Look | None = None,
) -> None:
    """The one figure of a comparison under all `names`; with its record in it."""
    from ximstudio.figures import save_figure  # matplotlib takes 0.6 s
    from ximstudio.figures.comparison import comparison_figure

    n_runs, n_drawn = comparison.items.shape
    runs = "1 run" if n_runs == 1 else f"{n_runs} runs"
    name = called(matrix.source)
    title = f"{name}: {runs} on {n_drawn} of {matrix.n_items} items"
    look = Look() if look is None else look
    figure = comparison_figure(comparison, title=title, look=look)
    drawn = {
        "view": "comparison",
        "look": look.as_values(),
        "comparison": without_places(record),
    }
    for file_name in names:
        save_figure(figure, folder / file_name, look, Provenance(title=title, figure=drawn))


def comparison_record(comparison: Comparison, opened: Opened, *, data: Input) -> dict[str, Any]:
    """All it takes to make the same comparison again."""
    n_runs, n_drawn = comparison.items.shape
    return {
        "schema": SCHEMA,
        "program": {"ximstudio": __version__},
        "methods": [
            {"method": method.key, **parameter_record(params, n_drawn)}
            for method, params in comparison.entries
        ],
        "runs": n_runs,
        "share": comparison.share,
        "items_per_run": n_drawn,
        "seed": comparison.seed,
        "label": comparison.label,
        "measures": [measure.key for measure in comparison.measures],
        "data": data_record(opened, data),
        "result_hash": digest(comparison.values, comparison.wander),
        **surroundings(*(method.key for method in comparison.methods)),
    }
