"""Random inputs that depend on a seed only."""

WORDS = (b'', b'a', b'swift', b'two words', 'naïve'.encode(), b'0123456789', b'Hello, world!')


class Recipe:
    """The rules for filling inputs in one attempt.

    integers: the range of unquantized integers, which can be indices or sizes, or SHAPE; floats: the range of floats;
    unknown: the size for dynamic dimensions, or None for the size in the file.
    """

    def __init__(self, integers=None, floats=(-1.0, 1.0), unknown=None, is_positive=False):
        self.integers, self.floats, self.unknown, self.is_positive = integers, floats, unknown, is_positive

    def resized(self, unknown):
        return Recipe(self.integers, self.floats, unknown, self.is_positive)

    def chooser(self, seed, steps):
        """Returns a function from the details of inputs and outputs to the values of all steps."""
        return lambda inputs, outputs: [[value(detail, self, '%s/%d/%d' % (seed, step, i), outputs) for i, detail in enumerate(inputs)]
                                        for step in range(steps)]


# Stands for the shape of an output, for models that have one as an input.
SHAPE = 'shape'
# Tried in this order until the reference accepts the values: many models only accept integers that are valid indices, axes, or sizes, and
# some only positive numbers.
RECIPES = (Recipe(), Recipe((0, 1)), Recipe((1, 1)), Recipe((0, 0)), Recipe((2, 2)), Recipe(SHAPE), Recipe(floats=(0.1, 2.0), is_positive=True),
           *(Recipe(integers, unknown=unknown) for unknown in (2, 3, 4) for integers in ((0, 1), (1, 1), (0, 0))))


def value(detail, recipe, seed, outputs):
    import numpy as np
    from golden_models.tensors import random_values
    dtype = np.dtype(detail['dtype'])
    signature = detail.get('shape_signature', [])
    shape = [int(d) for d in detail['shape']]
    if recipe.unknown is not None and len(signature) == len(shape):
        shape = [recipe.unknown if s < 0 else d for s, d in zip(signature, shape)]
    if dtype.kind in 'SO':
        return np.array(WORDS, object)[random_values('int64', shape, seed, 0, len(WORDS) - 1)]
    if dtype.kind == 'c':
        parts = [random_values('float32', shape, seed + part, *recipe.floats) for part in ('real', 'imaginary')]
        return (parts[0] + 1j * parts[1]).astype(dtype)
    if dtype.kind == 'f':
        return random_values(dtype.name, shape, seed, *recipe.floats)
    if dtype == bool:
        return random_values('bool', shape, seed)
    is_plain = len(detail['quantization_parameters']['scales']) == 0
    if dtype.itemsize <= 2 and not (is_plain and recipe.integers):
        limits = np.iinfo(dtype)
        # Converters don't use the most negative int16, because it has no positive counterpart.
        low = -limits.max if dtype == np.int16 else limits.min
        if recipe.is_positive:
            low = 1 if is_plain else max(low, int(detail['quantization_parameters']['zero_points'][0]) + 1)
        return random_values('int32', shape, seed, low, limits.max).astype(dtype)
    if recipe.integers == SHAPE:
        fitting = [output['shape'] for output in outputs if [len(output['shape'])] == shape]
        return np.array(fitting[0] if fitting else np.ones(shape), dtype)
    return random_values('int64', shape, seed, *(recipe.integers or (0, 9))).astype(dtype)
