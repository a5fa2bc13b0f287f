"""The command line, with a format whose library never comes to an end."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tests.isolated import deeds
from ximstudio.cli import main as command_line
from ximstudio.load import format as formats
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.source import Source


def read(source: Source, _: Choices, report: Report) -> Reading:
    """Tell by the pipe beside the file that reading has begun, and go round for ever."""
    assert source.path is not None
    source.path.with_suffix(".begun").write_text("begun")
    deeds.circle(report)
    raise AssertionError


def main(path: str) -> int:
    """Inspect a file of this format."""
    isolated = [one for one in formats.every_format() if one.isolated]
    formats.FORMATS = tuple(
        replace(entry, load=partial(replace, one, read=read))
        for entry in formats.FORMATS
        for one in isolated
        if one.key == entry.key
    )
    return command_line(["inspect", path])
