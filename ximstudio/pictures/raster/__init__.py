"""Pictures as arrays of pixels, painted without a screen."""
