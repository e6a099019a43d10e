"""CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV, FULLY_CONNECTED and BATCH_MATMUL."""
import math

import numpy as np

from golden_models.graph import Graph, Node, operator
from golden_models.tensors import (Quantization, Tensor, constant, floats, int32s, quantized,
                                   quantized_result, random_values, result)
from golden_models.writer import schema

SAME, VALID = 0, 1
ACTIVATIONS = {'none': 0, 'relu': 1, 'relu_n1_to_1': 2, 'relu6': 3}


def float_weights(name, *shape, low=-1, high=1):
    return random_values('float32', shape, 'weights/' + name, low, high)


def quantized_weights(name, shape, channels, axis, dtype='int8', zero=0, per_channel=True):
    """Returns random quantized values with a scale per channel, or a single scale."""
    low, high = {'int8': (-127, 127), 'uint8': (1, 255), 'int4': (-7, 7), 'int2': (-1, 1), 'int16': (-127, 127)}[dtype]
    codes = random_values('int8' if dtype in ('int4', 'int2') else dtype, shape, 'weights/' + name, low, high)
    scales = 0.9 / high * (0.5 + np.arange(channels) % 5 / 4) if per_channel else 0.9 / high
    return constant(codes, codes.dtype.name, Quantization(scales, zero, axis), type=dtype)


def bias_for(name, input_quantization, weights, channels, dtype='int32', size=0.7):
    """Returns a bias with the scale that the kernels expect, with real values up to `size`."""
    scales = np.float32(input_quantization.scales[0]) * np.float32(weights.quantization.scales)
    real = random_values('float32', [channels], 'bias/' + name, -size, size)
    codes = np.round(real / np.resize(scales, channels)).astype(dtype)
    return constant(codes, dtype, Quantization(scales, 0, 0))


def output_range(taps, input_size, weight_size=0.9):
    """Returns the approximate range of sums of that many random products."""
    return 0.9 * math.sqrt(taps) * input_size * weight_size * 0.6 + 0.5


def zero_point(dtype):
    return {'uint8': 120}.get(dtype, 0)


class Family:
    """A convolution-like operator: creates a model of any element type from float geometry."""

    def __init__(self, op, name, weights_shape, channels, axis, taps, inputs, options, input_shape, extra=None):
        self.op, self.name, self.options = op, name, options
        self.weights_shape, self.channels, self.axis, self.taps = weights_shape, channels, axis, taps
        self.input_shape = input_shape
        self.arrange = inputs
        self.extra = extra or {}

    def add(self, kind, activation='none', bias=True, suffix='', version=None):
        options = (self.options[0], {**self.options[1], 'fusedActivationFunction': ACTIVATIONS[activation]})
        label = '%s_%s%s' % (kind, self.name, suffix)
        seed = '%s/%s' % (self.op.name, self.name)
        values = (-2.0, 1.6)
        if kind in ('float32', 'float16_weights'):
            data = floats(*self.input_shape)
            weights = float_weights(seed, *self.weights_shape)
            offset = constant(float_weights(seed + '/bias', self.channels)) if bias else None
            if kind == 'float16_weights':
                return self.add_half(label, data, weights, offset, options)
            self.op.add(label, self.arrange(data, constant(weights), offset), options=options, version=version)
            return
        if kind.startswith('hybrid'):
            dtype = next(t for t in ('int4', 'int2', 'int8') if t in kind or t == 'int8')
            weights = quantized_weights(seed, self.weights_shape, self.channels, self.axis, dtype,
                                        per_channel='per_channel' in kind)
            offset = constant(float_weights(seed + '/bias', self.channels)) if bias else None
            self.op.add(label, self.arrange(floats(*self.input_shape), weights, offset), options=options, version=version)
            return
        dtype = kind.split('_')[0]
        data = quantized(dtype, *self.input_shape, low=values[0], high=values[1])
        weights_type = kind[-4:] if kind[-4:] in ('int4', 'int2') else 'uint8' if dtype == 'uint8' else 'int8'
        per_channel = dtype != 'uint8' and 'per_tensor' not in kind
        weights = quantized_weights(seed, self.weights_shape, self.channels, self.axis, weights_type,
                                    zero_point(weights_type), per_channel)
        bias_type = 'int64' if dtype == 'int16' and 'bias32' not in kind else 'int32'
        offset = bias_for(seed, data.quantization, weights, self.channels, bias_type) if bias else None
        high = output_range(self.taps, 1.8)
        if dtype == 'int16' and 'bias32' in kind:
            options[1]['quantizedBiasType'] = schema.TensorType.INT32
        self.op.add(label, self.arrange(data, weights, offset),
                    [quantized_result(dtype, -high, 0.8 * high)], options, version=version)

    def add_half(self, label, data, weights, offset, options):
        """Returns weights and bias in half precision, expanded by DEQUANTIZE, as converters write them."""
        nodes, expanded = [], []
        for values in (weights, None if offset is None else offset.values):
            if values is None:
                expanded.append(None)
                continue
            wide = result('float32')
            nodes.append(Node('DEQUANTIZE', [constant(values, 'float16')], [wide], ('DequantizeOptions', {}), 3))
            expanded.append(wide)
        nodes.append(Node(self.op.name, self.arrange(data, *expanded), [result()], options))
        self.op.add_graph(label, [Graph(nodes)])


# ------------------------------------------------------------------------------------------------- CONV_2D

CONVOLUTIONS = {
    # name: input, filter (O H W I), stride (h, w), dilation (h, w), padding
    'pointwise': ([1, 4, 3, 5], [7, 1, 1, 5], (1, 1), (1, 1), SAME),
    'pointwise_wide': ([1, 3, 3, 33], [17, 1, 1, 33], (1, 1), (1, 1), VALID),
    'same_3x3': ([1, 5, 4, 3], [5, 3, 3, 3], (1, 1), (1, 1), SAME),
    'valid_3x3': ([1, 5, 6, 3], [5, 3, 3, 3], (1, 1), (1, 1), VALID),
    'stride_2': ([1, 7, 6, 3], [8, 3, 3, 3], (2, 2), (1, 1), SAME),
    'stride_2_odd': ([1, 8, 8, 3], [17, 3, 3, 3], (2, 2), (1, 1), SAME),
    'stride_2_valid': ([1, 7, 8, 3], [4, 3, 3, 3], (2, 2), (1, 1), VALID),
    'stride_3_1': ([1, 7, 5, 2], [3, 2, 3, 2], (3, 1), (1, 1), SAME),
    'dilation_2': ([1, 7, 7, 2], [3, 3, 3, 2], (1, 1), (2, 2), SAME),
    'dilation_2_3_valid': ([1, 8, 9, 2], [3, 3, 3, 2], (1, 1), (2, 3), VALID),
    'filter_1x5': ([1, 3, 7, 3], [2, 1, 5, 3], (1, 1), (1, 1), SAME),
    'filter_2x2': ([1, 4, 5, 3], [4, 2, 2, 3], (1, 1), (1, 1), SAME),
    'filter_larger_than_input': ([1, 2, 2, 3], [3, 5, 5, 3], (1, 1), (1, 1), SAME),
    'batch_3': ([3, 3, 4, 3], [5, 3, 3, 3], (1, 1), (1, 1), SAME),
    'one_channel': ([1, 5, 5, 1], [1, 3, 3, 1], (1, 1), (1, 1), SAME),
    'groups_2': ([1, 4, 4, 6], [4, 3, 3, 3], (1, 1), (1, 1), SAME),
    'groups_3_pointwise': ([1, 3, 3, 9], [6, 1, 1, 3], (1, 1), (1, 1), SAME),
    'channels_33_to_35': ([1, 2, 3, 33], [35, 1, 1, 33], (1, 1), (1, 1), SAME),
    'whole_input': ([1, 3, 4, 5], [6, 3, 4, 5], (1, 1), (1, 1), VALID),
    'no_pictures': ([0, 3, 3, 2], [3, 1, 1, 2], (1, 1), (1, 1), SAME),
}

# The type hardly depends on the geometry: the older unsigned kernels only run on these.
UNSIGNED = ('pointwise_wide', 'same_3x3', 'stride_2_odd', 'valid_3x3', 'dilation_2', 'filter_larger_than_input', 'batch_3',
            'multiplier_2', 'stride_2', 'filter_2x2_stride_2')


def convolution_family(op, name):
    shape, weights, stride, dilation, padding = CONVOLUTIONS[name]
    options = ('Conv2DOptions', {'padding': padding, 'strideH': stride[0], 'strideW': stride[1],
                                 'dilationHFactor': dilation[0], 'dilationWFactor': dilation[1]})
    return Family(op, name, weights, weights[0], 0, int(np.prod(weights[1:])), lambda d, w, b: [d, w, b], options, shape)


@operator('CONV_2D')
def convolution(op):
    for name in CONVOLUTIONS:
        grouped = name.startswith('groups')
        family = convolution_family(op, name)
        family.add('float32', version=6 if grouped else 1)
        family.add('int8', version=6 if grouped else 3)
        if name in UNSIGNED:
            family.add('uint8', version=1)
    for name in ('same_3x3', 'pointwise_wide', 'stride_2', 'groups_2'):
        family = convolution_family(op, name)
        family.add('int8_per_tensor', version=3)
        family.add('int16', version=4)
        family.add('int8_int4', version=7)
        family.add('float16_weights')
        if name != 'groups_2':
            family.add('hybrid', version=2)
            family.add('hybrid_per_channel', version=5)
            family.add('hybrid_int4', version=7)
            family.add('hybrid_per_channel_int4', version=7)
            family.add('int16_bias32', version=8)
    hybrid_batch = convolution_family(op, 'batch_3')
    hybrid_batch.add('hybrid', version=2)
    hybrid_batch.add('hybrid_per_channel', version=5)
    for activation in ('relu', 'relu6', 'relu_n1_to_1'):
        family = convolution_family(op, 'same_3x3')
        for kind, version in (('float32', 1), ('int8', 3), ('uint8', 1), ('int16', 4), ('hybrid', 2),
                              ('hybrid_per_channel', 5)):
            family.add(kind, activation, suffix='_' + activation, version=version)


# ---------------------------------------------------------------------------------------- DEPTHWISE_CONV_2D

DEPTHWISE = {
    # name: input, filter (1 H W C), stride, dilation, padding
    'same_3x3': ([1, 5, 4, 5], [1, 3, 3, 5], (1, 1), (1, 1), SAME),
    'valid_3x3': ([1, 5, 6, 3], [1, 3, 3, 3], (1, 1), (1, 1), VALID),
    'stride_2': ([1, 7, 6, 17], [1, 3, 3, 17], (2, 2), (1, 1), SAME),
    'stride_2_valid': ([1, 7, 8, 4], [1, 3, 3, 4], (2, 2), (1, 1), VALID),
    'dilation_2': ([1, 7, 7, 3], [1, 3, 3, 3], (1, 1), (2, 2), SAME),
    'multiplier_2': ([1, 4, 4, 3], [1, 3, 3, 6], (1, 1), (1, 1), SAME),
    'multiplier_8_of_one': ([1, 6, 5, 1], [1, 3, 3, 8], (2, 2), (1, 1), SAME),
    'filter_5x5': ([1, 6, 6, 8], [1, 5, 5, 8], (1, 1), (1, 1), SAME),
    'filter_1x1': ([1, 3, 3, 5], [1, 1, 1, 5], (1, 1), (1, 1), SAME),
    'filter_7x1': ([1, 9, 2, 3], [1, 7, 1, 3], (1, 1), (1, 1), SAME),
    'channels_33': ([1, 3, 4, 33], [1, 3, 3, 33], (1, 1), (1, 1), SAME),
    'batch_2': ([2, 4, 3, 3], [1, 3, 3, 3], (1, 1), (1, 1), SAME),
    'stride_3': ([1, 9, 7, 2], [1, 2, 2, 2], (3, 3), (1, 1), SAME),
}


def depthwise_family(op, name):
    shape, weights, stride, dilation, padding = DEPTHWISE[name]
    options = ('DepthwiseConv2DOptions', {
        'padding': padding, 'strideH': stride[0], 'strideW': stride[1], 'depthMultiplier': weights[3] // shape[3],
        'dilationHFactor': dilation[0], 'dilationWFactor': dilation[1]})
    return Family(op, name, weights, weights[3], 3, weights[1] * weights[2],
                  lambda d, w, b: [d, w] + ([] if b is None else [b]), options, shape)


@operator('DEPTHWISE_CONV_2D')
def depthwise(op):
    for name, geometry in DEPTHWISE.items():
        family = depthwise_family(op, name)
        dilated = geometry[3] != (1, 1)
        family.add('float32', version=2 if dilated else 1)
        family.add('int8', version=3)
        if name in UNSIGNED:
            family.add('uint8', version=2 if dilated else 1)
    for name in ('same_3x3', 'stride_2', 'multiplier_2'):
        family = depthwise_family(op, name)
        family.add('int8_per_tensor', version=3)
        family.add('int16', version=5)
        family.add('float16_weights')
        family.add('int8_int4', version=7)
        family.add('hybrid_per_channel', version=6)
    depthwise_family(op, 'batch_2').add('hybrid_per_channel', version=6)
    family = depthwise_family(op, 'same_3x3')
    family.add('float32', bias=False, suffix='_no_bias')
    family.add('int8', bias=False, suffix='_no_bias', version=3)
    for activation in ('relu', 'relu6', 'relu_n1_to_1'):
        for kind, version in (('float32', 1), ('int8', 3), ('uint8', 1), ('int16', 5)):
            family.add(kind, activation, suffix='_' + activation, version=version)


# ------------------------------------------------------------------------------------------- TRANSPOSE_CONV

TRANSPOSED = {
    # name: input, filter (O H W I), stride, padding, output height and width
    'stride_1': ([1, 3, 4, 3], [5, 3, 3, 3], (1, 1), SAME, (3, 4)),
    'stride_2': ([1, 3, 2, 3], [4, 3, 3, 3], (2, 2), SAME, (6, 4)),
    'stride_2_odd': ([1, 3, 3, 5], [3, 3, 3, 5], (2, 2), SAME, (5, 5)),
    'stride_2_valid': ([1, 3, 2, 3], [4, 3, 3, 3], (2, 2), VALID, (7, 5)),
    'filter_2x2_stride_2': ([1, 3, 3, 5], [3, 2, 2, 5], (2, 2), SAME, (6, 6)),
    'filter_4x4_stride_2': ([1, 3, 2, 3], [2, 4, 4, 3], (2, 2), SAME, (6, 4)),
    'stride_larger_than_filter': ([1, 2, 2, 3], [2, 2, 2, 3], (3, 3), VALID, (6, 6)),
    'batch_2': ([2, 2, 3, 3], [17, 3, 3, 3], (1, 1), VALID, (4, 5)),
    'stride_2_1': ([1, 3, 3, 2], [3, 3, 3, 2], (2, 1), SAME, (6, 3)),
}


def transposed_family(op, name):
    shape, weights, stride, padding, size = TRANSPOSED[name]
    options = ('TransposeConvOptions', {'padding': padding, 'strideH': stride[0], 'strideW': stride[1]})
    output = int32s(shape[0], size[0], size[1], weights[0])
    taps = max(1, int(np.prod(weights[1:])) // (stride[0] * stride[1]))
    return Family(op, name, weights, weights[0], 0, taps,
                  lambda d, w, b: [output, w, d] + ([] if b is None else [b]), options, shape)


@operator('TRANSPOSE_CONV')
def transposed(op):
    for name in TRANSPOSED:
        family = transposed_family(op, name)
        family.add('float32', bias=False, suffix='_no_bias', version=1)
        family.add('float32', version=3)
        family.add('int8', version=3)
        if name in UNSIGNED:
            family.add('uint8', version=3)
    for name in ('stride_2', 'stride_2_valid'):
        family = transposed_family(op, name)
        family.add('int8', bias=False, suffix='_no_bias', version=2)
        family.add('int8_per_tensor', version=3)
        family.add('int16', version=3)
        family.add('float16_weights')
        family.add('hybrid_per_channel', version=3)
        for activation in ('relu', 'relu6'):
            for kind in ('float32', 'int8'):
                family.add(kind, activation, suffix='_' + activation, version=4)


# ------------------------------------------------------------------------------------------ FULLY_CONNECTED

FULLY_CONNECTED = {
    # name: input shape, units, keep_num_dims
    'vector': ([1, 17], 5, False),
    'rows': ([3, 8], 7, False),
    'one_unit': ([2, 33], 1, False),
    'one_input': ([4, 1], 3, False),
    'wide': ([1, 70], 33, False),
    'picture': ([2, 2, 3, 3], 4, False),
    'folded': ([1, 3, 3, 2], 4, False),
    'kept_dimensions': ([2, 3, 5], 4, True),
    'no_rows': ([0, 5], 3, False),
}


def fully_connected_family(op, name, **extra):
    shape, units, keep = FULLY_CONNECTED[name]
    # 'picture' and 'folded' flatten their input: the weights determine the length of a row.
    depth = {'picture': 18, 'folded': 6}.get(name, shape[-1])
    options = ('FullyConnectedOptions', {'keepNumDims': keep, **extra})
    return Family(op, name, [units, depth], units, 0, depth, lambda d, w, b: [d, w, b], options, shape)


def shuffled(rows, units, depth):
    """Returns inputs and outputs with weights in blocks of four units and sixteen terms, as signed bytes in a tensor of unsigned ones."""
    codes = random_values('int8', (units, depth), 'weights/shuffled', -127, 127)
    codes = codes.reshape(units // 4, 4, depth // 16, 16).transpose(0, 2, 1, 3).reshape(units, depth)
    weights = constant(codes.view('uint8'), 'uint8', Quantization(0.9 / 127, 128), type='uint8')
    data = quantized('uint8', rows, depth, q=Quantization(2 / 255, 128))
    return [data, weights, bias_for('shuffled', data.quantization, weights, units)], [
        quantized_result('int16', q=Quantization(8 / 32768, 0)), Tensor('result', 'uint8', [rows, depth])]


@operator('FULLY_CONNECTED')
def fully_connected(op):
    for name in FULLY_CONNECTED:
        family = fully_connected_family(op, name)
        keep = 5 if FULLY_CONNECTED[name][2] else 1
        family.add('float32', version=keep)
        family.add('int8_per_tensor', version=max(4, keep))
        family.add('int8', version=12)
        family.add('uint8', version=keep)
    for name in ('rows', 'wide', 'kept_dimensions', 'one_unit'):
        family = fully_connected_family(op, name)
        family.add('float32', bias=False, suffix='_no_bias', version=6)
        family.add('int8_per_tensor', bias=False, suffix='_no_bias', version=6)
        family.add('float16_weights')
        family.add('int16', version=7)
        family.add('int16_per_tensor', version=7)
        family.add('int16_per_tensor_bias32', version=11)
        family.add('hybrid', version=3)
        family.add('hybrid_per_channel', version=12)
        family.add('hybrid', bias=False, suffix='_no_bias', version=6)
        family.add('hybrid_int4', version=10)
        family.add('hybrid_per_channel_int4', version=12)
        family.add('int8_per_tensor_int4', version=10)
        family.add('int8_int4', version=12)
        family.add('hybrid_int2', version=14)
        family.add('int8_int2', version=14)
        asymmetric = fully_connected_family(op, name, asymmetricQuantizeInputs=True)
        asymmetric.add('hybrid', suffix='_asymmetric', version=9)
        asymmetric.add('hybrid_per_channel', suffix='_asymmetric', version=12)
    for rows, units, depth in ((1, 8, 16), (4, 4, 48), (1, 12, 64)):
        for activation in ('none', 'relu') if rows == 4 else ('none',):
            inputs, outputs = shuffled(rows, units, depth)
            options = ('FullyConnectedOptions', {'weightsFormat': 1, 'fusedActivationFunction': ACTIVATIONS[activation]})
            # The second output is the reference's scratch memory.
            op.add_graph('uint8_shuffled_%d_%s' % (depth, activation), [Graph([Node(op.name, inputs, outputs, options, 2)], outputs[:1])])
    family = fully_connected_family(op, 'rows')
    for activation in ('relu', 'relu6', 'relu_n1_to_1'):
        for kind, version in (('float32', 1), ('int8_per_tensor', 4), ('int8', 12), ('uint8', 1), ('int16', 7),
                              ('hybrid', 3)):
            family.add(kind, activation, suffix='_' + activation, version=version)
    op.add('float32_runtime_weights', [floats(3, 5), floats(4, 5), None],
           options=('FullyConnectedOptions', {}), version=6)
    for name, size, bias in (('of_32', 32, True), ('of_16_no_bias', 16, False)):
        codes = random_values('int8', [6, 64], 'blocks/' + name, -8, 7)
        scales = constant(np.linspace(0.01, 0.2, 6 * 64 // size).reshape(6, -1), 'float16')
        op.add('hybrid_blocks_' + name, [floats(3, 64), constant(codes, 'int8', type='int4', blocks=(scales, size)),
                                         constant(np.linspace(-1, 1, 6, dtype=np.float32)) if bias else None],
               options=('FullyConnectedOptions', {}), version=13,
               defect='the reference resolver has no kernel for weights in blocks and multiplies by a scale that is not there')
    op.add('hybrid_zero_input', [floats(2, 5, values=[0] * 10),
                                 quantized_weights('zero', [3, 5], 3, 0, per_channel=False),
                                 constant(np.array([1, -2, 0.5], np.float32))],
           options=('FullyConnectedOptions', {}), version=3)


# --------------------------------------------------------------------------------------------- BATCH_MATMUL

@operator('BATCH_MATMUL')
def batch_matmul(op):
    def options(x=False, y=False, **more):
        return ('BatchMatMulOptions', {'adjX': x, 'adjY': y, **more})

    shapes = {'plain': ([2, 3, 5], [2, 5, 4]), 'two_dimensions': ([3, 5], [5, 7]),
              'broadcast_left': ([1, 3, 4], [3, 4, 2]), 'broadcast_right': ([2, 3, 3, 4], [3, 4, 5]),
              'four_dimensions': ([2, 2, 1, 5], [2, 2, 5, 3]), 'column': ([2, 17, 1], [2, 1, 17]),
              'odd_33': ([1, 5, 33], [1, 33, 3]), 'five_dimensions': ([1, 2, 2, 3, 4], [2, 1, 2, 4, 2])}

    def swapped(shape):
        return shape[:-2] + [shape[-1], shape[-2]]

    for name, (left, right) in shapes.items():
        op.add('float32_' + name, [floats(*left), floats(*right)], options=options())
        high = output_range(left[-1], 1.8, 1.0)
        op.add('int8_' + name, [quantized('int8', *left, low=-2, high=1.5), quantized('int8', *right, low=-1, high=1.2)],
               [quantized_result('int8', -high, high)], options())
    for x, y in ((True, False), (False, True), (True, True)):
        left, right = shapes['plain']
        name = '_adjoint' + ('_x' if x else '') + ('_y' if y else '')
        left, right = swapped(left) if x else left, swapped(right) if y else right
        op.add('float32' + name, [floats(*left), floats(*right)], options=options(x, y))
        for dtype in ('int8', 'int16'):
            op.add(dtype + name, [quantized(dtype, *left, low=-2, high=1.5), quantized(dtype, *right, low=-1, high=1.2)],
                   [quantized_result(dtype, -4, 3)], options(x, y))
    op.add('float32_constant_right', [floats(2, 3, 5), constant(float_weights('bmm', 5, 4))], options=options())
    op.add('int16_plain', [quantized('int16', 2, 3, 5), quantized('int16', 2, 5, 4, low=-1.1)],
           [quantized_result('int16', -5, 4.4)], options())
    op.add('int8_to_int32', [quantized('int8', 2, 3, 5), quantized('int8', 2, 5, 4)],
           [result('int32', q=Quantization(4 / 255 * 4 / 255))], options())
    for dtype in ('int8', 'int16'):
        # Converters write a scale per column of a constant right side. The kernels read a single scale, which such a tensor does not have:
        # they multiply by 0, and every result is the zero point.
        for name, per_channel in (('weights', False), ('weights_per_channel', True)):
            weights = quantized_weights('bmm/' + name, [5, 4], 4, 1, per_channel=per_channel)
            op.add('%s_%s' % (dtype, name), [quantized(dtype, 2, 3, 5), weights], [quantized_result(dtype, -5, 4.4)],
                   options())
    for name, per_channel in (('hybrid', False), ('hybrid_per_channel', True)):
        for asymmetric in (False, True):
            # The right side is constant int8; adj_y keeps the channels in the first of its two dimensions.
            weights = quantized_weights('bmm', [4, 5], 4, 0, per_channel=per_channel)
            op.add(name + ('_asymmetric' if asymmetric else ''), [floats(2, 3, 5), weights],
                   options=options(False, True, asymmetricQuantizeInputs=asymmetric))


VOLUMES = {
    'valid': ([2, 4, 5, 6, 3], [2, 3, 2], 4, {'padding': 1, 'strideD': 1, 'strideH': 1, 'strideW': 1}),
    'same_strided': ([1, 5, 6, 7, 2], [3, 3, 3], 3, {'padding': 0, 'strideD': 2, 'strideH': 2, 'strideW': 3}),
    'dilated': ([1, 6, 7, 5, 2], [2, 2, 3], 3, {'padding': 1, 'strideD': 1, 'strideH': 1, 'strideW': 1, 'dilationDFactor': 2,
                                                'dilationHFactor': 3, 'dilationWFactor': 1}),
    'relu': ([1, 3, 3, 3, 1], [1, 1, 1], 2, {'padding': 0, 'strideD': 1, 'strideH': 1, 'strideW': 1, 'fusedActivationFunction': 1}),
}


@operator('CONV_3D')
def convolution_3d(op):
    for name, (shape, window, filters, options) in VOLUMES.items():
        weights = float_weights('conv_3d/' + name, *window, shape[4], filters)
        bias = float_weights('conv_3d/%s/bias' % name, filters)
        op.add('float32_' + name, [floats(*shape), constant(weights), constant(bias)], options=('Conv3DOptions', options))
    shape, window, filters, options = VOLUMES['valid']
    op.add('float32_no_bias', [floats(*shape), constant(float_weights('conv_3d', *window, shape[4], filters))],
           options=('Conv3DOptions', options))


@operator('CONV_3D_TRANSPOSE')
def transposed_3d(op):
    # The options describe the convolution from the output back to the input.
    for name, shape, window, filters, output, strides, padding in [
            ('same', [1, 2, 3, 2, 3], [2, 3, 3], 2, [1, 4, 6, 4, 2], 2, 0), ('valid', [2, 2, 2, 3, 2], [2, 2, 3], 3, [2, 3, 3, 5, 3], 1, 1),
            ('apart', [1, 2, 2, 2, 1], [1, 1, 1], 2, [1, 3, 3, 3, 2], 2, 1)]:
        options = ('Conv3DOptions', {'padding': padding, 'strideD': strides, 'strideH': strides, 'strideW': strides})
        weights = constant(float_weights('conv_3d_transpose/' + name, *window, filters, shape[4]))
        bias = constant(float_weights('conv_3d_transpose/%s/bias' % name, filters))
        op.add('float32_' + name, [int32s(*output), weights, floats(*shape), bias], options=options)
    op.add('float32_no_bias', [int32s(1, 4, 4, 4, 1), constant(float_weights('conv_3d_transpose', 2, 2, 2, 1, 2)),
                               floats(1, 2, 2, 2, 2)],
           options=('Conv3DOptions', {'padding': 0, 'strideD': 2, 'strideH': 2, 'strideW': 2}))
