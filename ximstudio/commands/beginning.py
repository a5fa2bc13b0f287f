"""Where a run begins: with a table, with a map that is to go on, or with a part of one."""

from __future__ import annotations

import argparse

from ximstudio.commands.fresh import Fresh
from ximstudio.commands.further import Further
from ximstudio.commands.part import Part
from ximstudio.commands.ready import Beginning, Given, useless
from ximstudio.model.problem import UserError


def beginning_of(options: argparse.Namespace) -> Beginning:
    """How a run is to begin, checked as far as it can be without the data."""
    given = Given.of(options)
    if options.parent is not None:
        return Part.of(options, given)
    _refuse_without(options, "--parent", ("choose", "nodes"))
    if options.input is None:
        raise UserError(
            key="cli.no_input",
            what="There is no table to train on.",
            where="ximstudio run",
            way_out="Give a file, or sample:yeast; or a run with --parent, to map a part of it.",
        )
    if options.continued is not None:
        return Further.of(options, given)
    _refuse_without(options, "--continue", ("only_new",))
    return Fresh.of(options, given)


def _refuse_without(options: argparse.Namespace, needed: str, names: tuple[str, ...]) -> None:
    for name in names:
        if getattr(options, name):
            raise useless(f"--{name.replace('_', '-')}", f"It belongs to {needed}.")
