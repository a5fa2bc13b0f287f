"""Session ⇄ .xims, and what is kept by itself in case the program ends without being asked."""

from ximstudio.store.files import SUFFIX, StoredSession, find_moved, read_session, write_session
from ximstudio.store.references import File, Missing

__all__ = [
    "SUFFIX",
    "File",
    "Missing",
    "StoredSession",
    "find_moved",
    "read_session",
    "write_session",
]
