"""The look of the window: spacing, colours, type, icons and the style sheet made from them."""
