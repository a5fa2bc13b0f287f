"""XIM Studio: explore gene-expression tables with the Exploratory Inspection Machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ximstudio.frames import MapFrames

__version__ = "0.1.0"


def open_run(
    folder: str | Path, data: str | Path | None = None, *, label: str | None = None
) -> MapFrames:
    """Open the folder that `ximstudio run` wrote and return its map as pandas DataFrames.

    Parameters
    ----------
    folder
        The folder of the run.
    data
        The table it was trained on, if that is no longer where it was.
    label
        The item label whose classes the measures look at, if any.
    """
    # Late: programs that need the version only import neither pandas nor anything else.
    from ximstudio.frames import frames_of_run

    return frames_of_run(folder, data, label=label)
