"""Where a command writes one file: a place that is free, or may be replaced."""

from __future__ import annotations

from pathlib import Path

from ximstudio.model.problem import UserError


def free_file(path: Path, *, replaced: bool) -> Path:
    """The whole path; what exists is refused, unless it is a file that may be `replaced`."""
    path = path.resolve()
    if path.is_dir() or (path.exists() and not replaced):
        raise UserError(
            key="export.exists",
            what="The output exists already and was left as it is.",
            where=str(path),
            way_out="Give another file with --out, or add --force to replace it; a folder stays.",
        )
    return path
