"""Software versions and platform that made a map: its bits may depend on them."""

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
        Python and libraries → their versions; empty if unknown.
    platform
        System, machine and processor.
    """

    program: str
    versions: Mapping[str, str] = field(default_factory=dict)
    platform: Mapping[str, str] = field(default_factory=dict)

    def as_values(self) -> dict[str, Any]:
        """Return plain values for a record."""
        return {
            "program": {"ximstudio": self.program},
            "versions": dict(self.versions),
            "platform": dict(self.platform),
        }

    def differences(self, other: MadeWith) -> list[str]:
        """List what `other` has in another version or does not name: "numpy 2.1".

        Packages that only `other` names do not count: they served other methods.
        """
        theirs = other._named
        return [
            f"{name} {theirs.get(name, 'unknown')}"
            for name, mine in self._named.items()
            if theirs.get(name) != mine
        ]

    @property
    def _named(self) -> dict[str, str]:
        return {"ximstudio": self.program, **self.versions, **self.platform}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Read the values of a record; what it lacks stays empty."""
        program, versions, platform = (
            {str(name): str(text) for name, text in part.items()}
            if isinstance(part := record.get(key), Mapping)
            else {}
            for key in ("program", "versions", "platform")
        )
        return cls(
            program=program.get("ximstudio", "unknown"), versions=versions, platform=platform
        )
