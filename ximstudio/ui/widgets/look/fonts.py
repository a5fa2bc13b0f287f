"""The window's type: Inter, which comes with the program, in four weights and six sizes."""

from __future__ import annotations

from enum import IntEnum
from functools import cache

from PySide6.QtGui import QFont, QFontDatabase

from ximstudio.assets import asset

FAMILY = "Inter"
FILES = ("Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "Inter-Bold.otf")


class Text(IntEnum):
    """Heights of type in pixels at 100 %; points would differ between systems."""

    CAPTION = 11
    SMALL = 12
    BODY = 13
    TITLE = 15
    HEADING = 20
    DISPLAY = 28


@cache
def load_fonts() -> str:
    """Return the font family: the bundled one, or the system's if it cannot be loaded."""
    loaded = [QFontDatabase.addApplicationFont(str(asset("fonts", name))) for name in FILES]
    if -1 in loaded:
        return QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    return FAMILY


def font(
    size: int = Text.BODY, *, weight: QFont.Weight = QFont.Weight.Normal, tabular: bool = False
) -> QFont:
    """Return a font of that size; `tabular` for numbers in columns."""
    chosen = QFont(load_fonts())
    chosen.setPixelSize(size)
    chosen.setWeight(weight)
    # Hinting would round widths to whole pixels, which spoils spacing at this size.
    chosen.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    if tabular:
        chosen.setFeature(QFont.Tag("tnum"), 1)
    return chosen
