"""CAST, QUANTIZE and DEQUANTIZE."""
import numpy as np

from golden_models.graph import Graph, Node, operator
from golden_models.operators.unary import SPECIAL, every_code
from golden_models.tensors import (Quantization, Tensor, constant, covering, floats, integers, quantized, quantized_result,
                                   result)

SCHEMA_TYPES = {'float32': 0, 'float16': 1, 'int32': 2, 'uint8': 3, 'int64': 4, 'bool': 6, 'int16': 7, 'int8': 9,
                'float64': 10, 'uint32': 15}


@operator('CAST')
def cast(op):
    types = ['float32', 'float16', 'float64', 'int8', 'uint8', 'int16', 'int32', 'int64', 'bool', 'uint32']
    values = {'float32': [0, 1.5, -1.5, 2.5, -2.5, 127.9, -128.9, 255.5, 300, -300, 65536.5, 3e9, -3e9, 1e-3, -0.0],
              'float16': [0, 1.5, -1.5, 2.5, -2.5, 100, -100, 0.25],
              'float64': [0, 1.5, -1.5, 2.5, -2.5, 127.9, -128.9, 300, -300, 65536.5, 1e10],
              'int32': [0, 1, -1, 127, 128, -128, -129, 255, 256, 32768, -32769, 65536, 2**31 - 1, -2**31],
              'int64': [0, 1, -1, 127, 128, -128, -129, 255, 256, 32768, 2**31, -2**31 - 1, 2**40],
              'int16': [0, 1, -1, 127, 128, -129, 255, 256, 32767, -32768],
              'int8': [0, 1, -1, 127, -128, 77], 'uint8': [0, 1, 127, 128, 255],
              'bool': [True, False, True], 'uint32': [0, 1, 255, 256, 65536, 2**31, 2**32 - 1]}
    for a in types:
        for b in types:
            if a != b and ('float32' in (a, b) or (a in ('int32', 'int64', 'bool', 'uint8', 'int8') and
                                                   b in ('int32', 'int64', 'bool', 'uint8', 'int8', 'int16'))):
                op.add('%s_to_%s' % (a, b), [integers(a, len(values[a]), values=values[a])], [result(b)],
                       ('CastOptions', {'inDataType': SCHEMA_TYPES[a], 'outDataType': SCHEMA_TYPES[b]}))
    for dtype, codes in (('int4', range(-8, 8)), ('uint4', range(16)), ('int2', (-2, -1, 0, 1, 1))):
        op.add(dtype + '_constant_to_float32', [constant(list(codes), 'int8', type=dtype)], [result()], ('CastOptions', {}), version=8)
    short = Tensor('result', 'uint16', [7], type='bfloat16')
    there, back = Node('CAST', [floats(7, values=[0, -0.0, 1.5, -3.14159, 1e30, np.inf, 1e-39])], [short]), Node('CAST', [short], [result()])
    op.add_graph('float32_to_bfloat16_and_back', [Graph([there, back])])
    op.add('float32_not_finite_to_int32', [floats(3, values=[np.inf, -np.inf, np.nan])], [result('int32')],
           ('CastOptions', {'inDataType': 0, 'outDataType': 2}))


@operator('QUANTIZE')
def quantize(op):
    options = ('QuantizeOptions', {})
    for dtype in ('int8', 'uint8', 'int16'):
        q = covering(dtype, -2, 1.5)
        op.add('float32_to_' + dtype, [floats(3, 17, low=-2.3, high=1.8)], [quantized_result(dtype, q=q)], options)
        op.add('float32_to_%s_special' % dtype, [floats(len(SPECIAL), values=SPECIAL)], [quantized_result(dtype, q=q)],
               options)
    # With a power of two as the scale, inputs are exactly between two quantized values.
    ties = [i / 8 for i in range(-20, 21)]
    for dtype in ('int8', 'uint8'):
        op.add('float32_to_%s_ties' % dtype, [floats(len(ties), values=ties)],
               [quantized_result(dtype, q=Quantization(0.25, 3 if dtype == 'int8' else 130))], options)
    channels = Quantization([0.01, 0.02, 0.015, 0.03, 0.007], 0, 2)
    op.add('float32_to_int8_per_channel', [floats(2, 3, 5)], [result('int8', q=channels)], options, version=3)
    for a in ('int8', 'uint8', 'int16'):
        for b in ('int8', 'uint8', 'int16', 'int32'):
            if (a == 'int16' and b == 'uint8') or (a != 'int16' and b == 'int32'):
                continue
            output = Quantization(1.7 / 2**20) if b == 'int32' else covering(b, -1.8, 1.4)
            op.add('%s_to_%s' % (a, b), [every_code(a, covering(a, -2.1, 1.5))], [result(b, q=output)], options)
    for a, b in (('int8', 'uint8'), ('uint8', 'int8')):
        signed, unsigned = Quantization(0.02, -5), Quantization(0.02, 123)
        op.add('%s_to_%s_same_scale' % (a, b), [every_code(a, signed if a == 'int8' else unsigned)],
               [result(b, q=unsigned if a == 'int8' else signed)], options)
    for dtype in ('int8', 'int16'):
        op.add('int32_to_' + dtype, [quantized('int32', 33, q=Quantization(1.3 / 2**20), codes=(-2**21, 2**21))],
               [quantized_result(dtype, -2, 1.7)], options)


    for dtype in ('int4', 'uint4'):
        q = Quantization(0.2, 0 if dtype == 'int4' else 7)
        codes = Tensor('result', 'int8', None, q, type=dtype)
        there = Node('QUANTIZE', [floats(3, 5, low=-2.3, high=1.8)], [codes], options)
        op.add_graph('float32_to_%s_and_back' % dtype, [Graph([there, Node('DEQUANTIZE', [codes], [result()], version=6)])])


@operator('DEQUANTIZE')
def dequantize(op):
    options = ('DequantizeOptions', {})
    for dtype in ('int8', 'uint8', 'int16'):
        op.add(dtype, [every_code(dtype, covering(dtype, -2.1, 1.5))], options=options)
    op.add('int8_per_channel', [quantized('int8', 2, 3, 5, q=Quantization([0.01, 0.02, 0.015, 0.03, 0.007], 0, 2))],
           options=options, version=5)
    op.add('int8_per_channel_middle', [quantized('int8', 2, 3, 5, q=Quantization([0.01, 0.02, 0.015], 0, 1))],
           options=options, version=5)
    halves = np.array([0, -0.0, 1, -1, 0.1, 65504, 6e-5, 6e-8, -3.14159, np.inf, -np.inf], np.float16)
    op.add('float16_constant', [constant(halves)], options=options, version=3)
    op.add('float16', [integers('float16', len(halves), values=halves)], options=options, version=3)
    op.add('int8_constant', [constant(np.arange(-6, 6), 'int8', Quantization(0.1, 2))], options=options, version=2)
    op.add('int4_constant', [constant(np.arange(-8, 8), 'int8', Quantization(0.1), type='int4')], options=options, version=6)
    op.add('uint4_constant_odd', [constant(np.arange(0, 15), 'int8', Quantization(0.1, 3), type='uint4')], options=options, version=7)
    op.add('int2_constant_odd', [constant([-2, -1, 0, 1, 1, -2, -1], 'int8', Quantization(0.1), type='int2')], options=options, version=8)
    op.add('int4_constant_odd', [constant(np.arange(-7, 8), 'int8', Quantization(0.1), type='int4')], options=options,
           version=6)
