"""The properties of a mutant and of the reference's results for it that causes of differences depend on."""
import numpy as np

from .model_file import is_constant, is_quantized, operator_name, type_name, values_of

SMALLEST_NORMAL = 2.0 ** -126
LARGEST = (np.finfo(np.float32).max, np.finfo(np.float16).max)
SUPPRESSIONS = ('NON_MAX_SUPPRESSION_V4', 'NON_MAX_SUPPRESSION_V5')


def facts_of(mutant, outputs):
    """Returns a set of words. outputs: the arrays that the reference returned in all steps, or None if it returned none."""
    inputs = [array for step in mutant.steps for array in step]
    constants = [array for array in (values_of(mutant.model, t) for t in mutant.graph.tensors) if array is not None]
    floats = [array for array in inputs + constants + (outputs or []) if array.dtype.kind == 'f' and array.size]
    found = set()
    if any(((array != 0) & (np.abs(array.astype(np.float64)) < SMALLEST_NORMAL)).any() for array in floats):
        found.add('denormal numbers')
    results = [array for array in outputs or [] if array.dtype.kind == 'f' and array.size]
    if any(np.isin(np.abs(array.astype(np.float64)), LARGEST).any() for array in results):
        found.add('largest number')
    if any(not np.isfinite(array).all() for array in results):
        found.add('infinite')
    if any(mutant.is_resized):
        found.add('open dimension')
    if any(type_name(t) == 'float16' for t in mutant.graph.tensors):
        found.add('float16')
    if mutant.is_retyped:
        found.add('other type')
    for operator in mutant.graph.operators:
        found |= operator_facts(mutant, operator, operator_name(mutant.model, operator))
    if mutant.entry['operator'] in SUPPRESSIONS:
        found |= suppression_facts(mutant.steps[0], outputs)
    return found


def operator_facts(mutant, operator, name):
    tensors = [mutant.graph.tensors[i] if i >= 0 else None for i in operator.inputs]
    options = operator.builtinOptions
    found = set()
    if name == 'DIV' and is_quantized(tensors[0]):
        zero, step = int(tensors[0].quantization.zeroPoint[0]), mutant.steps[0]
        if any((np.abs(array.astype(int) - zero) <= 3).any() for array, tensor in zip(step, mutant.inputs) if tensor is tensors[0]):
            found.add('small quotients')
    if name in ('CONV_2D', 'FULLY_CONNECTED', 'TRANSPOSE_CONV') and len(tensors) > 2 and getattr(options, 'quantizedBiasType', 1) == 0:
        if any(t is not None and type_name(t) == 'int16' for t in tensors) and type_name(tensors[-1] or tensors[0]) == 'int32':
            found.add('undeclared bias type')
    if name == 'HASHTABLE_LOOKUP':
        keys = values_of(mutant.model, tensors[1])
        if keys is not None and (np.diff(keys) < 0).any():
            found.add('unsorted keys')
    if name.endswith('LSTM') and getattr(options, 'fusedActivationFunction', None) == 0:
        found.add('no activation')
    if name == 'STRIDED_SLICE' and options is not None and options.offset:
        found.add('offset')
    if name == 'FULLY_CONNECTED' and options is not None and options.weightsFormat == 1:
        found.add('shuffled weights')
    if name == 'BIDIRECTIONAL_SEQUENCE_RNN' and options.timeMajor and type_name(tensors[1]) in ('int8', 'uint8'):
        found.add('time first')
    if name == 'FULLY_CONNECTED' and tensors[1].quantization is not None and tensors[1].quantization.details is not None and options.fusedActivationFunction:
        found.add('activation behind blocks')
    if name == 'RFFT2D':
        lengths = values_of(mutant.model, tensors[1])
        if lengths is not None and lengths.ravel()[-1] == 1:
            found.add('transform of length 1')
    if tensors and tensors[0] is not None and type_name(tensors[0]) == 'string':
        found.add('strings')
    plain = [t for t in tensors if t is not None and type_name(t) in ('int8', 'uint8', 'int16') and not is_quantized(t) and not is_constant(mutant.model, t)]
    if plain:
        found.add('plain short integers')
    return found


def suppression_facts(step, outputs):
    found = set()
    boxes, scores = step[0].astype(np.float64), step[1]
    if len(np.unique(scores)) < scores.size:
        found.add('equal scores')
    if boxes.ndim == 2 and boxes.shape[1] == 4 and (np.abs((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])) < SMALLEST_NORMAL).any():
        found.add('boxes without area')
    if outputs:
        count = int(outputs[-1].ravel()[0])
        if len(np.unique(outputs[0][:count])) < count:
            found.add('box selected twice')
    return found
