"""The file of a report: whole or not there, and its record can be read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.sessions import PLACE, whole
from ximstudio.export.provenance import record_in
from ximstudio.model.problem import UserError
from ximstudio.report import read_report, write_report
from ximstudio.session import Session


class StoppedError(Exception):
    pass


def test_that_the_record_of_every_run_can_be_read_back(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    told: list[float] = []
    write_report(path, whole(), told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    found = read_report(path)
    assert found is not None
    assert PLACE not in found.text
    for record, run in zip(found.runs, whole().runs, strict=True):
        settings = record_in(record, path)
        assert settings.result_hash == run.result.hash
        assert settings.data.fingerprint == run.matrix.fingerprint
        assert settings.params == run.result.params.resolved(run.matrix.n_items)
        assert settings.seed == run.result.seed


def test_that_a_page_without_a_record_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "other.html"
    path.write_text("<!DOCTYPE html><p id='provenance'>{}</p><script>1</script>", encoding="utf-8")
    assert read_report(path) is None
    path.write_text("<script id='provenance'>{</script>", encoding="utf-8")
    with pytest.raises(UserError):
        read_report(path)
    with pytest.raises(UserError) as refused:
        read_report(tmp_path / "nowhere.html")
    assert refused.value.keys == ("report.unreadable",)


def test_that_a_report_that_is_ended_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("before", encoding="utf-8")

    def stop(fraction: float) -> None:
        if fraction > 0.0:
            raise StoppedError

    with pytest.raises(StoppedError):
        write_report(path, whole(), stop)
    assert path.read_text(encoding="utf-8") == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


def test_that_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        write_report(tmp_path / "no folder" / "report.html", Session())
    assert refused.value.keys == ("export.unwritable",)
