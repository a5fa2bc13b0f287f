"""Count what makes the package easy or hard to read: `python packaging/house.py [FOLDER]`.

Prints one line per figure: rooms, names, English and imports. With a folder, counts the package of
another checkout, for a comparison.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
PACKAGE = "ximstudio"
QT = ("PySide6", "pyqtgraph")
QUESTION = re.compile(r"(What|How|Which|Where|When|Who|Why|Whether|All that|Everything that)\b")
WINDOW_ONLY = re.compile(r"\.look\.|\.shortcuts$")
"""Modules of ui/ that only a window has a use for, although they need no Qt."""

VIEW_NAMED = r"\bHeatMap(State|View)\b|\bheat_map\b|\bHEAT_MAP\b"
"""How the heat map, taken as an example of a view, is named in code."""
JOB_DROPPED = r"\.drop\((job|before|repeated\[0\]|self\._preparing\[0\])\)"
"""How a module of the window drops a background job that another one replaces."""
RECORDED_START = r"import .*\b(load_prototypes|start_again)\b|^    (load_prototypes|start_again),$"
"""How a module gets the prototypes that a recorded map began with."""

RUN = """
import sys
from ximstudio.cli import main
code = main(["run", "table.csv", "--out", "out", "--quiet", "--set", "n_steps=100"])
names = [name for name in sys.modules if name.split(".")[0] == "ximstudio"]
print(*names, sep="\\n")
sys.exit(code)
"""


@dataclass(frozen=True)
class Module:
    """A parsed file of the package."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        """The source."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed source."""
        return ast.parse(self.text)

    @property
    def docstring(self) -> str:
        """The docstring of the module, or nothing."""
        return ast.get_docstring(self.tree) or ""

    @cached_property
    def imports(self) -> frozenset[str]:
        """Names of all modules that are imported anywhere in the file, but for types."""
        return frozenset(_imported(self.tree.body))

    @property
    def classes(self) -> Iterator[str]:
        """Public classes at the top of the module."""
        return (
            node.name
            for node in self.tree.body
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        )


def _imported(body: Iterable[ast.AST]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        else:
            yield from _imported(ast.iter_child_nodes(node))


@dataclass(frozen=True)
class House:
    """The package of a checkout."""

    checkout: Path

    @cached_property
    def modules(self) -> dict[str, Module]:
        """All modules by their full name."""
        files = sorted((self.checkout / PACKAGE).rglob("*.py"))
        return {name: Module(name, path) for path in files if (name := self._name(path))}

    def _name(self, path: Path) -> str:
        parts = path.relative_to(self.checkout).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def in_ui(self) -> Iterator[Module]:
        """Modules of the window."""
        prefix = f"{PACKAGE}.ui."
        return (module for name, module in self.modules.items() if name.startswith(prefix))

    @cached_property
    def with_qt(self) -> frozenset[str]:
        """Modules that import Qt, themselves or by others."""
        found = {
            name
            for name, module in self.modules.items()
            if any(imported.split(".")[0] in QT for imported in module.imports)
        }
        while True:
            more = {
                name
                for name, module in self.modules.items()
                if name not in found and module.imports & found
            }
            if not more:
                return frozenset(found)
            found |= more


def flat_files(house: House) -> int:
    """Count the files that lie flat in ui/."""
    return sum(
        path.name != "__init__.py" for path in (house.checkout / PACKAGE / "ui").glob("*.py")
    )


def without_qt(house: House) -> int:
    """Count the modules of ui/ that need no Qt, but for style sheets, icons and shortcuts.

    The command line could use them.
    """
    return sum(
        not WINDOW_ONLY.search(module.name)
        and module.name not in house.with_qt
        and module.path.name != "__init__.py"
        for module in house.in_ui()
    )


def outside(folder: str) -> Callable[[Module], bool]:
    """Return whether a module and its folders have another name."""
    return lambda module: folder not in module.name


def modules_that_say(
    pattern: str, among: Callable[[Module], bool] = lambda _: True
) -> Callable[[House], int]:
    """Count the modules whose source matches a pattern."""
    found = re.compile(pattern, re.MULTILINE)
    return lambda house: sum(
        among(module) and found.search(module.text) is not None for module in house.modules.values()
    )


def repeated_classes(house: House) -> int:
    """Count the names of public classes that several modules use."""
    names = Counter(name for module in house.modules.values() for name in module.classes)
    return sum(number > 1 for number in names.values())


def question_openings(house: House) -> float:
    """Share of module docstrings that open with What, How, Which …, in percent."""
    texts = [module.docstring for module in house.modules.values() if module.docstring]
    return 100 * sum(bool(QUESTION.match(text)) for text in texts) / len(texts)


def definition_texts(trees: Iterable[ast.Module]) -> Iterator[str]:
    """Yield the docstrings of functions and classes, and those below constants and attributes."""
    for tree in trees:
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            for place, statement in enumerate(body if isinstance(body, list) else ()):
                if place == 0 and isinstance(node, ast.Module):
                    continue
                match statement:
                    case ast.Expr(value=ast.Constant(value=str(text))):
                        yield text


def questions_among(texts: Iterable[str]) -> list[str]:
    """Return the texts that open with What, How, Which …"""
    return [text for text in texts if QUESTION.match(text)]


def question_definitions(house: House) -> float:
    """Share of docstrings of functions, classes and constants that open so, in percent."""
    texts = list(definition_texts(module.tree for module in house.modules.values()))
    return 100 * len(questions_among(texts)) / len(texts)


def occurrences(words: str) -> Callable[[House], int]:
    """Count how often words stand in the package, in code and text."""
    pattern = re.compile(rf"\b{words}\b")
    return lambda house: sum(len(pattern.findall(module.text)) for module in house.modules.values())


def imported_by_run(house: House) -> frozenset[str]:
    """Names of the modules of the package that `ximstudio run` without a figure imports."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [f"g{row},{row % 7},{row % 5},{row % 3}" for row in range(40)]
        table = "\n".join(["gene,a,b,c", *rows, ""])
        Path(folder, "table.csv").write_text(table, encoding="utf-8")
        answer = subprocess.run(
            (sys.executable, "-c", RUN),
            cwd=folder,
            env={"PYTHONPATH": str(house.checkout), "PATH": "", "HOME": str(Path.home())},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return frozenset(answer.stdout.split())


def in_cycles(house: House) -> int:
    """Count the modules that import each other in a circle, packages' own files left out."""
    graph = {
        name: {imported for imported in module.imports if imported in house.modules} - {name}
        for name, module in house.modules.items()
        if module.path.name != "__init__.py"
    }
    reached: dict[str, set[str]] = {}
    for start, first in graph.items():
        seen: set[str] = set()
        waiting = list(first)
        while waiting:
            name = waiting.pop()
            if name not in seen and name in graph:
                seen.add(name)
                waiting.extend(graph[name])
        reached[start] = seen
    return sum(start in seen for start, seen in reached.items())


def without_importers(house: House) -> list[str]:
    """List the modules that no other module imports, or names in a registry as a string."""
    used, also, strings = {f"{PACKAGE}.__main__"}, set[str](), set[str]()
    for module in house.modules.values():
        package = module.name.rpartition(".")[0]
        constants = [
            node.value.partition(":")[0]
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        # A package in an f-string, such as f"ximstudio.commands.{name}", imports what is named.
        packages = [text for text in constants if text.startswith(f"{PACKAGE}.")]
        also |= {text.rstrip(".") for text in packages if text.endswith(".")}
        for name in constants:
            used |= {name, f"{package}.{name}", f"{module.name}.{name}"}
            strings.add(name)
        used |= _imported_at_all(module)
    used |= {f"{package}.{name}" for package in also for name in strings}
    return [
        name
        for name, module in house.modules.items()
        if name not in used and module.path.name != "__init__.py"
    ]


def _imported_at_all(module: Module) -> set[str]:
    """Names of all modules that the file imports, also for types."""
    return {
        imported
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for imported in _imported([node])
    }


def lines(house: House) -> int:
    """Count the lines of the package."""
    return sum(len(module.text.splitlines()) for module in house.modules.values())


FIGURES: dict[str, Callable[[House], float]] = {
    "files that lie flat in ui/": flat_files,
    "modules in ui/ without Qt": without_qt,
    "modules that name the heat map, its own aside": modules_that_say(
        VIEW_NAMED, outside("heat_map")
    ),
    "modules that drop jobs they replace": modules_that_say(JOB_DROPPED, outside("status")),
    "modules that read the prototypes a map begins with": modules_that_say(RECORDED_START),
    "class names used twice or more": repeated_classes,
    "modules that open with a question word, %": question_openings,
    "definitions that open with a question word, %": question_definitions,
    '"a person"': occurrences("a person"),
    '"told"': occurrences("told"),
    "modules that `run` imports": lambda house: len(imported_by_run(house)),
    "modules in import cycles": in_cycles,
    "modules that nothing imports": lambda house: len(without_importers(house)),
    "modules": lambda house: len(house.modules),
    "lines": lines,
}


def main() -> None:
    """Print every figure of the checkout that is named, or of this one."""
    house = House(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else CHECKOUT)
    for name, count in FIGURES.items():
        print(
            f"{name:<46} {count(house):>8.4g}"
            if name != "lines"
            else f"{name:<46} {count(house):>8}"
        )


if __name__ == "__main__":
    main()
