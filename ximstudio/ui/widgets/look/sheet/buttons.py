"""Buttons: plain, primary, ghost and danger; tool buttons; segments."""

SHEET = """
QPushButton {
    background: $surface; color: $text; border: 1px solid $border_strong;
    border-radius: $radius; padding: 0 $medium; min-height: $height_normal; font-weight: 500;
}
QPushButton, QToolButton { outline: none; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $pressed; }
QPushButton:checked { background: $accent_soft; border-color: $accent; color: $accent; }
QPushButton:focus { border: 2px solid $focus; padding: 0 11px; min-height: 26px; }
QPushButton:disabled { background: transparent; color: $disabled; border-color: $border; }

QPushButton[extent="small"] {
    min-height: $height_small; padding: 0 $small; font-size: $text_small;
    border-radius: $radius_small;
}
QPushButton[extent="small"]:focus { min-height: 20px; padding: 0 7px; }
QPushButton[extent="large"] { min-height: $height_large; padding: 0 20px; font-size: 14px; }
QPushButton[extent="large"]:focus { min-height: 34px; padding: 0 19px; }

QPushButton[kind="primary"] {
    background: $accent; color: $accent_text; border-color: $accent; font-weight: 600;
}
QPushButton[kind="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[kind="primary"]:pressed { background: $accent_pressed; border-color: $accent_pressed; }
QPushButton[kind="primary"]:focus { border-color: $text; }
QPushButton[kind="primary"]:disabled {
    background: $pressed; color: $disabled; border-color: $pressed;
}

QPushButton[kind="ghost"] { background: transparent; border-color: transparent; color: $text; }
QPushButton[kind="ghost"]:hover { background: $hover; }
QPushButton[kind="ghost"]:pressed { background: $pressed; }
QPushButton[kind="ghost"]:checked { background: $accent_soft; color: $accent; }
QPushButton[kind="ghost"]:focus { border-color: $focus; }
QPushButton[kind="ghost"]:disabled { color: $disabled; }

QPushButton[kind="link"] {
    background: transparent; border-color: transparent; color: $accent; padding: 0 2px;
    min-height: 20px; text-align: left;
}
QPushButton[kind="link"]:hover { text-decoration: underline; }
QPushButton[kind="link"]:focus { border: 1px solid $focus; padding: 0 2px; min-height: 20px; }
QPushButton[kind="link"]:disabled { color: $disabled; }
QPushButton[kind="link"][edge="flush"] { padding: 0 4px 0 -1px; }
QPushButton[kind="link"][edge="flush"]:focus { padding: 0 1px 0 2px; }

QPushButton[kind="danger"] { color: $danger; border-color: $danger; }
QPushButton[kind="danger"]:hover { background: $danger_soft; }
QPushButton[kind="danger"]:focus { border-color: $danger; background: $danger_soft; }
QPushButton[kind="danger"]:disabled { color: $disabled; border-color: $border; }

QPushButton[kind="step"] {
    background: transparent; border-color: transparent; color: $text; text-align: left;
    padding: 0 $small; font-weight: 500;
}
QPushButton[kind="step"]:hover { background: $hover; }
QPushButton[kind="step"]:checked { background: $accent_soft; color: $accent; font-weight: 600; }
QPushButton[kind="step"]:focus { border-color: $focus; }
QPushButton[kind="step"]:disabled { color: $disabled; }
QPushButton[kind="step"][beside="true"] { padding: 0 3px; text-align: center; }
QPushButton[kind="step"][beside="true"]:focus { padding: 0 2px; }
QPushButton[kind="step"][crowded="true"] { padding: 0 2px 0 6px; text-align: left; }
QPushButton[kind="step"][crowded="true"]:focus { padding: 0 1px 0 5px; }

QPushButton::menu-indicator {
    image: url($glyphs/down.svg); width: 12px; height: 12px;
    subcontrol-origin: padding; subcontrol-position: center right; right: $small;
}
QPushButton[menu="true"] { padding-right: 26px; }

QToolButton {
    background: transparent; color: $text; border: 1px solid transparent;
    border-radius: $radius; padding: 0 6px; min-height: $height_normal; min-width: 16px;
    font-weight: 500;
}
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:open { background: $pressed; }
QToolButton:checked { background: $accent_soft; color: $accent; }
QToolButton:focus { border-color: $focus; }
QToolButton:disabled { color: $disabled; }
QToolButton[extent="small"] {
    min-height: $height_small; min-width: 14px; padding: 0 3px; border-radius: $radius_small;
}
QToolButton[popupMode="2"] { padding-right: 18px; }
QToolButton[popupMode="1"] { padding-right: 24px; }
QToolButton[menu="quiet"] { padding-right: 6px; }
QToolButton[menu="quiet"][extent="small"] { padding-right: 3px; }
QToolButton[menu="quiet"]::menu-indicator { image: none; width: 0; }
QToolButton::menu-indicator {
    image: url($glyphs/down.svg); width: 12px; height: 12px;
    subcontrol-origin: padding; subcontrol-position: center right; right: 5px;
}
QToolButton::menu-button { border: none; width: 20px; }
QToolButton::menu-arrow { image: url($glyphs/down.svg); width: 12px; height: 12px; }

QFrame[kind="segments"] {
    background: $sunken; border: 1px solid $border; border-radius: $radius;
}
QFrame[kind="segments"] QPushButton, QFrame[kind="segments"] QToolButton {
    background: transparent; color: $muted; border: 1px solid transparent;
    border-radius: $radius_small; padding: 0 10px; min-height: $height_small;
}
QFrame[kind="segments"] QToolButton { padding: 0 5px; }
QFrame[kind="segments"] QPushButton:hover, QFrame[kind="segments"] QToolButton:hover {
    color: $text;
}
QFrame[kind="segments"] QPushButton:checked, QFrame[kind="segments"] QToolButton:checked {
    background: $raised; color: $text; border-color: $border_strong;
}
QFrame[kind="segments"] QPushButton:focus, QFrame[kind="segments"] QToolButton:focus {
    border: 1px solid $focus; color: $text; padding: 0 10px; min-height: $height_small;
}
QFrame[kind="segments"] QToolButton:focus { padding: 0 5px; }
QFrame[kind="segments"] QPushButton:disabled { color: $disabled; }
"""
