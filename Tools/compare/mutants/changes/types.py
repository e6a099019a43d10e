"""Changes of element types."""
import numpy as np

from ..model_file import is_constant, is_parameter, is_quantized, set_type, set_values, type_name, values_of
from .options import raise_version
from .quantization import fit_biases

QUANTIZED = {'int8': ('uint8', 'int16'), 'uint8': ('int8', 'int16'), 'int16': ('int8', 'uint8')}
PLAIN = {'float32': ('int32', 'float16', 'int64'), 'int32': ('int64', 'float32', 'int16'), 'int64': ('int32', 'float32'), 'float16': ('float32',),
         'float64': ('float32',), 'int16': ('int32',), 'int8': ('int32', 'uint8'), 'uint8': ('int8', 'int32')}


def element_type(mutant):
    """Changes the type of all tensors of one type. In half of the cases, constants keep theirs, as 8-bit weights do for 16-bit activations."""
    random = mutant.random
    kinds = sorted({(type_name(t), is_quantized(t)) for t in mutant.inputs})
    if not kinds:
        return None
    old, quantized = kinds[random.choice(len(kinds))]
    choices = (QUANTIZED if quantized else PLAIN).get(old)
    if not choices:
        return None
    new = str(random.choice(choices))
    with_constants = bool(random.random() < 0.5)
    for tensor in mutant.graph.tensors:
        if type_name(tensor) != old or is_quantized(tensor) != quantized or is_parameter(mutant.model, tensor):
            continue
        if is_constant(mutant.model, tensor):
            array = values_of(mutant.model, tensor)
            if not with_constants or array is None or old == 'int32':
                continue
            set_values(mutant.model, tensor, converted(array, old, new, quantized))
        set_type(tensor, new)
        if quantized:
            requantize(tensor, old, new)
    mutant.samples = [[converted(s, old, new, quantized) if s.dtype.name == old and is_quantized(t) == quantized else s
                       for s, t in zip(step, mutant.inputs)] for step in mutant.samples]
    for operator in mutant.graph.operators:
        raise_version(mutant, operator)
    fit_biases(mutant)
    mutant.is_retyped = True
    return 'type %s to %s%s' % (old, new, ', constants too' if with_constants else '')


def converted(array, old, new, quantized):
    if not quantized:
        with np.errstate(all='ignore'):
            return np.nan_to_num(array).astype(new)
    values = array.astype(np.int32) - (128 if old == 'uint8' else 0)
    values = values * 256 if new == 'int16' and old != 'int16' else values // 256 if old == 'int16' and new != 'int16' else values
    return (values + (128 if new == 'uint8' else 0)).astype(new)


def requantize(tensor, old, new):
    parameters = tensor.quantization
    shift = {'int8': 0, 'uint8': 128, 'int16': 0}
    factor = 256 if old == 'int16' else 1
    parameters.scale = (np.array(parameters.scale, np.float32) * np.float32(factor / (256 if new == 'int16' else 1))).astype(np.float32)
    zero = np.array(parameters.zeroPoint, np.int64) - shift[old] + shift[new]
    parameters.zeroPoint = np.zeros_like(zero) if new == 'int16' else zero
