"""A session knows which of its runs descends from which."""

from __future__ import annotations

from dataclasses import replace

from tests.ui.maps_to_show import run_of
from ximstudio.session.session import Session


def test_that_the_parent_of_a_run_is_found_until_it_is_deleted() -> None:
    parent = replace(run_of("pca", state="finished"), key="run-1")
    child = replace(parent, key="run-2", parent="run-1")
    session = Session().with_run(parent).with_run(child)
    assert session.parent_of(child) is parent
    assert session.parent_of(parent) is None
    assert session.without("run-1").parent_of(child) is None
