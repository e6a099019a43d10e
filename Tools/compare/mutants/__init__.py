"""Random variants of the golden models, run on both sides: what `Tools/compare/differential` is made of."""
