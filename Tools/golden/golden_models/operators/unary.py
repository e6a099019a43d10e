"""Elementwise functions of one tensor, including activations."""
import numpy as np

from golden_models.graph import Graph, Node, operator
from golden_models.tensors import (Quantization, constant, covering, floats, integers, quantized, quantized_result,
                                   result)

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.0, -3.0, 6.0, 7.5, -8.25, 1e-3, -1e-3, 20.0, -20.0,
           100.0, -100.0]
ALL_CODES = list(range(-128, 128))
EVERY_257TH = list(range(-32767, 32768, 257)) + [-32768, 32767, 0, 1, -1]


def every_code(dtype, q):
    """Returns an input that contains each 8-bit value once, or a spread of the 16-bit ones."""
    codes = EVERY_257TH if dtype == 'int16' else [c + (128 if dtype == 'uint8' else 0) for c in ALL_CODES]
    return quantized(dtype, len(codes), q=q, values=codes)


OPTIONS = {'ABS': 'AbsOptions', 'NEG': 'NegOptions', 'SQUARE': 'SquareOptions', 'EXP': 'ExpOptions',
           'COS': 'CosOptions', 'SIGN': 'SignOptions', 'HARD_SWISH': 'HardSwishOptions'}


def options_of(op):
    return (OPTIONS[op.name], {}) if op.name in OPTIONS else None


def float_cases(op, low=-5.0, high=5.0, special=SPECIAL):
    options = options_of(op)
    op.add('float32_vector', [floats(33, low=low, high=high)], options=options)
    op.add('float32_special', [floats(len(special), values=special)], options=options)
    op.add('float32_scalar', [floats(low=low, high=high)], options=options)
    op.add('float32_empty', [floats(2, 0, 3)], options=options)


@operator('ABS', 'NEG', 'SQUARE', 'SIN', 'COS', 'FLOOR', 'CEIL', 'ROUND', 'SIGN')
def plain(op):
    float_cases(op, special=SPECIAL + [np.inf, -np.inf, np.nan] if op.name in ('ABS', 'NEG', 'SIGN') else SPECIAL)
    if op.name in ('ABS', 'NEG', 'SIGN'):
        op.add('int32', [integers('int32', 3, 5)], [result('int32')], options_of(op))
    if op.name == 'NEG':
        op.add('int64', [integers('int64', 3, 5)], [result('int64')], options_of(op))
        for dtype in ('int8', 'int16'):
            q = Quantization(0.02)
            op.add(dtype, [every_code(dtype, q)], [quantized_result(dtype, q=q)], options_of(op))
    if op.name == 'ABS':
        for dtype in ('int8', 'int16'):
            q = covering(dtype, -2, 1.5)
            op.add(dtype + '_same_scale', [every_code(dtype, q)], [quantized_result(dtype, q=q)], options_of(op))
            op.add(dtype + '_other_scale', [every_code(dtype, q)], [quantized_result(dtype, 0, 2)], options_of(op))


@operator('SQRT', 'RSQRT', 'LOG')
def positive(op):
    float_cases(op, 0.01, 9, [1.0, 2.0, 4.0, 0.25, 1e-6, 1e6, 3.0] + ([] if op.name == 'RSQRT' else [np.inf]))
    for dtype in ('int8', 'int16'):
        # Quantized values from the zero point up, because the square root of a negative number is undefined.
        q = Quantization(0.03, -128) if dtype == 'int8' else Quantization(8 / 32767)
        codes = list(range(-127, 128)) if dtype == 'int8' else list(range(1, 32768, 129)) + [2, 3, 10, 32767]
        output = {'SQRT': covering(dtype, 0, 3), 'RSQRT': covering(dtype, 0, 6), 'LOG': covering(dtype, -4, 2.5)}[op.name]
        op.add(dtype, [quantized(dtype, len(codes), q=q, values=codes)], [quantized_result(dtype, q=output)])
        if op.name == 'LOG':
            op.add(dtype + '_negative', [every_code(dtype, covering(dtype, -3, 5))], [quantized_result(dtype, q=output)])


@operator('EXP')
def exponential(op):
    float_cases(op, special=[0.0, 1.0, -1.0, 10.0, -10.0, 80.0, -80.0, np.inf, -np.inf])
    for dtype in ('int8', 'int16'):
        op.add(dtype, [every_code(dtype, covering(dtype, -3, 2))], [quantized_result(dtype, 0, 7.5)], options_of(op))


@operator('ELU')
def exponential_linear(op):
    float_cases(op)
    op.add('int8', [every_code('int8', covering('int8', -4, 3))], [quantized_result('int8', -1, 3)])


@operator('GELU')
def gaussian_linear(op):
    for approximate in (False, True):
        options = ('GeluOptions', {'approximate': approximate})
        name = 'approximate' if approximate else 'exact'
        op.add('float32_' + name, [floats(3, 33, low=-5, high=5)], options=options)
        op.add('float32_special_' + name, [floats(len(SPECIAL), values=SPECIAL)], options=options)
        op.add('int8_' + name, [every_code('int8', covering('int8', -4, 3))], [quantized_result('int8', -0.2, 3)], options)
        op.add('uint8_' + name, [every_code('uint8', covering('uint8', -4, 3))], [quantized_result('uint8', -0.2, 3)],
               options)
        op.add('int16_' + name, [every_code('int16', covering('int16', -4, 3))], [quantized_result('int16', -0.2, 3)],
               options)


@operator('RELU', 'RELU6', 'RELU_N1_TO_1', 'RELU_0_TO_1')
def rectifiers(op):
    float_cases(op, -9, 9)
    for dtype in ('int8', 'uint8', 'int16'):
        if op.name in ('RELU_N1_TO_1', 'RELU_0_TO_1') and dtype == 'int16':
            continue
        for low, high, name in [(-8, 7, 'wide'), (-1.3, 0.7, 'narrow')]:
            q = covering(dtype, low, high)
            op.add('%s_%s' % (dtype, name), [every_code(dtype, q)], [quantized_result(dtype, q=q)])
        op.add(dtype + '_rescaled', [every_code(dtype, covering(dtype, -8, 7))], [quantized_result(dtype, 0, 6)])


@operator('LEAKY_RELU')
def leaky(op):
    for alpha in (0.2, 0.0, 1.5, -0.3):
        options = ('LeakyReluOptions', {'alpha': alpha})
        name = str(alpha).replace('.', '_').replace('-', 'minus_')
        op.add('float32_alpha_' + name, [floats(len(SPECIAL), values=SPECIAL)], options=options)
        for dtype in ('int8', 'uint8', 'int16'):
            op.add('%s_alpha_%s' % (dtype, name), [every_code(dtype, covering(dtype, -4, 3))],
                   [quantized_result(dtype, -2, 3.5)], options)


@operator('PRELU')
def parametric(op):
    for name, shape, alpha in [('channel', [1, 2, 3, 17], [17]), ('channel_of_picture', [2, 2, 3, 5], [1, 1, 5]),
                               ('full', [1, 3, 2, 5], [3, 2, 5]), ('scalar', [1, 3, 2, 5], [1]),
                               ('column', [1, 3, 2, 4], [3, 1, 1])]:
        values = np.linspace(-0.4, 0.9, int(np.prod(alpha)), dtype=np.float32).reshape(alpha)
        op.add('float32_' + name, [floats(*shape), constant(values)])
        for dtype in ('int8', 'uint8'):
            q = covering(dtype, -0.5, 1)
            codes = np.clip(np.round(values / q.scales[0]) + q.zero_points[0], *((-128, 127) if dtype == 'int8' else (0, 255)))
            op.add('%s_%s' % (dtype, name), [quantized(dtype, *shape, low=-3, high=2), constant(codes, dtype, q)],
                   [quantized_result(dtype, -2, 2.2)])
        q = covering('int8', -0.5, 1)
        codes = np.clip(np.round(values / q.scales[0]) + q.zero_points[0], -128, 127)
        op.add('int16_' + name, [quantized('int16', *shape, low=-3, high=2), constant(codes, 'int8', q)], [quantized_result('int16', -2, 2.2)])
    op.add('float32_runtime_alpha', [floats(1, 3, 2, 5), floats(1, 1, 5)])


@operator('HARD_SWISH')
def hard_swish(op):
    float_cases(op, -6, 6)
    for dtype in ('int8', 'uint8'):
        for name, low, high, out in [('wide', -8, 8, (-0.4, 8)), ('usual', -4, 4, (-0.375, 4)),
                                     ('narrow', -0.5, 0.7, (-0.25, 0.45)), ('coarse', -40, 30, (-0.4, 30))]:
            op.add('%s_%s' % (dtype, name), [every_code(dtype, covering(dtype, low, high))],
                   [quantized_result(dtype, *out)], options_of(op))


def gates(op):
    """`x` times its sigmoid, alone and after the product that computes `x`: below -9, the reference uses another form of the sigmoid."""
    numbers = floats(3, 33, low=-30, high=20)
    gate = result()
    op.add_graph('float32_gate', [Graph([Node('LOGISTIC', [numbers], [gate]), Node('MUL', [numbers, gate], [result()], ('MulOptions', {}))])])
    weights = constant(np.linspace(-6, 5, 17 * 5).reshape(17, 5), 'float32')
    sums, gate = result(), result()
    op.add_graph('float32_gate_behind_product', [Graph([
        Node('FULLY_CONNECTED', [floats(3, 5), weights, None], [sums], ('FullyConnectedOptions', {})), Node('LOGISTIC', [sums], [gate]),
        Node('MUL', [gate, sums], [result()], ('MulOptions', {}))])])


@operator('LOGISTIC', 'TANH')
def sigmoids(op):
    float_cases(op, -6, 6)
    logistic = op.name == 'LOGISTIC'
    for dtype in ('int8', 'uint8'):
        zero = {'int8': -128, 'uint8': 0} if logistic else {'int8': 0, 'uint8': 128}
        output = Quantization(1 / 256 if logistic else 1 / 128, zero[dtype])
        for name, low, high in [('wide', -12, 10), ('usual', -5, 6), ('narrow', -0.5, 0.25)]:
            op.add('%s_%s' % (dtype, name), [every_code(dtype, covering(dtype, low, high))],
                   [quantized_result(dtype, q=output)])
    output = Quantization(2.0 ** -15)
    for name, q in [('q3_12', Quantization(2.0 ** -12)), ('q4_11', Quantization(2.0 ** -11)),
                    ('general', Quantization(0.00031)), ('fine', Quantization(0.00004)), ('coarse', Quantization(0.002))]:
        op.add('int16_' + name, [every_code('int16', q)], [quantized_result('int16', q=output)])
    if logistic:
        gates(op)
