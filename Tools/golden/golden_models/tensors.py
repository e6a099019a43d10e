"""The building blocks of the models in this directory: tensor descriptions and the quantization of their elements."""
import hashlib

import numpy as np

INTEGER_RANGES = {'int8': (-128, 127), 'uint8': (0, 255), 'int16': (-32767, 32767), 'int32': (-2**31, 2**31 - 1),
                  'int4': (-7, 7)}


class Quantization:
    """Scales and zero points; one of each, or one per slice along `axis`."""

    def __init__(self, scale, zero=0, axis=0):
        self.scales = [float(np.float32(s)) for s in np.atleast_1d(scale)]
        zeros = [int(z) for z in np.atleast_1d(zero)]
        self.zero_points = zeros * len(self.scales) if len(zeros) == 1 else zeros
        self.axis = axis


def covering(dtype, low, high):
    """Returns the quantization of `dtype` whose range contains low...high and 0, as converters choose it."""
    first, last = INTEGER_RANGES[dtype]
    low, high = min(low, 0.0), max(high, 0.0)
    if dtype == 'int16':
        return Quantization(max(-low, high) / last)
    scale = (high - low) / (last - first)
    return Quantization(scale, int(round(first - low / scale)))


class Tensor:
    """An input, constant, variable, or result of a model.

    kind is 'input', 'constant', 'variable', or 'result'. `type` is the schema's type name if it isn't the dtype's own
    (2-bit and 4-bit constants have one int8 per element here and are packed when the model is written).
    `file_shape` is the shape of an input in the model file if the run resizes it. `sparsity` makes `values` the
    stored elements of a constant of shape `shape`: its order, its block map, and per level a size or (segments, indices).
    `blocks` is the tensor with the scales of a blockwise quantized constant, and the number of elements per block.
    """

    def __init__(self, kind, dtype, shape=None, quantization=None, values=None, low=None, high=None, type=None,
                 file_shape=None, sparsity=None, blocks=None):
        self.kind = kind
        self.dtype = dtype
        self.shape = None if shape is None else [int(d) for d in shape]
        self.quantization = quantization
        self.values = values
        self.low, self.high = low, high
        self.type = type or dtype
        self.file_shape = file_shape
        self.sparsity = sparsity
        self.blocks = blocks
        # A tensor with this one's shape and additional dimensions, if this one cannot be inspected.
        self.like = None

    def sample(self, seed):
        """Returns the values of an input: the given ones, or random ones that depend on `seed` only."""
        if self.values is not None:
            return np.asarray(self.values, 'O' if self.dtype == 'string' else self.dtype).reshape(self.shape)
        return random_values(self.dtype, self.shape, seed, self.low, self.high)


def random_values(dtype, shape, seed, low=None, high=None):
    digest = hashlib.sha256(seed.encode()).digest()
    generator = np.random.Generator(np.random.PCG64(int.from_bytes(digest[:8], 'little')))
    if dtype == 'bool':
        return generator.integers(0, 2, shape).astype(bool)
    if dtype in ('float32', 'float16', 'float64'):
        return generator.uniform(-2 if low is None else low, 2 if high is None else high, shape).astype(dtype)
    if dtype.startswith('uint') and dtype != 'uint8':
        return generator.integers(0 if low is None else low, (9 if high is None else high) + 1, shape).astype(dtype)
    if dtype == 'complex64':
        return (generator.uniform(-2, 2, shape) + 1j * generator.uniform(-2, 2, shape)).astype(dtype)
    if dtype in ('int32', 'int64'):
        return generator.integers(-9 if low is None else low, (9 if high is None else high) + 1, shape).astype(dtype)
    first, last = INTEGER_RANGES[dtype]
    return generator.integers(first if low is None else low, (last if high is None else high) + 1, shape).astype(dtype)


# ------------------------------------------------------------ short spellings for the operator entries

def floats(*shape, low=None, high=None, values=None, file_shape=None):
    """Returns a float32 input."""
    return Tensor('input', 'float32', shape, values=values, low=low, high=high, file_shape=file_shape)


def integers(dtype, *shape, low=None, high=None, values=None):
    """Returns an input of unquantized integers or booleans."""
    return Tensor('input', dtype, shape, values=values, low=low, high=high)


def quantized(dtype, *shape, low=-2.0, high=2.0, q=None, values=None, codes=(None, None), file_shape=None):
    """Returns a quantized input with real values in low...high, with all quantized values equally likely."""
    return Tensor('input', dtype, shape, q or covering(dtype, low, high), values=values, low=codes[0], high=codes[1],
                  file_shape=file_shape)


def constant(array, dtype=None, q=None, type=None, blocks=None):
    """Returns a constant tensor."""
    array = np.asarray(array, dtype)
    return Tensor('constant', array.dtype.name, array.shape, q, values=array, type=type, blocks=blocks)


def strings(*values, shape=None, kind='constant'):
    """Returns a constant, or another kind of tensor, of strings; it's a vector unless a shape is given."""
    array = np.array([v.encode() for v in values] + [None], 'O')[:-1].reshape(len(values) if shape is None else shape)
    return Tensor(kind, 'string', array.shape, values=array)


def int32s(*values):
    """Returns a constant int32 vector."""
    return constant(np.array(values, np.int32).reshape(len(values)))


def scalar(value, dtype):
    """Returns a constant without dimensions."""
    return constant(np.array(value, dtype))


def variable(dtype, *shape, q=None):
    """Returns a tensor that keeps its value from run to run, initially zero."""
    return Tensor('variable', dtype, shape, q)


def result(dtype='float32', q=None, shape=None):
    """Returns an output; its shape is the one that the reference computes unless one is given."""
    return Tensor('result', dtype, shape, q)


def quantized_result(dtype, low=-2.0, high=2.0, q=None):
    return Tensor('result', dtype, None, q or covering(dtype, low, high))
