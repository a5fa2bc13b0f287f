"""Choose how a run starts: from a table, an earlier run, or a part of one."""

from __future__ import annotations

import argparse

from ximstudio.commands.fresh import FreshRun
from ximstudio.commands.ready import Given, RunStart, useless
from ximstudio.model.problem import UserError


def beginning_of(options: argparse.Namespace) -> RunStart:
    """Return how a run starts, checked as far as possible without the data."""
    given = Given.of(options)
    if options.parent is not None:
        from ximstudio.commands.part import PartialRun

        return PartialRun.of(options, given)
    _refuse_without(options, "--parent", ("choose", "nodes"))
    if options.input is None:
        raise UserError(
            key="cli.no_input",
            what="No table is given.",
            where="ximstudio run",
            way_out="Give a file or sample:yeast, or a run with --parent to map a part of it.",
        )
    if options.continued is not None:
        from ximstudio.commands.further import ContinuedRun

        return ContinuedRun.of(options, given)
    _refuse_without(options, "--continue", ("only_new",))
    return FreshRun.of(options, given)


def _refuse_without(options: argparse.Namespace, needed: str, names: tuple[str, ...]) -> None:
    for name in names:
        if getattr(options, name):
            raise useless(f"--{name.replace('_', '-')}", f"It only works with {needed}.")
