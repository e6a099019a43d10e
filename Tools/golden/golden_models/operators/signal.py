"""Fourier transforms, parts of complex numbers, and the audio operators."""
import numpy as np
from flatbuffers import flexbuffers

from golden_models.graph import Graph, Node, operator
from golden_models.tensors import Tensor, constant, floats, int32s, integers, result

TRANSFORMS = {'square': ([4, 4], [4, 4]), 'one_row': ([1, 16], [1, 16]), 'batches': ([2, 3, 2, 8], [2, 8]),
              'cut': ([5, 9], [4, 8]), 'filled': ([3, 5], [8, 16]), 'smallest': ([1, 1], [1, 2]), 'tall': ([8, 3], [8, 2]),
              'empty': ([0, 4, 4], [4, 4])}


def complex_tensor():
    return Tensor('result', 'complex64')


def transform(op, name, after, shape, lengths):
    data, spectrum = floats(*shape), complex_tensor()
    nodes = [Node('RFFT2D', [data, int32s(*lengths)], [spectrum], ('Rfft2dOptions', {}))]
    parts = [result() for _ in after]
    nodes += [Node(part, [spectrum], [out]) for part, out in zip(after, parts)]
    op.add_graph(name, [Graph(nodes, outputs=parts)])


@operator('RFFT2D')
def real_transform(op):
    for name, (shape, lengths) in TRANSFORMS.items():
        transform(op, 'float32_' + name, ['REAL', 'IMAG'], shape, lengths)


@operator('REAL', 'IMAG', 'COMPLEX_ABS')
def parts(op):
    for name, shape in (('matrix', [4, 8]), ('empty', [0, 4, 4])):
        transform(op, 'complex64_' + name, [op.name], shape, [4, 8])


def attributes(**fields):
    builder = flexbuffers.Builder()
    with builder.Map():
        for name, value in sorted(fields.items()):
            if isinstance(value, bool):
                builder.Bool(name, value)
            elif isinstance(value, list):
                builder.TypedVectorFromElements(value, name) if value else None
            else:
                builder.Int(name, value)
    return bytes(builder.Finish())


@operator('AudioSpectrogram')
def spectrogram(op):
    for name, samples, channels, window, stride, squared in [
            ('squared', 40, 1, 16, 8, True), ('magnitude', 40, 2, 16, 5, False), ('odd_window', 30, 1, 11, 7, True),
            ('too_short', 9, 1, 16, 8, True), ('stride_beyond_window', 50, 1, 8, 20, False)]:
        op.add('float32_' + name, [floats(samples, channels)], [result()],
               custom_options=attributes(window_size=window, stride=stride, magnitude_squared=squared))


@operator('Mfcc')
def cepstrum(op):
    for name, shape, rate, low, high, channels, coefficients in [
            ('usual', [1, 3, 129], 16000, 20, 4000, 40, 13), ('two_channels', [2, 2, 65], 8000, 0, 3900, 10, 10),
            ('one_coefficient', [1, 1, 33], 8000, 100, 2000, 4, 1), ('beyond_spectrum', [1, 2, 33], 4000, 20, 4000, 8, 5)]:
        op.add('float32_' + name, [floats(*shape, low=0, high=30), int32s(rate)], [result()],
               custom_options=attributes(upper_frequency_limit=high, lower_frequency_limit=low,
                                         filterbank_channel_count=channels, dct_coefficient_count=coefficients))
    op.add('float32_rate_as_input', [floats(1, 2, 33, low=0, high=30), integers('int32', 1, values=[8000])], [result()],
           custom_options=attributes(upper_frequency_limit=3000, lower_frequency_limit=20, filterbank_channel_count=6,
                                     dct_coefficient_count=4))


@operator('aeq.hadamard_rotation')
def hadamard(op):
    for name, shape, size in (('rank_2', [3, 8], 4), ('rank_3', [2, 3, 16], 16), ('one', [2, 3], 1), ('long', [1, 128], 128),
                              ('rest', [2, 10], 4)):
        op.add('float32_' + name, [floats(*shape)], [result(shape=shape)], custom_options=attributes(hadamard_size=size))
