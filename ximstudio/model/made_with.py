"""With what a map was made: the bits of it may depend on that, besides data and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(frozen=True, kw_only=True)
class MadeWith:
    """Versions and platform of the process that made a map.

    Parameters
    ----------
    program
        Version of XIM Studio.
    versions
        Python and libraries → their versions; empty if nobody knows them any more.
    platform
        System, machine and processor.
    """

    program: str
    versions: Mapping[str, str] = field(default_factory=dict)
    platform: Mapping[str, str] = field(default_factory=dict)

    def as_values(self) -> dict[str, Any]:
        """As records have it."""
        return {
            "program": {"ximstudio": self.program},
            "versions": dict(self.versions),
            "platform": dict(self.platform),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """What a record tells; of what it does not tell, nothing."""
        program, versions, platform = (
            {str(name): str(text) for name, text in part.items()}
            if isinstance(part := record.get(key), Mapping)
            else {}
            for key in ("program", "versions", "platform")
        )
        return cls(
            program=program.get("ximstudio", "unknown"), versions=versions, platform=platform
        )
