"""Ticks, radio buttons, switches and sliders."""

SHEET = """
QCheckBox, QRadioButton { background: transparent; spacing: $small; min-height: 22px; }
QCheckBox:disabled, QRadioButton:disabled { color: $disabled; }

QCheckBox::indicator, QRadioButton::indicator, QGroupBox::indicator,
QAbstractItemView::indicator {
    width: 14px; height: 14px; background: $surface; border: 1px solid $axis;
}
QCheckBox::indicator, QGroupBox::indicator, QAbstractItemView::indicator {
    border-radius: $radius_small;
}
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus {
    border: 2px solid $focus; width: 12px; height: 12px;
}
QCheckBox::indicator:checked, QGroupBox::indicator:checked,
QAbstractItemView::indicator:checked {
    background: $accent; border-color: $accent; image: url($glyphs/check.svg);
}
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {
    background: $accent; border-color: $accent; image: url($glyphs/minus.svg);
}
QRadioButton::indicator:checked {
    background: $accent; border-color: $accent; image: url($glyphs/dot.svg);
}
QCheckBox::indicator:checked:hover, QRadioButton::indicator:checked:hover {
    background: $accent_hover;
}
QCheckBox::indicator:checked:focus, QRadioButton::indicator:checked:focus {
    border-color: $text;
}
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {
    background: $sunken; border-color: $border_strong;
}
QCheckBox::indicator:checked:disabled, QRadioButton::indicator:checked:disabled {
    background: $border_strong; border-color: $border_strong;
}

QCheckBox[kind="switch"]::indicator {
    width: 30px; height: 18px; border: 1px solid transparent; border-radius: 10px;
    background: transparent; image: url($glyphs/switch-off.svg);
}
QCheckBox[kind="switch"]::indicator:hover { border-color: $border_strong; }
QCheckBox[kind="switch"]::indicator:focus {
    width: 30px; height: 18px; border: 1px solid $focus;
}
QCheckBox[kind="switch"]::indicator:checked {
    image: url($glyphs/switch-on.svg); background: transparent; border-color: transparent;
}
QCheckBox[kind="switch"]::indicator:checked:focus { border-color: $text; }
QCheckBox[kind="switch"]::indicator:disabled { image: url($glyphs/switch-disabled.svg); }
QCheckBox[kind="switch"]::indicator:checked:disabled {
    image: url($glyphs/switch-on-disabled.svg);
}

QSlider { background: transparent; }
QSlider:horizontal { min-height: 22px; }
QSlider:vertical { min-width: 22px; }
QSlider::groove { background: $pressed; border-radius: 2px; }
QSlider::groove:horizontal { height: 4px; }
QSlider::groove:vertical { width: 4px; }
QSlider::sub-page:horizontal, QSlider::add-page:vertical {
    background: $accent; border-radius: 2px;
}
QSlider::sub-page:horizontal:disabled, QSlider::add-page:vertical:disabled {
    background: $border_strong;
}
QSlider::handle {
    background: $surface; border: 2px solid $accent; border-radius: 8px;
    width: 12px; height: 12px;
}
QSlider::handle:horizontal { margin: -6px 0; }
QSlider::handle:vertical { margin: 0 -6px; }
QSlider::handle:hover { background: $accent_soft; }
QSlider::handle:focus, QSlider::handle:pressed { background: $accent; }
QSlider::handle:disabled { border-color: $border_strong; background: $surface; }
"""
