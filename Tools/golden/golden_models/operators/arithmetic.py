"""Elementwise arithmetic of two tensors."""
import numpy as np

from golden_models.graph import operator
from golden_models.tensors import (constant, covering, floats, integers, quantized, quantized_result, result, scalar,
                                   Quantization)

ACTIVATIONS = {'none': 0, 'relu': 1, 'relu_n1_to_1': 2, 'relu6': 3}

# All combinations of two shapes; the second one broadcasts if it is smaller, and vice versa.
BROADCASTS = {
    'same': ([1, 3, 5, 3], [1, 3, 5, 3]),
    'scalar_right': ([2, 3, 5], []),
    'scalar_left': ([], [2, 3, 5]),
    'one_element': ([1, 3, 4, 5], [1]),
    'channel': ([1, 3, 2, 17], [17]),
    'channel_left': ([17], [1, 3, 2, 17]),
    'column': ([2, 3, 4, 5], [2, 1, 1, 5]),
    'row_and_column': ([2, 1, 4, 1], [1, 3, 1, 5]),
    'fifth_dimension': ([2, 1, 2, 3, 2], [1, 3, 1, 3, 1]),
    'odd_33': ([33], [33]),
    'empty': ([2, 0, 3], [1, 1, 3]),
}
FEW = ['same', 'scalar_right', 'channel_left', 'row_and_column']

OPTIONS = {'ADD': 'AddOptions', 'SUB': 'SubOptions', 'MUL': 'MulOptions', 'DIV': 'DivOptions'}


def with_activation(op, activation):
    return (OPTIONS[op.name], {'fusedActivationFunction': ACTIVATIONS[activation]})


@operator('ADD', 'SUB', 'MUL', 'DIV')
def four_operations(op):
    divides = op.name == 'DIV'
    divisor = {'low': 0.5, 'high': 3.0} if divides else {}
    for name, (left, right) in BROADCASTS.items():
        op.add('float32_' + name, [floats(*left), floats(*right, **divisor)], options=with_activation(op, 'none'))
    for activation in ('relu', 'relu6', 'relu_n1_to_1'):
        op.add('float32_' + activation, [floats(2, 17, low=-9, high=9), floats(17, **divisor)],
               options=with_activation(op, activation))
    op.add('float32_constant', [floats(1, 2, 3, 5), constant(np.linspace(0.3, 2, 5, dtype=np.float32))],
           options=with_activation(op, 'none'))
    op.add('int32', [integers('int32', 2, 3, 5), integers('int32', 3, 5, low=1)], [result('int32')],
           with_activation(op, 'none'))
    op.add('int32_relu6', [integers('int32', 4, 5), integers('int32', 5, low=1)], [result('int32')],
           with_activation(op, 'relu6'))
    if not divides:
        op.add('int64', [integers('int64', 2, 3, 5), integers('int64', 5)], [result('int64')],
               with_activation(op, 'none'))
    for dtype in ('int8', 'uint8', 'int16'):
        if divides and dtype != 'uint8':
            continue
        right_codes = (140, 255) if divides else (None, None)
        for name in ['same', 'scalar_left', 'one_element', 'channel', 'row_and_column', 'odd_33', 'fifth_dimension']:
            left, right = BROADCASTS[name]
            op.add('%s_%s' % (dtype, name),
                   [quantized(dtype, *left, low=-1.7, high=1.5), quantized(dtype, *right, low=-1, high=1.1, codes=right_codes)],
                   [quantized_result(dtype, -3, 2.5)], with_activation(op, 'none'))
        for activation in ('relu', 'relu6', 'relu_n1_to_1'):
            op.add('%s_%s' % (dtype, activation),
                   [quantized(dtype, 2, 17, low=-6, high=7), quantized(dtype, 17, low=-3, high=5, codes=right_codes)],
                   [quantized_result(dtype, -8, 12)], with_activation(op, activation))
        op.add('%s_constant' % dtype,
               [quantized(dtype, 1, 3, 2, 5),
                constant(np.array([3, 100, 7, 90, 55]) * (250 if dtype == 'int16' else 1), dtype, q=covering(dtype, -1, 2.3))],
               [quantized_result(dtype, -4.5, 4)], with_activation(op, 'none'))
        if not divides:
            op.add('%s_far_scales' % dtype,
                   [quantized(dtype, 33, low=-100, high=90), quantized(dtype, 33, low=-0.01, high=0.02)],
                   [quantized_result(dtype, -20, 80)], with_activation(op, 'none'))
    if op.name in ('ADD', 'SUB'):
        power = [Quantization(2.0 ** -12), Quantization(2.0 ** -13), Quantization(2.0 ** -12)]
        for flag in (True, False):
            op.add('int16_powers_of_two_%s' % ('pot' if flag else 'general'),
                   [quantized('int16', 2, 17, q=power[0]), quantized('int16', 2, 17, q=power[1])],
                   [quantized_result('int16', q=power[2])],
                   (OPTIONS[op.name], {'fusedActivationFunction': 0, 'potScaleInt16': flag}), version=2)


@operator('MAXIMUM', 'MINIMUM')
def extremes(op):
    options = ('MaximumMinimumOptions', {})
    for name in ['same', 'scalar_right', 'scalar_left', 'channel', 'channel_left', 'row_and_column', 'fifth_dimension',
                 'empty']:
        left, right = BROADCASTS[name]
        op.add('float32_' + name, [floats(*left), floats(*right)], options=options)
    op.add('float32_not_a_number', [floats(2, 4, values=[1, np.nan, -1, np.inf, 0, -0.0, np.nan, 2]),
                                    floats(2, 4, values=[np.nan, 1, 1, 2, -0.0, 0, np.nan, -np.inf])], options=options)
    for dtype in ('int32', 'int64'):
        op.add(dtype, [integers(dtype, 2, 3, 5), integers(dtype, 5)], [result(dtype)], options)
    for dtype in ('int8', 'uint8', 'int16'):
        q = covering(dtype, -2, 1.5)
        for name in FEW:
            left, right = BROADCASTS[name]
            op.add('%s_%s' % (dtype, name), [quantized(dtype, *left, q=q), quantized(dtype, *right, q=q)],
                   [quantized_result(dtype, q=q)], options)


@operator('SQUARED_DIFFERENCE')
def squared_difference(op):
    options = ('SquaredDifferenceOptions', {})
    for name, (left, right) in BROADCASTS.items():
        op.add('float32_' + name, [floats(*left), floats(*right)], options=options)
    op.add('int32', [integers('int32', 2, 3, 5), integers('int32', 5)], [result('int32')], options)
    for name in FEW + ['odd_33']:
        left, right = BROADCASTS[name]
        op.add('int8_' + name, [quantized('int8', *left, low=-2, high=1.5), quantized('int8', *right, low=-1, high=2)],
               [quantized_result('int8', 0, 9)], options)


@operator('FLOOR_DIV', 'FLOOR_MOD')
def floor_division(op):
    options = ('FloorDivOptions' if op.name == 'FLOOR_DIV' else 'FloorModOptions', {})
    divisors = np.array([1.5, -0.7, 2.0, -3.0, 0.25], np.float32)
    for name, left, right in [('same', [3, 5], np.tile(divisors, (3, 1))), ('channel', [2, 3, 5], divisors),
                              ('scalar', [2, 7], np.array(-1.25, np.float32))]:
        op.add('float32_' + name, [floats(*left, low=-7, high=7), floats(*right.shape, values=right)], options=options)
    for dtype in ('int32', 'int64') if op.name == 'FLOOR_MOD' else ('int32',):
        op.add(dtype + '_signs', [integers(dtype, 4, 5), integers(dtype, 5, values=[3, -3, 2, -7, 1])],
               [result(dtype)], options)
        op.add(dtype + '_scalar', [integers(dtype, 4, 5), scalar(-4, dtype)], [result(dtype)], options)
    for dtype in ('int8', 'int16'):
        op.add(dtype + '_unquantized', [integers(dtype, 4, 5, low=-100, high=100),
                                        integers(dtype, 5, values=[3, -3, 2, -7, 1])], [result(dtype)], options)


@operator('POW')
def power(op):
    options = ('PowOptions', {})
    for name in ['same', 'scalar_right', 'scalar_left', 'channel', 'row_and_column']:
        left, right = BROADCASTS[name]
        op.add('float32_' + name, [floats(*left, low=0.1, high=3), floats(*right)], options=options)
    op.add('float32_negative_base', [floats(5, values=[-2, -1, -0.5, 0, 3]), scalar(3, 'float32')], options=options)
    op.add('float32_square', [floats(2, 5), scalar(2, 'float32')], options=options)
    op.add('int32', [integers('int32', 3, 4, low=-5, high=5), integers('int32', 4, values=[0, 1, 2, 5])],
           [result('int32')], options)
    op.add('int32_scalar', [integers('int32', 3, 4, low=-5, high=5), scalar(3, 'int32')], [result('int32')], options)


COMPARISONS = {'LESS': 'LessOptions', 'LESS_EQUAL': 'LessEqualOptions', 'GREATER': 'GreaterOptions',
               'GREATER_EQUAL': 'GreaterEqualOptions', 'EQUAL': 'EqualOptions', 'NOT_EQUAL': 'NotEqualOptions'}


@operator(*COMPARISONS)
def comparisons(op):
    options = (COMPARISONS[op.name], {})
    out = lambda: [result('bool')]
    # Integers, so that equal elements occur.
    def whole(shape):
        return floats(*shape, values=np.resize(np.array([1, 2, 0, -1, 2, 2, 5, -0.0, 3], np.float32), shape))
    for name in ['same', 'scalar_right', 'scalar_left', 'channel', 'row_and_column', 'fifth_dimension', 'empty']:
        left, right = BROADCASTS[name]
        op.add('float32_' + name, [whole(left), whole(right)], out(), options)
    op.add('float32_not_a_number', [floats(5, values=[1, np.nan, np.nan, np.inf, 0]),
                                    floats(5, values=[np.nan, 1, np.nan, np.inf, -0.0])], out(), options)
    for dtype in ('int32', 'int64'):
        op.add(dtype, [integers(dtype, 3, 7, low=-2, high=2), integers(dtype, 7, low=-2, high=2)], out(), options)
    if op.name in ('EQUAL', 'NOT_EQUAL'):
        op.add('bool', [integers('bool', 3, 7), integers('bool', 7)], out(), options)
    for dtype in ('int8', 'uint8', 'int16'):
        q = covering(dtype, -2, 2)
        op.add(dtype + '_same_scale', [quantized(dtype, 3, 7, q=q, codes=(0, 4)), quantized(dtype, 7, q=q, codes=(0, 4))],
               out(), options)
        op.add(dtype + '_two_scales', [quantized(dtype, 3, 33, q=q), quantized(dtype, 33, low=-1, high=3)],
               out(), options)


@operator('LOGICAL_AND', 'LOGICAL_OR')
def logic(op):
    options = ('LogicalAndOptions' if op.name == 'LOGICAL_AND' else 'LogicalOrOptions', {})
    for name in FEW + ['one_element']:
        left, right = BROADCASTS[name]
        op.add('bool_' + name, [integers('bool', *left), integers('bool', *right)], [result('bool')], options)


@operator('LOGICAL_NOT')
def negation(op):
    for name, shape in [('vector', [33]), ('scalar', []), ('cube', [2, 3, 4])]:
        op.add('bool_' + name, [integers('bool', *shape)], [result('bool')], ('LogicalNotOptions', {}))


@operator('ADD_N')
def add_n(op):
    for count in (2, 5):
        op.add('float32_%d' % count, [floats(2, 17) for _ in range(count)], options=('AddNOptions', {}))
    op.add('int32_3', [integers('int32', 3, 5) for _ in range(3)], [result('int32')], ('AddNOptions', {}))


@operator('ATAN2')
def arc_tangent(op):
    op.add('float32', [floats(2, 17), floats(2, 17)])
    op.add('float32_axes', [floats(8, values=[0, 0, 1, -1, 0, -0.0, 2, -2]), floats(8, values=[1, -1, 0, 0, 0, -1, 2, -2])])
    op.add('float64', [integers('float64', 3, 5), integers('float64', 3, 5)], [result('float64')])


@operator('BITWISE_XOR', 'RIGHT_SHIFT')
def bits(op):
    options = ('BitwiseXorOptions' if op.name == 'BITWISE_XOR' else 'RightShiftOptions', {})
    positive = {'low': 0, 'high': 9}
    for dtype in ('int8', 'uint8', 'int16', 'int32'):
        for name in ('same', 'channel_left', 'row_and_column') if dtype == 'int32' else ('same',):
            left, right = BROADCASTS[name]
            op.add('%s_%s' % (dtype, name), [integers(dtype, *left, **(positive if dtype == 'uint8' else {})),
                                             integers(dtype, *right, **positive)], [result(dtype)], options)


@operator('ZEROS_LIKE')
def zeros_like(op):
    for dtype in ('float32', 'int32', 'int64'):
        data = floats(2, 3) if dtype == 'float32' else integers(dtype, 2, 3)
        op.add(dtype, [data], [result(dtype)], ('ZerosLikeOptions', {}))
