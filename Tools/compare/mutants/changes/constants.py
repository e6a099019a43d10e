"""Changes of constants' elements."""
import numpy as np

from ..inputs import floats
from ..model_file import is_constant, is_parameter, is_quantized, set_values, shape_of, type_name, values_of

BITS = {'int4': 4, 'uint4': 4, 'int2': 2}


def weights(mutant):
    """Changes the elements of constants that take part in arithmetic."""
    tensors = [t for t in mutant.graph.tensors if is_constant(mutant.model, t) and not is_parameter(mutant.model, t) and t.sparsity is None]
    if not tensors:
        return None
    tensor = tensors[mutant.random.choice(len(tensors))]
    name, random = type_name(tensor), mutant.random
    if name in BITS:
        content = mutant.model.buffers[tensor.buffer].data
        shape = shape_of(tensor)
        set_values(mutant.model, tensor, random.integers(0, 256, len(content), dtype=np.uint8))
        tensor.shape = shape
        return 'weights of %s' % name
    array = values_of(mutant.model, tensor)
    if array is None or array.dtype.kind not in 'fiu':
        return None
    if array.dtype.kind == 'f':
        style, values = floats(random, array.shape, array)
        limit = np.finfo(array.dtype).max
        values = np.clip(values, -limit, limit)
    elif is_quantized(tensor) and array.dtype.itemsize <= 2:
        limits = np.iinfo(array.dtype)
        # Symmetric weights do not use the lowest quantized value.
        low = limits.min if np.any(tensor.quantization.zeroPoint) or array.dtype.kind == 'u' else -limits.max
        style = str(random.choice(['any', 'extremes', 'small']))
        bounds = (max(low, -2), 2) if style == 'small' else (low, limits.max)
        values = random.choice([low, limits.max], array.shape) if style == 'extremes' else random.integers(*bounds, array.shape, endpoint=True)
    else:
        bound = int(np.abs(array.astype(np.int64)).max(initial=1)) * int(random.choice([1, 4, 1000]))
        limits = np.iinfo(array.dtype)
        style, values = 'up to %d' % bound, random.integers(max(limits.min, -bound), min(limits.max, bound), array.shape, endpoint=True)
    set_values(mutant.model, tensor, values.astype(array.dtype))
    return 'weights of %s: %s' % (name, style)


def parameter(mutant):
    """Changes one number of an axis, size, position, or permutation."""
    tensors = [t for t in mutant.graph.tensors if is_parameter(mutant.model, t)]
    if not tensors:
        return None
    tensor = tensors[mutant.random.choice(len(tensors))]
    array = values_of(mutant.model, tensor)
    if array is None or array.size == 0:
        return None
    values, random = array.copy().ravel(), mutant.random
    if values.size > 1 and random.random() < 0.4:
        values = random.permutation(values)
    else:
        values[random.integers(values.size)] += random.choice([-1, 1, 1, 2])
    if np.array_equal(values, array.ravel()):
        return None
    set_values(mutant.model, tensor, values.reshape(array.shape))
    return 'parameter %s to %s' % (array.ravel()[:8].tolist(), values[:8].tolist())
