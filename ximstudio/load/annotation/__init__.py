"""What is known about genes and samples: labels from a second file, and gene sets."""
