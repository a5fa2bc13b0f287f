"""Files that R saves: .rds, .rda and .RData."""
