"""What locus-doctor is made of."""
