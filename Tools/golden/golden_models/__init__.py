"""Generates one tiny model per operator, type, and option, with the outputs of the reference kernels."""
