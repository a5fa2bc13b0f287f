"""Fields to write in, ticks, radio buttons, switches and sliders."""

SHEET = """
QLineEdit, QAbstractSpinBox, QComboBox {
    background: $surface; color: $text; border: 1px solid $border_strong;
    border-radius: $radius; padding: 0 $small; min-height: $height_normal;
    selection-background-color: $selection; selection-color: $text;
}
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover { border-color: $axis; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QComboBox:on {
    border: 2px solid $focus; padding: 0 7px; min-height: 26px;
}
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {
    background: $sunken; color: $disabled; border-color: $border;
}
QLineEdit:read-only { background: $sunken; }
QLineEdit[state="error"], QAbstractSpinBox[state="error"], QComboBox[state="error"] {
    border-color: $danger;
}
QLineEdit[state="warning"], QAbstractSpinBox[state="warning"], QComboBox[state="warning"] {
    border-color: $warning;
}
QLineEdit[kind="search"] { background: $sunken; border-color: $border; }
QLineEdit[kind="search"]:hover { border-color: $border_strong; }
QLineEdit[kind="search"]:focus { background: $surface; border-color: $focus; }
QLineEdit QToolButton { border: none; padding: 0; min-height: 16px; background: transparent; }

QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus {
    border: none; padding: 0; min-height: 0; background: transparent;
}
/* Without the bound Qt adds room for the arrows and makes them higher than other fields. */
QAbstractSpinBox { padding-right: 0; max-height: $height_normal; }
QAbstractSpinBox:focus { padding-right: 0; max-height: 26px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
    subcontrol-origin: border; width: 22px; border: none; background: transparent;
}
QAbstractSpinBox::up-button {
    subcontrol-position: top right; margin: 2px 2px 0 0;
    border-top-right-radius: $radius_small;
}
QAbstractSpinBox::down-button {
    subcontrol-position: bottom right; margin: 0 2px 2px 0;
    border-bottom-right-radius: $radius_small;
}
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $hover; }
QAbstractSpinBox::up-button:pressed, QAbstractSpinBox::down-button:pressed {
    background: $pressed;
}
QAbstractSpinBox::up-arrow { image: url($glyphs/up.svg); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url($glyphs/down.svg); width: 10px; height: 10px; }
QAbstractSpinBox::up-arrow:off, QAbstractSpinBox::up-arrow:disabled {
    image: url($glyphs/up-off.svg);
}
QAbstractSpinBox::down-arrow:off, QAbstractSpinBox::down-arrow:disabled {
    image: url($glyphs/down-off.svg);
}

/* The drop-down is inside the padding and keeps the text away from the arrow by its width. */
QComboBox { combobox-popup: 0; padding: 0 2px 0 10px; }
QComboBox:focus, QComboBox:on { padding: 0 1px 0 9px; }
QComboBox::drop-down {
    subcontrol-origin: padding; subcontrol-position: center right; width: 24px; border: none;
}
QComboBox::down-arrow { image: url($glyphs/down.svg); width: 12px; height: 12px; }
QComboBox::down-arrow:disabled { image: url($glyphs/down-off.svg); }
QComboBox QLineEdit, QComboBox QLineEdit:focus {
    border: none; padding: 0; min-height: 0; background: transparent;
}
QComboBox QAbstractItemView {
    background: $raised; color: $text; border: 1px solid $border_strong; padding: 3px;
    outline: none; selection-background-color: $pressed; selection-color: $text;
}
QComboBox QAbstractItemView::item {
    min-height: 28px; padding: 0 $small; border-radius: $radius_small; border: none;
}
QComboBox QAbstractItemView::item:hover, QComboBox QAbstractItemView::item:selected {
    background: $pressed; color: $text;
}

QPlainTextEdit, QTextEdit {
    background: $surface; color: $text; border: 1px solid $border_strong;
    border-radius: $radius; padding: $hair;
    selection-background-color: $selection; selection-color: $text;
}
QPlainTextEdit:focus, QTextEdit:focus { border-color: $focus; }
QTextBrowser { border: none; background: transparent; padding: 0; }


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
