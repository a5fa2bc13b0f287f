"""Command line of XIM Studio."""

from __future__ import annotations

import io
import signal
import sys
import threading
from collections.abc import Sequence

from ximstudio import isolated
from ximstudio.cli.grammar import parser
from ximstudio.commands.console import EXIT_INTERRUPTED, EXIT_PROBLEM, say_interrupted, show
from ximstudio.model.problem import Problem, UserError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 2 for a problem, or 130 after Ctrl-C.

    `verify` returns 1 if something differs.
    """
    if isolated.serves(sys.argv[1:] if arguments is None else arguments):
        return isolated.serve()
    _listen_to_signals()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal without "ε" gets a "?" instead of a traceback.
            stream.reconfigure(errors="replace")
    try:
        options = parser().parse_args(arguments)
        code: int = options.command(options)
    except UserError as error:
        show(error.problems)
        return EXIT_PROBLEM
    except KeyboardInterrupt:
        say_interrupted()
        return EXIT_INTERRUPTED
    except OSError as error:
        unwritable = Problem(
            key="export.failed",
            what=f"The result could not be written: {error.strerror or error}.",
            where=str(error.filename or "output"),
            way_out="Free some disk space, or give another folder with --out.",
        )
        show([unwritable])
        return EXIT_PROBLEM
    return code


def _listen_to_signals() -> None:
    """Treat kill and a closed terminal like Ctrl-C, so that no partial result is left."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        # Started with nohup: keep ignoring the signal.
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is signal.SIG_DFL:
            signal.signal(getattr(signal, name), signal.default_int_handler)
