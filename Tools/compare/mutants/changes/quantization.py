"""Changes of scales and zero points."""
import numpy as np

from golden_models.tensors import INTEGER_RANGES

from ..model_file import is_constant, is_quantized, operator_name, type_name

# Operators whose bias has the product of the scales of input and weights: positions of input, weights, and bias.
BIASED = {'CONV_2D': (0, 1, 2), 'DEPTHWISE_CONV_2D': (0, 1, 2), 'FULLY_CONNECTED': (0, 1, 2), 'TRANSPOSE_CONV': (2, 1, 3), 'CONV_3D': (0, 1, 2)}


def parameters(mutant):
    tensors = [t for t in mutant.graph.tensors if is_quantized(t) and t.quantization.detailsType == 0 and type_name(t) in INTEGER_RANGES
               and type_name(t) != 'int32']
    if not tensors:
        return None
    random = mutant.random
    chosen = tensors[random.choice(len(tensors))]
    group = [chosen]
    # Operators that only move values require the same parameters on both sides.
    if random.random() < 0.6:
        group = [t for t in tensors if same(t, chosen) and is_constant(mutant.model, t) == is_constant(mutant.model, chosen)]
    old = np.array(chosen.quantization.scale, np.float32)
    scale = new_scale(random, old, tensors)
    zero = new_zero(random, mutant, chosen)
    note = 'quantization of %d tensors: %s %s' % (len(group), scale[:2].tolist(), zero)
    for tensor in group:
        tensor.quantization.scale = scale.copy()
        if zero is not None:
            tensor.quantization.zeroPoint = np.full(len(scale), zero, np.int64)
    fit_biases(mutant)
    return note


def same(a, b):
    return a.type == b.type and np.array_equal(a.quantization.scale, b.quantization.scale) and np.array_equal(a.quantization.zeroPoint, b.quantization.zeroPoint)


def new_scale(random, old, tensors):
    kind = random.random()
    if kind < 0.2:
        return (np.exp2(np.round(np.log2(old)) + random.integers(-2, 3))).astype(np.float32)
    if kind < 0.35:
        return np.resize(np.array(tensors[random.choice(len(tensors))].quantization.scale, np.float32), len(old))
    if kind < 0.45:
        return old
    if len(old) > 1:
        return (old * 2 ** random.uniform(-2, 2, len(old))).astype(np.float32)
    return (old * 2 ** random.uniform(-4, 4)).astype(np.float32)


def new_zero(random, mutant, tensor):
    """Returns a zero point, or None if it must not change: weights and int16 have none."""
    name = type_name(tensor)
    if name not in ('int8', 'uint8') or is_constant(mutant.model, tensor) and not np.any(tensor.quantization.zeroPoint) or random.random() < 0.2:
        return None
    first, last = INTEGER_RANGES[name]
    return int(random.choice([first, last, (first + last + 1) // 2, random.integers(first, last + 1), random.integers(first, last + 1)]))


def fit_biases(mutant):
    for operator in mutant.graph.operators:
        places = BIASED.get(operator_name(mutant.model, operator))
        if places is None or max(places) >= len(operator.inputs) or min(operator.inputs[p] for p in places) < 0:
            continue
        source, weights, bias = (mutant.graph.tensors[operator.inputs[p]] for p in places)
        if not all(map(is_quantized, (source, weights, bias))):
            continue
        scales = np.float32(source.quantization.scale[0]) * np.array(weights.quantization.scale, np.float32)
        bias.quantization.scale = scales.astype(np.float32)
        bias.quantization.zeroPoint = np.zeros(len(scales), np.int64)
