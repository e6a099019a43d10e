"""The recurrent operators besides UNIDIRECTIONAL_SEQUENCE_LSTM: RNN, LSTM and both directions."""
import numpy as np

from golden_models.graph import operator
from golden_models.operators.state import (BATCH, CELLS, INPUT, TANH, TIME, LongShortTermMemory)
from golden_models.tensors import Quantization, Tensor, constant, floats, quantized, random_values, result, variable


def weights(name, shape, is_hybrid):
    values = random_values('float32', shape, name, -0.7, 0.7)
    if not is_hybrid or len(shape) == 1:
        return constant(values)
    return constant(np.round(values / (0.7 / 127)), 'int8', Quantization(0.7 / 127))


def layer(name, is_hybrid):
    """Returns the input weights, recurrent weights, bias, and state of a simple recurrent layer."""
    return [weights(name + '/input', [CELLS, INPUT], is_hybrid), weights(name + '/recurrent', [CELLS, CELLS], is_hybrid),
            weights(name + '/bias', [CELLS], is_hybrid), variable('float32', BATCH, CELLS)]


@operator('RNN', 'UNIDIRECTIONAL_SEQUENCE_RNN')
def simple(op):
    is_sequence = op.name != 'RNN'
    for kind in ('float32', 'hybrid', 'hybrid_asymmetric'):
        for time_major in (False, True) if is_sequence else (False,):
            options = {'fusedActivationFunction': TANH, 'asymmetricQuantizeInputs': kind == 'hybrid_asymmetric'}
            if is_sequence:
                options['timeMajor'] = time_major
            shape = ([TIME, BATCH] if time_major else [BATCH, TIME]) if is_sequence else [BATCH]
            op.add(kind + ('_time_major' if time_major else ''), [floats(*shape, INPUT)] + layer('rnn', kind != 'float32'),
                   options=('SequenceRNNOptions' if is_sequence else 'RNNOptions', options),
                   version={'float32': 1, 'hybrid': 2, 'hybrid_asymmetric': 3}[kind], steps=2, stateful=True)


@operator('BIDIRECTIONAL_SEQUENCE_RNN')
def both_ways(op):
    for kind in ('float32', 'hybrid'):
        for name, merged, time_major in (('two', False, False), ('merged', True, False), ('time_major', False, True)):
            if kind == 'hybrid' and time_major:
                # The reference's results are unrelated to those of its own float32 variant here.
                continue
            shape = [TIME, BATCH] if time_major else [BATCH, TIME]
            inputs = [floats(*shape, INPUT)] + layer('forward', kind == 'hybrid') + layer('backward', kind == 'hybrid') + [None] * 3
            op.add('%s_%s' % (kind, name), inputs, [result()] if merged else [result(), result()],
                   ('BidirectionalSequenceRNNOptions', {'fusedActivationFunction': TANH, 'mergeOutputs': merged, 'timeMajor': time_major}),
                   version=2 if kind == 'hybrid' else 1, steps=2, stateful=True)


@operator('LSTM')
def long_short_term(op):
    for kind in ('float32', 'hybrid'):
        for name, parts, projection in (('plain', {}, None), ('coupled', {'coupled': True}, None), ('peephole', {'peephole': True}, None),
                                        ('projection', {'projection': True}, 3)):
            cell = LongShortTermMemory('step_' + name, kind, projection=projection).fill(**parts)
            cell.inputs[0] = floats(BATCH, INPUT)
            op.add('%s_%s' % (kind, name), cell.inputs[:20],
                   options=('LSTMOptions', {'fusedActivationFunction': TANH, 'cellClip': 0.0, 'projClip': 0.0, 'kernelType': 0}),
                   version=3 if kind == 'hybrid' else 1, steps=2, stateful=True)


@operator('LSTM')
def basic(op):
    """One matrix for all gates; 8-bit numbers from -1 to 1, cells with four integer bits."""
    unit, cells = Quantization(1 / 128, 128), Quantization(2.0**-11)
    matrix = Quantization(0.01, 121)
    codes = random_values('uint8', [4 * CELLS, INPUT + CELLS], 'basic/weights', 40, 200)
    bias = random_values('int32', [4 * CELLS], 'basic/bias', -9000, 9000)
    op.add('uint8_basic', [quantized('uint8', BATCH, INPUT, q=unit), quantized('uint8', BATCH, CELLS, q=unit), constant(codes, 'uint8', matrix),
                           constant(bias, 'int32', Quantization(0.01 / 128)), quantized('int16', BATCH, CELLS, q=cells)],
           [result('uint8', q=unit), result('int16', q=cells), result('uint8', q=unit), result('int16', q=Quantization(2.0**-12))],
           ('LSTMOptions', {'fusedActivationFunction': TANH, 'kernelType': 1}), version=2)


@operator('BIDIRECTIONAL_SEQUENCE_LSTM')
def long_short_term_both_ways(op):
    for kind in ('float32', 'hybrid'):
        for name, parts, merged, time_major in (('two', {}, False, True), ('merged', {}, True, True), ('batch_major', {}, False, False),
                                                ('peephole', {'peephole': True}, False, True)):
            shape = [TIME, BATCH] if time_major else [BATCH, TIME]
            forward = LongShortTermMemory('forward_' + name, kind).fill(**parts).inputs
            backward = LongShortTermMemory('backward_' + name, kind).fill(**parts).inputs
            inputs = ([floats(*shape, INPUT)] + forward[1:18] + backward[1:18] + forward[18:20] + backward[18:20] + [None] * 9)
            op.add('%s_%s' % (kind, name), inputs, [result()] if merged else [result(), result()],
                   ('BidirectionalSequenceLSTMOptions', {'fusedActivationFunction': TANH, 'cellClip': 0.0, 'projClip': 0.0,
                                                         'mergeOutputs': merged, 'timeMajor': time_major}),
                   version=2 if kind == 'hybrid' else 1, steps=2, stateful=True)
