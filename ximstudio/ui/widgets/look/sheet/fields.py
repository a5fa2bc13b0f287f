"""Fields to write in: lines, numbers, drop-downs, long text."""

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
"""
