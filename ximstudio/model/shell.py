r"""Quote texts so that bash, PowerShell and cmd all pass them on unchanged.

One line has to work wherever it is pasted. Between double quotes each of the three leaves letters,
digits, spaces and most marks alone. What any of them would take for more is written as an escape,
which the command line of this program undoes: ``\u{24}`` is the letter with the number 24 (base
16). No shell expands that.
"""

from __future__ import annotations

import re

PLAIN = re.compile(r"[A-Za-z0-9_./:=+-]+")
"""Characters that need no quotes. Not the comma: PowerShell makes a list of it."""

SPECIAL = re.compile(
    # " ends a quotation, also as typographers write it (PowerShell); $ and ` expand (bash and
    # PowerShell), ! recalls a line (bash), % expands (cmd), \ may escape what follows.
    r'["$`\\!%\u201c\u201d\u201e\u0000-\u001f\u007f-\u009f\u2028\u2029]'
)
ESCAPE = re.compile(r"\\u\{([0-9a-fA-F]{1,6})\}")
LAST = 0x10FFFF


def quoted(text: str) -> str:
    """Quote a text as one word of a command line; `unescaped` reverses it."""
    if PLAIN.fullmatch(text):
        return text
    escaped = SPECIAL.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", text)
    return f'"{escaped}"'


def option(name: str, text: str) -> str:
    """Return an option with its value: --name value."""
    if not text:
        # Some shells pass no empty word on.
        return f"{name}="
    # A value that begins like an option must not stand alone.
    return f"{name}={quoted(text)}" if text.startswith("-") else f"{name} {quoted(text)}"


def unescaped(text: str) -> str:
    """Return the text that `quoted` wrote, after a shell has removed its quotes."""

    def letter(found: re.Match[str]) -> str:
        number = int(found[1], 16)
        return chr(number) if number <= LAST else found[0]

    return ESCAPE.sub(letter, text)
