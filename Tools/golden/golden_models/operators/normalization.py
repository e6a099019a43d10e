"""SOFTMAX, LOG_SOFTMAX, L2_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION: functions of a whole row."""
import numpy as np

from golden_models.graph import operator
from golden_models.tensors import Quantization, floats, quantized, quantized_result

SHAPES = {'vector': [1, 10], 'rows': [3, 17], 'picture': [1, 2, 3, 5], 'single': [4, 1], 'odd_33': [2, 33]}


@operator('SOFTMAX')
def softmax(op):
    for name, shape in SHAPES.items():
        op.add('float32_' + name, [floats(*shape, low=-6, high=6)], options=('SoftmaxOptions', {'beta': 1.0}))
        for dtype in ('int8', 'uint8', 'int16'):
            q = {'int8': Quantization(1 / 256, -128), 'uint8': Quantization(1 / 256), 'int16': Quantization(2.0 ** -15)}[dtype]
            op.add('%s_%s' % (dtype, name), [quantized(dtype, *shape, low=-5, high=6)],
                   [quantized_result(dtype, q=q)], ('SoftmaxOptions', {'beta': 1.0}))
    for beta in (0.5, 2.0):
        name = '_beta_' + str(beta).replace('.', '_')
        op.add('float32' + name, [floats(3, 5, low=-6, high=6)], options=('SoftmaxOptions', {'beta': beta}))
        op.add('int8' + name, [quantized('int8', 3, 5, low=-5, high=6)],
               [quantized_result('int8', q=Quantization(1 / 256, -128))], ('SoftmaxOptions', {'beta': beta}))
    op.add('float32_no_rows', [floats(0, 5)], options=('SoftmaxOptions', {'beta': 1.0}))
    op.add('float32_large_values', [floats(2, 3, values=[1000, 999, -1000, 88, 89, 90])],
           options=('SoftmaxOptions', {'beta': 1.0}))
    op.add('int8_to_int16', [quantized('int8', 3, 17, low=-5, high=6)],
           [quantized_result('int16', q=Quantization(2.0 ** -16, -32768))], ('SoftmaxOptions', {'beta': 1.0}))


@operator('LOG_SOFTMAX')
def log_softmax(op):
    options = ('LogSoftmaxOptions', {})
    for name, shape in SHAPES.items():
        op.add('float32_' + name, [floats(*shape, low=-6, high=6)], options=options)
        for dtype in ('int8', 'uint8'):
            q = Quantization(16 / 256, 127 if dtype == 'int8' else 255)
            op.add('%s_%s' % (dtype, name), [quantized(dtype, *shape, low=-5, high=6)],
                   [quantized_result(dtype, q=q)], options)


@operator('L2_NORMALIZATION')
def l2_normalization(op):
    options = ('L2NormOptions', {'fusedActivationFunction': 0})
    for name, shape in SHAPES.items():
        op.add('float32_' + name, [floats(*shape)], options=options)
        for dtype in ('int8', 'uint8'):
            q = Quantization(1 / 128, 0 if dtype == 'int8' else 128)
            op.add('%s_%s' % (dtype, name), [quantized(dtype, *shape, low=-2, high=1.5)],
                   [quantized_result(dtype, q=q)], options)
    op.add('float32_zeros', [floats(2, 3, values=[0, 0, 0, 1e-9, 0, 0])], options=options)


def response_formula(radius, bias, alpha, beta):
    def formula(data):
        squares = [np.square(data[..., max(0, c - radius):c + radius + 1]).sum(-1) for c in range(data.shape[-1])]
        return [(data * (bias + alpha * np.stack(squares, -1)) ** -beta).astype(np.float32)]
    return formula


@operator('LOCAL_RESPONSE_NORMALIZATION')
def local_response(op):
    for name, shape, radius, bias, alpha, beta in [('narrow', [1, 2, 3, 7], 1, 1.0, 0.5, 0.5), ('wide', [2, 1, 2, 5], 9, 2.0, 0.1, 0.75),
                                                   ('single', [1, 2, 2, 4], 0, 0.5, 1.0, 1.0)]:
        op.add('float32_' + name, [floats(*shape)],
               options=('LocalResponseNormalizationOptions', {'radius': radius, 'bias': bias, 'alpha': alpha, 'beta': beta}),
               defect='the reference kernel leaves out the last neighbor', formula=response_formula(radius, bias, alpha, beta))
