"""The look of the window: spacing, colours, type, icons and the style sheet made from them."""

from ximstudio.pictures.colours import DARK, LIGHT, Colours
from ximstudio.ui.widgets.look.controls import (
    Banner,
    ButtonKind,
    Size,
    Tone,
    button,
    combo_box,
    form,
    icon_segments,
    label,
    line,
    mark,
    segments,
    tool_bar,
    tool_button,
)
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.icons import icon, icon_pixmap
from ximstudio.ui.widgets.look.theme import Scheme, Theme, the_theme

__all__ = [
    "DARK",
    "LIGHT",
    "Banner",
    "ButtonKind",
    "Colours",
    "Scheme",
    "Size",
    "Text",
    "Theme",
    "Tone",
    "button",
    "combo_box",
    "font",
    "form",
    "icon",
    "icon_pixmap",
    "icon_segments",
    "label",
    "line",
    "mark",
    "segments",
    "the_theme",
    "tool_bar",
    "tool_button",
]
