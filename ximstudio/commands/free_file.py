"""Check the path of a command's output file."""

from __future__ import annotations

from pathlib import Path

from ximstudio.model.problem import UserError


def free_file(path: Path, *, replaced: bool) -> Path:
    """Return the full path; refuse an existing one, unless it is a file that may be `replaced`."""
    path = path.resolve()
    if path.is_dir() or (path.exists() and not replaced):
        raise UserError(
            key="export.exists",
            what="The output file exists already and was not changed.",
            where=str(path),
            way_out="Give another file with --out, or add --force to replace it (folders are "
            "never replaced).",
        )
    return path
