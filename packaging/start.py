"""Sets up XIM Studio in this checkout, then runs it or its checks.

  python3 packaging/start.py              maps the bundled sample data
  python3 packaging/start.py setup        only sets up
  python3 packaging/start.py test         runs all checks: ruff, mypy, import-linter and pytest
  python3 packaging/start.py test quick   runs the same checks with a part of the tests: kernels,
                                          contracts and one story through the window
  python3 packaging/start.py test -k map  runs pytest alone, with the arguments after "test"

Packages go into the folder .venv of the checkout. System libraries that Qt lacks are installed
by apt-get where root starts this; everyone else is told the command.
"""

# Standard library only, and Python 3.8 must be able to read this file to the end: an old Python
# has to get as far as the sentence that says which one is needed.
from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import io
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
ENVIRONMENT = CHECKOUT / ".venv"
OLDEST_PYTHON = (3, 11)

# Relative to the checkout, where the installers run: uv and pip then never see its spaces.
CONSTRAINTS = "packaging/constraints.txt"

# For each extra, those whose installation holds it: a developer's holds all that a user's does.
EXTRAS_THAT_HOLD = {"gui": ("gui", "dev"), "dev": ("dev",)}

CHECKS = {
    "ruff check": ("-m", "ruff", "check"),
    "ruff format": ("-m", "ruff", "format", "--check"),
    "mypy": ("-m", "mypy"),
    # import-linter has no "python -m", and its script breaks when the checkout is moved.
    "lint-imports": ("-c", "from importlinter.cli import lint_imports_command as run; run()"),
    "pytest": ("-m", "pytest", "-n", "auto", "--dist", "worksteal"),
}

# The quick tier. Its contracts that take long have the marker "thorough".
QUICK_TESTS = (
    "-m",
    "not slow and not thorough",
    "tests/kernels",
    "tests/contract",
    "tests/test_docs.py",
    "tests/ui/app/test_guide.py",
    "tests/ui/app/test_story.py",
)

# No wheel brings these. The first six let Qt start at all, the others let it open a window.
QT_PACKAGES = (
    "libgl1",
    "libegl1",
    "libxkbcommon0",
    "libfontconfig1",
    "libdbus-1-3",
    "libglib2.0-0",
    "libxcb-cursor0",
    "libxkbcommon-x11-0",
    "libxcb-icccm4",
    "libxcb-keysyms1",
    "libxcb-shape0",
)
APT_INSTALL = ("apt-get", "install", "-y", "--no-install-recommends")

SECONDS_TO_END = 10


class SetupError(Exception):
    """One sentence for the user: what is missing and what to do about it."""


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code of what the arguments ask for."""
    try:
        require_python(sys.version_info[:2])
        return perform(arguments)
    except SetupError as problem:
        print(problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def perform(arguments: Sequence[str]) -> int:
    """Returns the exit code of the command that the first argument names."""
    if not arguments:
        return map_the_sample()
    command, *rest = arguments
    if command == "test":
        if rest in ([], ["quick"]):
            return run_checks(QUICK_TESTS if rest else ())
        return run_pytest(rest)
    if command == "probe-qt":  # Not for users: qt_problem asks the environment's Python.
        return probe_qt(rest)
    if command == "setup" and not rest:
        set_up("gui")
        return 0
    is_help = command in {"-h", "--help"}
    print(__doc__, file=sys.stdout if is_help else sys.stderr)
    return 0 if is_help else 2


def map_the_sample() -> int:
    """Returns the exit code of a run on the bundled sample data."""
    require_writable(Path.cwd())
    python = set_up("gui")
    folder = free_folder(Path.cwd(), "ximstudio-output")
    # -P: a file called numpy.py in the user's folder must not be taken for numpy.
    run = (str(python), "-P", "-m", "ximstudio", "run", "sample:yeast", "--out", str(folder))
    return exit_code((*run, "--figure", "map.png", "--figure", "map.pdf"), cwd=Path.cwd())


def run_pytest(arguments: Sequence[str]) -> int:
    """Returns pytest's exit code."""
    python = set_up("dev")
    return exit_code((str(python), "-m", "pytest", *arguments), cwd=CHECKOUT)


def run_checks(tests: Sequence[str]) -> int:
    """Returns 0 when every check passes, or the exit code of the first that does not.

    The tests are arguments of pytest; without any, it runs all.
    """
    python = set_up("dev")
    failed = {}
    for name, command in CHECKS.items():
        say(f"== {name}")
        arguments = tests if name == "pytest" else ()
        code = exit_code((str(python), *command, *arguments), cwd=CHECKOUT)
        if code:
            failed[name] = code
    say(f"Failed: {', '.join(failed)}." if failed else "All checks passed.")
    return next(iter(failed.values()), 0)


def require_python(version: tuple[int, int]) -> None:
    """Raises a problem when this version of Python is too old."""
    if version < OLDEST_PYTHON:
        needed, found = dotted(OLDEST_PYTHON), dotted(version)
        raise SetupError(
            f"XIM Studio needs Python {needed} or newer and this is Python {found}: "
            f"start it with a newer one, e.g. python{needed} packaging/start.py"
        )


def require_writable(folder: Path) -> None:
    """Raises a problem when nothing can be written into the folder."""
    if not os.access(folder, os.W_OK):
        raise SetupError(
            f"The folder {folder} cannot be written to: start again in a folder of your own."
        )


def free_folder(parent: Path, name: str) -> Path:
    """Returns the first of name, name-2, name-3 … that is not taken in the parent folder."""
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(parent / name for name in names if not os.path.lexists(parent / name))


# The environment


def set_up(extra: str) -> Path:
    """Returns the Python of an environment that holds the package with this extra, and Qt."""
    python = environment_python()
    if not is_set_up(extra):
        build_environment(python, extra)
    provide_qt(python)
    return python


def environment_python() -> Path:
    """Returns where the environment keeps its Python."""
    if os.name == "nt":
        return ENVIRONMENT / "Scripts" / "python.exe"
    return ENVIRONMENT / "bin" / "python"


def stamp_file() -> Path:
    """Returns the file that says what was installed last, to its end."""
    return ENVIRONMENT / "ximstudio-setup"


def fingerprint(extra: str) -> str:
    """Returns a hash of all that decides what an installation with this extra holds."""
    # The place counts as well: a copied checkout still imports the package of the first one.
    parts = (
        str(CHECKOUT).encode(),
        dotted(sys.version_info[:2]).encode(),
        extra.encode(),
        (CHECKOUT / "pyproject.toml").read_bytes(),
        (CHECKOUT / CONSTRAINTS).read_bytes(),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def is_set_up(extra: str) -> bool:
    """Says whether the last complete installation still holds the package with this extra."""
    if not (environment_python().exists() and stamp_file().exists()):
        return False
    stamp = stamp_file().read_text(encoding="ascii")
    return stamp in {fingerprint(holder) for holder in EXTRAS_THAT_HOLD[extra]}


def build_environment(python: Path, extra: str) -> None:
    """Installs the package with this extra; only then is the environment stamped as complete."""
    first = not ENVIRONMENT.exists()
    require_writable(CHECKOUT if first else ENVIRONMENT)
    say(
        "Setting up the environment (first time only, about 2 minutes) …"
        if first
        else "Updating the environment …"
    )
    stamp_file().unlink(missing_ok=True)
    if not is_usable(python):
        create_environment()
    install(python, extra)
    stamp_file().write_text(fingerprint(extra), encoding="ascii")


def is_usable(python: Path) -> bool:
    """Says whether the environment has a pip and the version of the Python that runs this file."""
    probe = "import pip, sys; print(*sys.version_info[:2], sep='.')"
    try:
        answer = run_quietly((str(python), "-c", probe))
    except OSError:
        return False
    return answer.stdout.strip() == dotted(sys.version_info[:2])


def create_environment() -> None:
    """Puts an empty environment in place of whatever is there."""
    package = f"python{dotted(sys.version_info[:2])}-venv"
    has_venv = is_importable("venv") and is_importable("ensurepip")
    if not has_venv and is_importable("pip"):
        create_environment_without_venv()
    elif has_venv or (may_use_apt() and apt_install([package], what="Python's venv")):
        require_success((sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)))
    else:
        raise SetupError(
            "Python's ensurepip and pip are both missing; on Debian or Ubuntu this helps: "
            f"{apt_line([package])}"
        )


def create_environment_without_venv() -> None:
    """Does what venv would, with a virtualenv that is gone again afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        # Debian's pip refuses to touch the system's Python; a folder given by --target is not it.
        pip = (sys.executable, "-m", "pip", "install", "--target", folder)
        require_success((*pip, "-c", CONSTRAINTS, "virtualenv"))
        require_success(
            (sys.executable, "-m", "virtualenv", "--clear", str(ENVIRONMENT)),
            variables={"PYTHONPATH": folder},
        )


def install(python: Path, extra: str) -> None:
    """Installs the package with this extra, by uv where uv works and by pip elsewhere."""
    pip = (str(python), "-m", "pip", "install", "-c", CONSTRAINTS)
    uv = (str(python), "-m", "uv", "pip", "install", "--python", str(python), "-c", CONSTRAINTS)
    package = ("-e", f".[{extra}]")
    # uv is several times faster, but reads neither pip's settings nor, unasked, the system's
    # certificates: behind a company's mirror only pip may get through.
    certificates = {"UV_SYSTEM_CERTS": "1"}
    has_uv = run_quietly((*pip, "uv")).returncode == 0
    if has_uv and run_quietly((*uv, *package), variables=certificates).returncode == 0:
        return
    require_success((*pip, *package))


def is_importable(module: str) -> bool:
    """Says whether the Python that runs this file has the module."""
    return importlib.util.find_spec(module) is not None


# The system libraries of Qt


def provide_qt(python: Path) -> None:
    """Installs the system libraries that Qt lacks, or says in one sentence how to."""
    if not sys.platform.startswith("linux"):
        return
    problem = qt_problem(python)
    if problem and may_use_apt():
        apt_install(QT_PACKAGES, what="the system libraries of Qt")
        problem = qt_problem(python)
    if problem:
        say(qt_advice(problem))


def qt_problem(python: Path, platforms: Sequence[str] = ("offscreen", "xcb")) -> str | None:
    """Returns what keeps Qt from starting on these platforms, e.g. "libGL.so.1 is missing"."""
    # In a process of its own: Qt aborts, without an exception, where its plugin does not load.
    answer = run_quietly(
        (str(python), __file__, "probe-qt", *platforms),
        variables={"QT_QPA_PLATFORM": "offscreen"},
    )
    if answer.returncode == 0:
        return None
    lines = answer.stdout.splitlines() or [f"it ended with code {answer.returncode}"]
    return lines[-1]


def qt_advice(problem: str) -> str:
    """Returns the sentence that says what Qt lacks and how to get it."""
    return (
        f"Qt cannot open windows here ({problem}); "
        f"on Debian or Ubuntu this helps: {apt_line(QT_PACKAGES)}"
    )


def probe_qt(platforms: Sequence[str]) -> int:
    """Returns 0 when Qt starts; else prints why not. Runs in the Python of the environment."""
    try:
        # Only the environment has PySide6, and often not what it needs.
        from PySide6.QtCore import QLibraryInfo
        from PySide6.QtWidgets import QApplication

        plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms")
        for platform in platforms:
            plugin = plugins / f"libq{platform}.so"
            if plugin.exists():  # On macOS and Windows it has another name and nothing to miss.
                ctypes.CDLL(str(plugin))
    except (ImportError, OSError) as problem:
        library, _, what = str(problem).partition(": cannot open shared object file")
        print(f"{library} is missing" if what else problem)
        return 1
    QApplication([])
    return 0


# Other programs


def may_use_apt() -> bool:
    """Says whether this process is allowed to install system packages, on Debian and its kin."""
    return shutil.which("apt-get") is not None and os.geteuid() == 0


def apt_install(packages: Sequence[str], what: str) -> bool:
    """Says whether apt-get has installed the packages, which together are what is named."""
    say(f"Installing {what} …")
    # "su" leaves the folders of ldconfig and dpkg's other tools out of the path.
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
    variables = {"DEBIAN_FRONTEND": "noninteractive", "PATH": path}
    # One source out of reach fails an update, and yet the packages may be had.
    run_quietly(("apt-get", "update"), variables=variables)
    succeeded = run_quietly((*APT_INSTALL, *packages), variables=variables).returncode == 0
    if not succeeded:
        say(f"apt-get could not install {what}.")
    return succeeded


def apt_line(packages: Sequence[str]) -> str:
    """Returns the command by which a user installs the packages."""
    return " ".join(("sudo", *APT_INSTALL, *packages))


def run_quietly(
    command: Sequence[str], variables: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Returns how the command ended and what it printed, having run it in the checkout."""
    return subprocess.run(
        command,
        cwd=CHECKOUT,
        env={**os.environ, **(variables or {})},
        stdin=subprocess.DEVNULL,  # A question that nobody sees would never be answered.
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )


def require_success(command: Sequence[str], variables: dict[str, str] | None = None) -> None:
    """Raises a problem, after all that the command printed, when it fails."""
    answer = run_quietly(command, variables=variables)
    if answer.returncode:
        print(answer.stdout, file=sys.stderr)
        raise SetupError(
            "The environment could not be set up, see above; "
            "starting again goes on from here, e.g. once the network is back."
        )


def exit_code(command: Sequence[str], cwd: Path) -> int:
    """Returns the exit code of a command that talks to the user itself."""
    with subprocess.Popen(command, cwd=cwd) as process:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            end(process)
            raise
    # A process that was ended by a signal has the signal's negative number.
    return code if code >= 0 else 128 - code


def end(process: subprocess.Popen[bytes]) -> None:
    """Lets the process finish by itself, within reason."""
    # Ctrl-C reaches it as well, and it may be putting its files in order.
    try:
        process.wait(SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()


def say(sentence: str) -> None:
    """Prints a line at once, before other programs print theirs."""
    print(sentence, flush=True)


def dotted(version: tuple[int, int]) -> str:
    """Returns the version as it is written, e.g. "3.11"."""
    return ".".join(map(str, version))


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that knows no "…" gets a "?" and not a traceback.
            stream.reconfigure(errors="replace")
    sys.exit(main(sys.argv[1:]))
