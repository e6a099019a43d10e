"""The modules of `Tools/compare/differential`: random variants of the golden models, run on both sides."""
