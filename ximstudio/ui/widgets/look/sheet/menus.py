"""Menus, tool bars and tool tips.

What floats is a window of its own and stays square: round corners need a compositor.
"""

SHEET = """
QMenu { background: $raised; border: 1px solid $border_strong; padding: $hair; }
QMenu::item {
    padding: 6px $wide 6px $medium; border-radius: $radius_small; background: transparent;
}
QMenu::item:selected { background: $pressed; color: $text; }
QMenu::item:disabled { color: $disabled; }
QMenu::icon { padding-left: $small; }
QMenu::separator { height: 1px; background: $border; margin: $hair $small; }
QMenu::indicator { width: 14px; height: 14px; margin-left: $hair; }
QMenu::indicator:checked { image: url($glyphs/check-menu.svg); }
QMenu::right-arrow { image: url($glyphs/right.svg); width: 12px; height: 12px; }

QMenuBar { background: $window; border: none; padding: 2px $hair; }
QMenuBar::item { padding: $hair $small; border-radius: $radius_small; background: transparent; }
QMenuBar::item:selected { background: $hover; }
QMenuBar::item:pressed { background: $pressed; }

QToolBar {
    background: $surface; border: none; border-bottom: 1px solid $border;
    padding: $hair $small; spacing: 2px;
}
QToolBar::separator { background: $border; width: 1px; margin: 6px 6px; }

QToolTip {
    background: $raised; color: $text; border: 1px solid $border_strong;
    padding: 3px 4px; font-size: $text_small;
}
"""
