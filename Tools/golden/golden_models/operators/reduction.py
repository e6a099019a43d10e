"""Reductions along axes, ARG_MAX/ARG_MIN, TOPK_V2, CUMSUM."""
import numpy as np

from golden_models.graph import operator
from golden_models.tensors import covering, floats, int32s, integers, quantized, quantized_result, result, scalar

# name: input shape, axes, keep_dims
REDUCTIONS = {
    'last': ([2, 3, 17], [-1], False),
    'first': ([3, 5], [0], False),
    'middle_kept': ([2, 4, 3], [1], True),
    'picture': ([1, 4, 3, 5], [1, 2], False),
    'picture_kept': ([2, 3, 4, 5], [1, 2], True),
    'channel_and_row': ([2, 3, 2, 5], [3, 1], False),
    'all': ([2, 3, 4], [0, 1, 2], False),
    'all_kept': ([2, 3, 4], [0, 1, 2], True),
    'repeated_axis': ([2, 3, 4], [1, -2], False),
    'length_33': ([33, 2], [0], True),
    'length_1': ([3, 1, 2], [1], False),
}


def options(keep):
    return ('ReducerOptions', {'keepDims': keep})


def sum_defect(op, dtype):
    if op.name != 'SUM' or dtype == 'uint8':
        return {}
    return {'defect': 'the reference kernel scales by a multiplier that it sets for uint8 only'}


@operator('MEAN', 'SUM', 'REDUCE_MAX', 'REDUCE_MIN', 'REDUCE_PROD')
def reductions(op):
    extreme = op.name in ('REDUCE_MAX', 'REDUCE_MIN')
    product = op.name == 'REDUCE_PROD'
    for name, (shape, axes, keep) in REDUCTIONS.items():
        op.add('float32_' + name, [floats(*shape, low=-1.3, high=1.6), int32s(*axes)], options=options(keep))
        types = ('int8', 'int16') if product else ('int8', 'uint8', 'int16')
        if name not in ('last', 'picture', 'picture_kept', 'length_33') or extreme and name != 'last':
            types = types[:1]
        for dtype in types:
            q = covering(dtype, -1.7, 1.5)
            count = np.prod([shape[a] for a in set(a % len(shape) for a in axes)])
            size = {'MEAN': 1.6 / np.sqrt(count) + 0.15, 'SUM': 1.5 * np.sqrt(count) + 0.3}.get(op.name, 2)
            output = q if extreme else covering(dtype, -size, size)
            op.add('%s_%s' % (dtype, name), [quantized(dtype, *shape, q=q), int32s(*axes)],
                   [quantized_result(dtype, q=output)], options(keep), **sum_defect(op, dtype))
        if op.name == 'MEAN' and name in ('picture', 'picture_kept'):
            for dtype in ('int8', 'uint8'):
                q = covering(dtype, -1.7, 1.5)
                op.add('%s_%s_same_scale' % (dtype, name), [quantized(dtype, *shape, q=q), int32s(*axes)],
                       [quantized_result(dtype, q=q)], options(keep))
    shape, axes, keep = REDUCTIONS['channel_and_row']
    for dtype in ('int32', 'int64'):
        op.add(dtype, [integers(dtype, *shape), int32s(*axes)], [result(dtype)], options(keep))
    op.add('float32_scalar_axis', [floats(2, 3, 5), scalar(1, 'int32')], options=options(False))
    op.add('float32_empty_axis_length', [floats(2, 0, 3), int32s(1)], options=options(False))
    op.add('float32_runtime_axis', [floats(2, 3, 5), integers('int32', 1, values=[1])],
           options=options(False))


@operator('REDUCE_ANY', 'REDUCE_ALL')
def boolean_reductions(op):
    for name in ('last', 'picture', 'picture_kept', 'all', 'middle_kept', 'length_1'):
        shape, axes, keep = REDUCTIONS[name]
        mostly = np.arange(np.prod(shape)).reshape(shape) % 19 == 3
        values = ~mostly if op.name == 'REDUCE_ALL' else mostly
        op.add('bool_' + name, [integers('bool', *shape, values=values), int32s(*axes)], [result('bool')],
               options(keep))
    op.add('bool_random', [integers('bool', 3, 2), int32s(1)], [result('bool')], options(False))


@operator('ARG_MAX', 'ARG_MIN')
def arguments(op):
    def options_for(dtype):
        return ('ArgMaxOptions' if op.name == 'ARG_MAX' else 'ArgMinOptions',
                {'outputType': 2 if dtype == 'int32' else 4})
    for name, shape, axis in [('last', [3, 17], -1), ('first', [5, 3], 0), ('middle', [2, 4, 3], 1),
                              ('picture', [1, 3, 4, 5], 3), ('vector', [33], 0), ('length_1', [3, 1, 2], 1)]:
        op.add('float32_' + name, [floats(*shape), scalar(axis, 'int32')], [result('int32')], options_for('int32'))
        for dtype in ('int8', 'uint8'):
            op.add('%s_%s' % (dtype, name), [quantized(dtype, *shape, codes=(0, 12)), scalar(axis, 'int32')],
                   [result('int32')], options_for('int32'))
    op.add('float32_to_int64', [floats(3, 5), scalar(1, 'int32')], [result('int64')], options_for('int64'))
    op.add('float32_axis_of_int64', [floats(3, 5), scalar(1, 'int64')], [result('int32')], options_for('int32'))
    op.add('float32_ties', [floats(2, 5, values=[1, 3, 3, 1, 3, 0, 0, 0, 0, 0]), scalar(1, 'int32')],
           [result('int32')], options_for('int32'))
    op.add('int32', [integers('int32', 3, 5), scalar(0, 'int32')], [result('int32')], options_for('int32'))
    op.add('bool', [integers('bool', 3, 5), scalar(1, 'int32')], [result('int32')], options_for('int32'))
    op.add('float32_axis_vector', [floats(3, 5), int32s(1)], [result('int32')], options_for('int32'))


@operator('TOPK_V2')
def top(op):
    options = ('TopKV2Options', {})
    for name, shape, count in [('rows', [3, 17], 5), ('vector', [10], 3), ('all', [2, 5], 5), ('one', [2, 2, 4], 1)]:
        op.add('float32_' + name, [floats(*shape), scalar(count, 'int32')], [result(), result('int32')], options)
    op.add('float32_ties', [floats(2, 6, values=[1, 3, 3, 1, 3, 2, 0, 0, 0, 0, 0, 0]), scalar(4, 'int32')],
           [result(), result('int32')], options)
    for dtype in ('int8', 'uint8'):
        q = covering(dtype, -2, 1.5)
        op.add(dtype, [quantized(dtype, 3, 9, q=q), scalar(4, 'int32')], [quantized_result(dtype, q=q), result('int32')],
               options)
    for dtype in ('int32', 'int64'):
        op.add(dtype, [integers(dtype, 3, 9), scalar(4, 'int32')], [result(dtype), result('int32')], options)
    op.add('float32_runtime_k', [floats(3, 9), integers('int32', values=[4])], [result(), result('int32')], options)


@operator('CUMSUM')
def cumulative(op):
    for exclusive in (False, True):
        for reverse in (False, True):
            options = ('CumsumOptions', {'exclusive': exclusive, 'reverse': reverse})
            name = ('_exclusive' if exclusive else '') + ('_reverse' if reverse else '')
            op.add('float32_last' + name, [floats(3, 7), scalar(-1, 'int32')], options=options)
            op.add('float32_middle' + name, [floats(2, 4, 3), scalar(1, 'int32')], options=options)
            op.add('int32' + name, [integers('int32', 4, 3), scalar(0, 'int32')], [result('int32')], options)
    op.add('int64', [integers('int64', 4, 3), scalar(1, 'int32')], [result('int64')],
           ('CumsumOptions', {'exclusive': False, 'reverse': False}))
