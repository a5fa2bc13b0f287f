"""Tables of proteins: which columns are values, what rows are called, and which are decoys."""

from __future__ import annotations

import pytest

from tests.contract.troublesome.case import Case
from tests.contract.troublesome.proteomics import (
    ALPHAPEPT,
    CASES,
    DISCOVERER,
    FRAGPIPE,
    MAXQUANT,
    PERSEUS,
    PG_MATRIX,
)
from ximstudio.load import Choices, Guess, Reading, Source, read_source
from ximstudio.load.proteomics.names import decoys_among, first_ids, short_runs
from ximstudio.load.proteomics.quantities import QUANTITIES, Quantity, quantity_of
from ximstudio.model.problem import UserError
from ximstudio.model.table import Axis


def opened(text: bytes | str, **choices: object) -> Reading:
    text = text.decode() if isinstance(text, bytes) else text
    return read_source(Source.pasted(text), Choices(**choices))  # type: ignore[arg-type]


def guess(reading: Reading, key: str) -> Guess:
    return next(guess for guess in reading.guesses if guess.key == key)


@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda each: each.name)
def test_that_every_quantity_knows_the_headers_that_its_pattern_tells(quantity: Quantity) -> None:
    for sample in ("wt_1", "Sample 12", "a.b"):
        found = quantity_of(quantity.glob.replace("*", sample))
        assert found is not None
        assert (found[0].name, found[1]) == (quantity.name, sample)


@pytest.mark.parametrize("family", ["LFQ intensity", "iBAQ", "Intensity", "MS/MS count"])
def test_that_any_quantity_can_be_chosen_by_pattern(family: str) -> None:
    reading = opened(MAXQUANT.content, features=(f"{family}*",))
    assert reading.table.features.names == ("ctrl_1", "drug_1")
    header = MAXQUANT.content.decode().splitlines()[0].split("\t")
    first = MAXQUANT.content.decode().splitlines()[1].split("\t")
    told = [float(first[header.index(f"{family} {name}")]) for name in ("ctrl_1", "drug_1")]
    assert reading.table.dense[0].tolist() == told
    assert guess(reading, "features").reason.startswith("You chose it.")


def test_that_the_quantities_of_a_table_are_offered_with_the_best_as_guess() -> None:
    offered = guess(opened(MAXQUANT.content), "features")
    assert offered.value == "LFQ intensity *"
    assert list(offered.options or ()) == [
        "LFQ intensity *",
        "iBAQ *",
        "Intensity *",
        "MS/MS count *",
    ]
    assert not offered.sure


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_that_every_offered_quantity_opens(case: Case) -> None:
    choices = {"missing": ("Filtered", "NaN")}
    reading = opened(case.content, **choices)
    for guess_ in reading.guesses:
        if guess_.key == "features":
            for pattern in guess_.options or ():
                features = Choices.specs()["features"].parse(pattern)
                again = opened(case.content, features=features, **choices)
                assert len(again.table.features) == len(case.features)
                assert again.table.items.names == reading.table.items.names


def test_that_patterns_choose_columns_of_any_table() -> None:
    text = "gene,ctrl_1,ctrl_2,drug_1,drug_2\nTP53,1,2,3,4\nMYC,5,6,7,8\n"
    reading = opened(text, features=("drug_*",))
    assert reading.table.features.names == ("drug_1", "drug_2")
    assert dict(reading.table.items.labels) == {"ctrl_1": ("1", "5"), "ctrl_2": ("2", "6")}
    mixed = opened(text, features=("ctrl_1", "drug_?"))
    assert mixed.table.features.names == ("ctrl_1", "drug_1", "drug_2")


def test_that_a_pattern_that_matches_nothing_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        opened(MAXQUANT.content, features=("LQF*",))
    assert caught.value.keys == ("load.no_such_features",)


@pytest.mark.parametrize(
    ("case", "removed"),
    [
        (MAXQUANT, ("CON__P00761", "REV__Q9Y6K9", "P00533")),
        (FRAGPIPE, ("P00761",)),
        (ALPHAPEPT, ("REV__sp|P00533|EGFR_HUMAN",)),
        (DISCOVERER, ("P00761",)),
        (PERSEUS, ("P00533",)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_that_decoys_are_kept_and_said_or_removed(case: Case, removed: tuple[str, ...]) -> None:
    kept = opened(case.content)
    assert set(removed) < set(kept.table.items.names)
    assert (guess(kept, "decoys").value, guess(kept, "decoys").sure) == ("keep", False)
    cleared = opened(case.content, decoys="remove")
    assert set(kept.table.items.names) - set(cleared.table.items.names) == set(removed)
    assert "load.decoys_removed" in {note.key for note in cleared.notes}


def test_that_rows_can_be_turned_after_they_were_named() -> None:
    turned = opened(PERSEUS.content, items="columns").table
    assert turned.features.names == ("P04637", "P38398", "P00533")
    assert turned.items.names == ("wt_1", "wt_2", "ko_1")


def test_that_first_ids_name_rows_only_where_they_differ() -> None:
    assert first_ids(("A;B", "C", "D;E")) == ("A", "C", "D")
    assert first_ids(("A;B", "A;C", "D")) == ("A;B", "A;C", "D")
    assert first_ids(("A", "B")) is None


def test_that_files_are_named_shortly_only_where_they_differ() -> None:
    assert short_runs(("C:\\x\\a.raw", "C:\\x\\b.raw")) == ("a", "b")
    assert short_runs(("/x/1/a.mzML", "/x/2/a.mzML")) is None
    assert short_runs(("wt 1", "wt 2")) is None


def test_that_genes_with_such_letters_are_no_decoys() -> None:
    assert decoys_among(Axis(names=("REV1", "REV3L", "CONT", "CON", "REVERSE"))) == {}
    marks = Axis(names=("A", "B"), labels={"Reverse": ("", "+"), "Contaminant": ("FALSE", "FALSE")})
    assert [rows.tolist() for rows in decoys_among(marks).values()] == [[1]]


def test_that_paths_stay_as_a_label() -> None:
    labels = opened(PG_MATRIX.content).table.features.labels
    assert [text.endswith(".raw") for text in labels["file"]] == [True, True]


@pytest.mark.parametrize(
    ("pattern", "n_features"), [("* Intensity", 2), ("*Spectral Count", 2), ("wt_1*", 4)]
)
def test_that_patterns_of_quantities_mean_these_and_others_what_they_match(
    pattern: str, n_features: int
) -> None:
    table = opened(FRAGPIPE.content, features=(pattern,)).table
    assert len(table.features) == n_features
    assert not any(name.startswith("Combined") for name in table.features.names)
