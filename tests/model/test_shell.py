"""Lines to be pasted mean the same in every shell."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.shells import SHELLS, Expanded
from ximstudio.model.shell import option, quoted, unescaped

NAMES = (
    "a b",
    "it's",
    'say "so"',
    "100%",
    "%PATH%",
    "$HOME",
    "$(date)",
    "`date`",
    "a;b",
    "a|b & c > d < e",
    "(x) [y] {z}",
    "a\\b",
    "end\\",
    "\\\\server",
    "x!y",
    "^a^b",
    "#1",
    "@x",
    "~",
    "*?",
    "naïve Größe 遺伝子",
    "“quoted”",
    "tab\tand\nline",
    "-1",
    "--out",
    ",",
    "",
)


def taken(shell: str, line: str) -> list[str]:
    return [unescaped(word) for word in SHELLS[shell](line)]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("name", NAMES)
def test_that_troublesome_names_are_handed_on(shell: str, name: str) -> None:
    words = taken(
        shell, f"program {option('--labels', name)} {option('--read', f'missing={name}')}"
    )
    assert words[0] == "program"
    assert words[-2:] == ["--read", f"missing={name}"]
    # A value that is empty, or begins like an option, is one word with its option.
    assert words[1:-2] in (["--labels", name], [f"--labels={name}"])


@given(st.text())
@example('"%$`\\!')
def test_that_any_text_is_handed_on_by_all_shells(text: str) -> None:
    line = f"program {option('--read', f'missing={text}')} last"
    for shell in SHELLS:
        assert taken(shell, line) == ["program", "--read", f"missing={text}", "last"], shell


def test_that_bash_itself_hands_them_on() -> None:
    for name in NAMES:
        line = f"printf '%s\\0' {quoted(name)}"
        said = subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout
        assert unescaped(said.decode().removesuffix("\0")) == name


def test_that_the_models_refuse_what_shells_expand() -> None:
    for shell, line in (
        ("bash", 'echo "$HOME"'),
        ("bash", "echo a;b"),
        ("powershell 7", 'echo "$HOME"'),
        ("powershell 5", "echo a,b"),
        ("cmd", 'echo "%PATH%"'),
        ("cmd", "echo a&b"),
    ):
        with pytest.raises(Expanded):
            SHELLS[shell](line)
