"""Changes of the sizes and ranks of inputs, and of the constants that depend on them."""
import numpy as np

from ..model_file import is_constant, is_parameter, is_quantized, set_values, shape_of, type_name, values_of

SIZES = (1, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64)
LARGEST = 6000


def dimension(mutant):
    """Changes one dimension: in this input alone, in all inputs, or in all tensors with the same number."""
    candidates = [(i, d) for i, shape in enumerate(mutant.shapes) for d in range(len(shape))]
    if not candidates:
        return None
    random = mutant.random
    position, axis = candidates[random.choice(len(candidates))]
    old = mutant.shapes[position][axis]
    new = int(random.choice([max(1, old - 1), old + 1, old * 2, random.choice(SIZES)]))
    if new == old or too_large(mutant.shapes[position], axis, new):
        return None
    scope = str(random.choice(['alone', 'inputs', 'everywhere', 'everywhere']))
    if scope == 'alone':
        mutant.shapes[position][axis] = new
    else:
        for shape in mutant.shapes:
            shape[:] = [new if d == old else d for d in shape]
    if any(np.prod(shape, dtype=float) > LARGEST for shape in mutant.shapes):
        for shape in mutant.shapes:
            shape[:] = [min(d, 8) for d in shape]
    if scope == 'everywhere':
        replace_in_constants(mutant, old, new, bool(random.random() < 0.5))
    return 'dimension %d of input %d: %d to %d (%s)' % (axis, position, old, new, scope)


def too_large(shape, axis, new):
    return np.prod([new if d == axis else size for d, size in enumerate(shape)], dtype=float) > LARGEST


def replace_in_constants(mutant, old, new, with_parameters):
    """Changes constants to the new size too, with their elements and scales; lists of sizes can contain it."""
    for tensor in mutant.graph.tensors:
        array = values_of(mutant.model, tensor)
        if array is None:
            continue
        if is_parameter(mutant.model, tensor):
            if with_parameters and (array == old).any():
                set_values(mutant.model, tensor, np.where(array == old, new, array).astype(array.dtype))
            continue
        shape = [new if d == old else d for d in array.shape]
        if shape != list(array.shape) and array.size and np.prod(shape, dtype=float) <= LARGEST:
            fit_scales(tensor, shape)
            set_values(mutant.model, tensor, np.resize(array, shape))


def fit_scales(tensor, shape):
    if is_quantized(tensor) and len(tensor.quantization.scale) > 1 and tensor.quantization.quantizedDimension < len(shape):
        count = shape[tensor.quantization.quantizedDimension]
        tensor.quantization.scale = np.resize(tensor.quantization.scale, count).astype(np.float32)
        tensor.quantization.zeroPoint = np.resize(tensor.quantization.zeroPoint, count).astype(np.int64)


def batch(mutant):
    """Changes the first dimension of all inputs with as many elements as the first one."""
    first = next((shape[0] for shape in mutant.shapes if shape), None)
    new = int(mutant.random.choice([1, 2, 3, 5]))
    chosen = [shape for shape in mutant.shapes if shape and shape[0] == first]
    if not chosen or first == new or any(too_large(shape, 0, new) for shape in chosen):
        return None
    for shape in chosen:
        shape[0] = new
    return 'batch: %d to %d' % (first, new)


def rank(mutant):
    """Adds or removes a dimension in all inputs with as many dimensions as the first one."""
    if not mutant.shapes:
        return None
    count = len(mutant.shapes[0])
    chosen = [shape for shape in mutant.shapes if len(shape) == count]
    adds = count == 0 or mutant.random.random() < 0.6
    place = int(mutant.random.choice([0, max(count - 1, 0)]))
    for shape in chosen:
        if adds:
            shape.insert(place, 1)
        else:
            del shape[place]
    return 'rank: %d to %d at %d' % (count, count + (1 if adds else -1), place)


def resize(mutant):
    """Makes a dimension dynamic in the file, which the run sets."""
    candidates = [i for i, shape in enumerate(mutant.shapes) if shape]
    if not candidates:
        return None
    position = int(mutant.random.choice(candidates))
    tensor, shape = mutant.inputs[position], mutant.shapes[position]
    axis = int(mutant.random.integers(len(shape)))
    stated = list(shape)
    stated[axis] = 1
    tensor.shape = stated
    mutant.is_resized[position] = True
    return 'dimension %d of input %d is open' % (axis, position)


def describes(mutant, tensor):
    return '%s %s%s' % (type_name(tensor), shape_of(tensor), ' constant' if is_constant(mutant.model, tensor) else '')
