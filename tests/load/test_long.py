"""Long tables: pivoted back to the original table, and distinguished from wide ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from ximstudio.load import Choices, Reading, Source, read, read_source
from ximstudio.load.long.fields import coded
from ximstudio.load.long.pivoted import Pairs
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import UserError

GENES = ("TP53", "BRCA1", "EGFR", "MYC", "SOX2")
SAMPLES = ("s 1", "s 2", "s 3")
LONG = "gene,sample,value\n" + "".join(
    f"{gene},{sample},{10 * row + column}\n"
    for row, gene in enumerate(GENES)
    for column, sample in enumerate(SAMPLES)
)


def opened(text: str, **choices: object) -> Reading:
    return read_source(Source.pasted(text), Choices(**choices))  # type: ignore[arg-type]


def guessed(reading: Reading) -> dict[str, str]:
    return {guess.key: guess.value for guess in reading.guesses}


def keys(reading: Reading) -> set[str]:
    return {note.key for note in reading.notes}


def melted(
    values: Floats, genes: Sequence[str], samples: Sequence[str], rng: np.random.Generator
) -> str:
    """Rows and columns of a long table in any order; what is missing may have no row."""
    cells = [(row, column) for row in range(len(genes)) for column in range(len(samples))]
    rng.shuffle(cells)
    columns = rng.permutation(3)
    lines = [["gene", "sample", "value"]]
    for row, column in cells:
        value = values[row, column]
        if np.isnan(value) and rng.random() < 0.5:
            continue
        lines.append([genes[row], samples[column], "" if np.isnan(value) else repr(float(value))])
    return "\n".join(",".join(line[place] for place in columns) for line in lines)


@pytest.mark.parametrize("seed", range(12))
def test_that_a_melted_table_is_pivoted_to_the_very_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_genes, n_samples = rng.integers(3, 40), rng.integers(2, 12)
    numbered = rng.random() < 0.5
    genes = [str(1000 + 7 * n) if numbered else f"GENE{n}A" for n in range(n_genes)]
    samples = [f"0{n}" if rng.random() < 0.5 else f"sample {n}" for n in range(n_samples)]
    values = np.round(rng.normal(size=(n_genes, n_samples)), 6)
    values[rng.random(values.shape) < 0.1] = np.nan
    values[:, 0] = 1.5
    values[0] = 2.5
    table = opened(melted(values, genes, samples, rng)).table
    rows = [table.items.names.index(gene) for gene in genes]
    columns = [table.features.names.index(sample) for sample in samples]
    assert table.values.shape == values.shape
    assert np.array_equal(table.dense[np.ix_(rows, columns)], values, equal_nan=True)


@pytest.mark.parametrize("how", ["mean", "median", "sum", "max", "first"])
def test_that_repeats_are_joined_as_numpy_does(how: str) -> None:
    rng = np.random.default_rng(3)
    genes = [f"G{n}" for n in rng.integers(0, 8, 300)]
    samples = [f"S{n}" for n in rng.integers(0, 5, 300)]
    values = rng.normal(size=300)
    values[rng.random(300) < 0.3] = np.nan
    pairs = Pairs.of(coded(genes), coded(samples), values)
    joined = pairs.joined(how)
    twins: dict[str, Callable[[Floats], float]] = {
        "mean": np.nanmean,
        "median": np.nanmedian,
        "sum": np.nansum,
        "max": np.nanmax,
        "first": lambda some: some[~np.isnan(some)][0],
    }
    levels = coded(genes).levels, coded(samples).levels
    for place, (gene, sample) in enumerate(zip(pairs.genes, pairs.samples, strict=True)):
        meant = [
            value
            for value, one, other in zip(values, genes, samples, strict=True)
            if (one, other) == (levels[0][gene], levels[1][sample])
        ]
        some = np.array(meant)
        if np.isnan(some).all():
            assert np.isnan(joined[place])
        else:
            assert joined[place] == pytest.approx(twins[how](some))


WIDE = {
    "one sample": "probe,symbol,level\n" + "".join(f"p{n},G{n // 2}A,{n}.5\n" for n in range(12)),
    "annotation": "gene,chromosome,length\n" + "".join(f"G{n},chr{n % 3},{n}\n" for n in range(9)),
    "samples with groups": "sample,group,value\n"
    + "".join(f"s{n},{'ab'[n % 2]},{n}\n" for n in range(10)),
    "genes and samples": "gene,class,s1,s2\n" + "".join(f"G{n},x,{n},1\n" for n in range(10)),
    "interactions": "gene,partner,score\n"
    + "".join(f"{one},{other},0.5\n" for one in GENES for other in GENES),
    "markers": "gene,cluster,expression\n"
    + "".join(f"GENE{n}A,{n % 4},{n}.5\n" for n in range(20)),
    "isoforms": "transcript_id,gene_id,length,TPM\n"
    + "".join(f"ENST0000{n:07d},ENSG0000{n // 3:07d},{n + 1},{n}.5\n" for n in range(12)),
}


@pytest.mark.parametrize("text", WIDE.values(), ids=WIDE)
def test_that_wide_tables_stay_as_they_lie(text: str) -> None:
    reading = opened(text)
    assert reading.table.n_items == len(text.splitlines()) - 1
    assert guessed(reading).get("layout", "wide") == "wide"


def test_that_a_long_table_can_be_read_as_it_lies() -> None:
    reading = opened(LONG, layout="wide")
    assert reading.table.values.shape == (15, 1)
    assert guessed(reading)["layout"] == "wide"


def test_that_values_beside_known_quantities_are_numbers() -> None:
    beside = ("a_Signal", "a_Detection", "b_Signal", "b_Detection")
    head, *lines = LONG.splitlines()
    wider = [",".join((head, *beside)), *(f"{line},1.5,0.1,2.5,0.2" for line in lines)]
    assert (opened("\n".join(wider)).table.dense == opened(LONG).table.dense).all()


def test_that_columns_can_be_chosen() -> None:
    text = "a,b,c,d\n" + "".join(
        f"{gene},{sample},{n},{-n}.25\n" for gene in GENES for n, sample in enumerate(SAMPLES)
    )
    reading = opened(text, id="b", sample=("a",), value="d")
    assert reading.table.items.names == SAMPLES
    assert reading.table.features.names == GENES
    assert reading.table.dense[2, 0] == -2.25
    assert {guess.key for guess in reading.guesses if guess.reason == "You chose it."} >= {
        "id",
        "sample",
        "value",
    }


@pytest.mark.parametrize(
    ("choices", "key"),
    [
        ({"sample": ("smaple",)}, "load.no_such_sample"),
        ({"value": "valeu"}, "load.no_such_value"),
    ],
)
def test_that_columns_that_are_not_there_are_refused(choices: dict[str, object], key: str) -> None:
    with pytest.raises(UserError) as caught:
        opened(LONG, **choices)
    assert caught.value.keys == (key,)


def test_that_a_table_that_cannot_be_long_is_refused_if_it_is_said_to_be() -> None:
    with pytest.raises(UserError) as caught:
        opened("gene,s1\nTP53,1\nMYC,3\n", layout="long")
    assert caught.value.keys == ("load.long_columns",)


def test_that_repeats_are_counted_and_said() -> None:
    reading = opened(LONG + "TP53,s 1,100\n")
    assert reading.table.dense[0, 0] == 50
    assert "load.repeats_joined" in keys(reading)
    repeats = next(guess for guess in reading.guesses if guess.key == "repeats")
    assert (repeats.value, repeats.sure) == ("mean", False)
    assert opened(LONG + "TP53,s 1,100\n", repeats="max").table.dense[0, 0] == 100


def test_that_rows_without_names_are_left_out_and_said() -> None:
    reading = opened(LONG + ",s 1,100\nTP53,,7\n")
    assert reading.table.values.shape == (5, 3)
    assert reading.table.dense[0, 0] == 0
    assert "load.unnamed_values" in keys(reading)


@pytest.mark.parametrize(("absent", "value"), [("zero", 0.0), ("blank", np.nan)])
def test_that_absent_values_are_what_a_person_says(absent: str, value: float) -> None:
    text = LONG.replace("MYC,s 2,31\n", "")
    table = opened(text, absent=absent).table
    assert np.array_equal(table.dense[3, 1], value, equal_nan=True)


def test_that_columns_beside_become_labels_of_what_they_follow() -> None:
    text = "gene,pathway,sample,tissue,plate,count\n" + "".join(
        f"{gene},{gene[0]},{sample},{sample[-1]}x,{row + 2 * column},{1 + row + column}\n"
        for row, gene in enumerate(GENES)
        for column, sample in enumerate(SAMPLES)
    )
    reading = opened(text)
    assert dict(reading.table.items.labels) == {"pathway": ("T", "B", "E", "M", "S")}
    assert dict(reading.table.features.labels) == {"tissue": ("1x", "2x", "3x")}
    assert "load.columns_left_out" in keys(reading)


def test_that_counts_of_many_cells_stay_sparse(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    cells = np.unique(rng.integers(0, 2000 * 1500, 20_000))
    lines = (f"GENE{cell // 1500}A\tCELL-{cell % 1500}\t{1 + cell % 7}" for cell in cells)
    path = tmp_path / "counts.tsv"
    path.write_text("gene\tcell\tcount\n" + "\n".join(lines))
    table = read(str(path)).table
    assert isinstance(table.values, csr_array)
    assert table.values.nnz == len(cells)
    assert table.values.sum() == float((1 + cells % 7).sum())


def test_that_a_table_that_may_be_long_is_asked_about() -> None:
    # Every gene has three values of ten, and no header tells what the columns are.
    text = "a,b,c\n" + "".join(
        f"G{row},x{(row * 3 + step) % 10},{row + step / 4}\n"
        for row in range(10)
        for step in range(3)
    )
    reading = opened(text)
    note = next(note for note in reading.notes if note.key == "load.may_be_long")
    assert opened(text, **note.hint).table.values.shape == (10, 10)


@pytest.mark.parametrize("items", ["rows", "columns"])
def test_that_a_long_table_knows_its_genes_and_samples(items: str, tmp_path: Path) -> None:
    # Nothing about these names tells one from the other, and there are more samples than genes.
    text = "target,sample,value\n" + "".join(
        f"x{row},y{column},{row * column}\n" for row in range(3) for column in range(9)
    )
    path = tmp_path / "long.csv"
    path.write_text(text)
    table = read(str(path), Choices(items=items)).table
    genes, samples = (
        (table.items, table.features) if items == "rows" else (table.features, table.items)
    )
    assert (genes.side, genes.kind, len(genes)) == ("genes", "gene", 3)
    assert (samples.side, samples.kind, len(samples)) == ("samples", "sample", 9)


def test_that_a_table_of_nodes_with_many_columns_of_numbers_stays_wide(tmp_path: Path) -> None:
    """As our own prototypes.csv is: rows and columns of the map, and a column for each sample."""
    samples = [f"sample {number}" for number in range(9)]
    lines = [",".join(["node", "row", "column", "x", "y", *samples])]
    for node in range(30):
        place = [node, node // 6, node % 6, node % 6, node // 6]
        lines.append(",".join(map(str, [*place, *(0.5 * node + each for each in range(9))])))
    path = tmp_path / "prototypes.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    reading = read(str(path))
    assert reading.table.n_items == 30
    assert "load.may_be_long" not in [note.key for note in reading.notes]
