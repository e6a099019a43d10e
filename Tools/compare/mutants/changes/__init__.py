"""The changes of a model that keep it meaningful.

A change is a function of a `Mutant`. It returns a description, or None if it finds nothing to change. The reference decides whether an operator accepts the
result.
"""
from . import constants, options, quantization, shapes, types

WEIGHTED = ((shapes.dimension, 0.26), (shapes.batch, 0.06), (shapes.rank, 0.04), (shapes.resize, 0.04), (options.option, 0.2),
            (quantization.parameters, 0.2), (constants.weights, 0.08), (constants.parameter, 0.06), (types.element_type, 0.06))
ALL = tuple(change for change, _ in WEIGHTED)
CHANCES = tuple(chance for _, chance in WEIGHTED)
