"""`ximstudio samples`: list the sample data."""

from __future__ import annotations

import argparse
import textwrap

from ximstudio.commands.console import say
from ximstudio.load.samples import PREFIX
from ximstudio.load.samples import samples as all_samples


def samples(options: argparse.Namespace) -> int:  # noqa: ARG001
    """Print the sample data."""
    for sample in all_samples().values():
        say(f"{PREFIX}{sample.key}   {sample.title}")
        for text in (sample.about, f"Source: {sample.citation}"):
            say(textwrap.fill(text, 96, initial_indent="    ", subsequent_indent="    "))
    return 0
