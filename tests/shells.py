"""Word splitting of bash, PowerShell and cmd, after their documentation.

A line that means more than words to a shell is refused by its model: nothing that is pasted may
expand, redirect or start anything.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

DOUBLE = '"\u201c\u201d\u201e'
"""What PowerShell takes for a double quotation mark."""
SINGLE = "'\u2018\u2019\u201a\u201b"


class Expanded(Exception):
    """The shell would make something else of it."""


def bash(line: str) -> list[str]:
    """The words of a line in an interactive bash."""
    if "!" in line or re.search(r"[\n\r\x00]", line):
        raise Expanded(line)
    quotes = re.split(r'("(?:[^"\\]|\\.)*")', line)
    for place, part in enumerate(quotes):
        if place % 2 and re.search(r"(?<!\\)[$`]", part):
            raise Expanded(part)
        if place % 2 == 0 and re.search(r"[$`&|;<>(){}*?\[\]~#'\\]", part):
            raise Expanded(part)
    return shlex.split(line)


def powershell_words(line: str) -> list[str]:
    """The arguments that PowerShell finds in a line, in argument mode."""
    words: list[str] = []
    word: str | None = None
    place = 0
    while place < len(line):
        letter = line[place]
        if letter in DOUBLE:
            found, place = _quotation(line, place + 1)
            word = (word or "") + found
            continue
        if letter.isspace():
            words += [] if word is None else [word]
            word = None
        elif letter in "$`&|;<>(){}@#," or letter in SINGLE:
            raise Expanded(line[place:])
        else:
            word = (word or "") + letter
        place += 1
    return words + ([] if word is None else [word])


def _quotation(line: str, place: int) -> tuple[str, int]:
    found = ""
    while place < len(line):
        letter = line[place]
        if letter in DOUBLE:
            if place + 1 < len(line) and line[place + 1] in DOUBLE:
                found += line[place + 1]
                place += 2
                continue
            return found, place + 1
        if letter in "$`\n\r\x00":
            raise Expanded(line[place:])
        found += letter
        place += 1
    raise Expanded(line)


def powershell_5(line: str) -> list[str]:
    """Windows PowerShell: quotes go around words with spaces, and nothing in them is escaped."""
    words = [word for word in powershell_words(line) if word]
    return command_line(" ".join(f'"{word}"' if re.search(r"\s", word) else word for word in words))


def powershell_7(line: str) -> list[str]:
    """PowerShell 7.3 and later hand words on as they are."""
    return powershell_words(line)


def cmd(line: str) -> list[str]:
    """What cmd hands to a program, and the program's runtime finds in it."""
    if "%" in line or re.search(r"[\n\r\x00\x1a]", line):
        raise Expanded(line)
    outside = "".join(line.split('"')[::2])
    if re.search(r"[&|<>^()]", outside):
        raise Expanded(outside)
    return command_line(line)


def command_line(line: str) -> list[str]:
    """The arguments of a Windows program, as CommandLineToArgvW finds them."""
    words: list[str] = []
    word: list[str] | None = None
    quoted = False
    place = 0
    while place < len(line):
        slashes = len(line[place:]) - len(line[place:].lstrip("\\"))
        after = line[place + slashes : place + slashes + 1]
        if slashes:
            word = [] if word is None else word
            if after == '"':
                word.append("\\" * (slashes // 2))
                if slashes % 2:
                    word.append('"')
                    place += 1
            else:
                word.append("\\" * slashes)
            place += slashes
            continue
        letter = line[place]
        if letter == '"':
            word = [] if word is None else word
            if quoted and line[place + 1 : place + 2] == '"':
                word.append('"')
                place += 1
            else:
                quoted = not quoted
        elif letter in " \t" and not quoted:
            words += [] if word is None else ["".join(word)]
            word = None
        else:
            word = [*(word or ()), letter]
        place += 1
    return words + ([] if word is None else ["".join(word)])


SHELLS: dict[str, Callable[[str], list[str]]] = {
    "bash": bash,
    "powershell 5": powershell_5,
    "powershell 7": powershell_7,
    "cmd": cmd,
}
