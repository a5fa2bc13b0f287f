"""States, pictures and figures that several views share."""
