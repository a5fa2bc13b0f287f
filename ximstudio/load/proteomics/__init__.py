"""Tables of proteins and peptides: several quantities per sample, ids in groups, decoys."""
