"""Stateful operators: UNIDIRECTIONAL_SEQUENCE_LSTM, SVDF, and resource variables."""
import numpy as np

from golden_models.graph import Graph, Node, operator
from golden_models.tensors import (Quantization, Tensor, constant, covering, floats, quantized, quantized_result,
                                   random_values, variable)

TANH = 4
BATCH, TIME, INPUT, CELLS = 2, 3, 5, 4
PEEPHOLES = (9, 10, 11)


class LongShortTermMemory:
    """Collects the 24 inputs of the operator in their fixed order; absent ones stay None."""

    GATES = ('input', 'forget', 'cell', 'output')

    def __init__(self, name, weights, cells=CELLS, projection=None):
        self.name, self.weights, self.cells = name, weights, cells
        self.outputs = projection or cells
        self.inputs = [None] * 24

    def matrix(self, place, *shape):
        values = random_values('float32', shape, 'lstm/%s/%d' % (self.name, place), -0.7, 0.7)
        if self.weights == 'hybrid' and (len(shape) == 2 or place in PEEPHOLES):
            codes = np.round(values / (0.7 / 127))
            self.inputs[place] = constant(codes, 'int8', Quantization(0.7 / 127))
        else:
            self.inputs[place] = constant(values)

    def fill(self, coupled=False, peephole=False, projection=False, normalized=False):
        gates = [1, 2, 3] if coupled else [0, 1, 2, 3]
        for gate in gates:
            self.matrix(1 + gate, self.cells, INPUT)
            self.matrix(5 + gate, self.cells, self.outputs)
            self.matrix(12 + gate, self.cells)
            if normalized:
                self.matrix(20 + gate, self.cells)
        if peephole:
            for place in PEEPHOLES[1 if coupled else 0:]:
                self.matrix(place, self.cells)
        if projection:
            self.matrix(16, self.outputs, self.cells)
            self.matrix(17, self.outputs)
        self.inputs[18] = variable('float32', BATCH, self.outputs)
        self.inputs[19] = variable('float32', BATCH, self.cells)
        return self


def lstm_options(time_major=False, cell_clip=0.0, projection_clip=0.0, asymmetric=False):
    return ('UnidirectionalSequenceLSTMOptions', {
        'fusedActivationFunction': TANH, 'timeMajor': time_major, 'cellClip': cell_clip, 'projClip': projection_clip,
        'asymmetricQuantizeInputs': asymmetric})


def integer_lstm(op, name, coupled, time_major):
    """8-bit activations, 16-bit cell state, and gates in Q3.12."""
    data_q, hidden_q, cell_q = covering('int8', -2, 1.6), covering('int8', -0.9, 0.8), Quantization(2.0 ** -11)
    shape = (TIME, BATCH, INPUT) if time_major else (BATCH, TIME, INPUT)
    inputs = [None] * 24
    inputs[0] = quantized('int8', *shape, q=data_q)
    weight_scale = 0.7 / 127
    for gate in ([1, 2, 3] if coupled else [0, 1, 2, 3]):
        for place, columns in ((1 + gate, INPUT), (5 + gate, CELLS)):
            inputs[place] = constant(random_values('int8', [CELLS, columns], 'lstm8/%s/%d' % (name, place), -127, 127),
                                     'int8', Quantization(weight_scale))
        scale = data_q.scales[0] * weight_scale
        real = random_values('float32', [CELLS], 'lstm8/%s/bias%d' % (name, gate), -0.5, 0.5)
        inputs[12 + gate] = constant(np.round(real / scale), 'int32', Quantization(scale))
    inputs[18] = variable('int8', BATCH, CELLS, q=hidden_q)
    inputs[19] = variable('int16', BATCH, CELLS, q=cell_q)
    gates = [Tensor('result', 'int16', [0], Quantization(2.0 ** -12)) for _ in range(4)]
    hidden = Tensor('result', 'int8', [0], hidden_q)
    op.add('int8_' + name, inputs, [quantized_result('int8', q=hidden_q)], lstm_options(time_major), version=4,
           intermediates=gates + [hidden], steps=2, stateful=True)


@operator('UNIDIRECTIONAL_SEQUENCE_LSTM')
def lstm(op):
    variants = {
        'plain': ({}, {}, None), 'time_major': ({}, {'time_major': True}, None), 'coupled': ({'coupled': True}, {}, None),
        'peephole': ({'peephole': True}, {}, None), 'projection': ({'projection': True}, {'projection_clip': 0.2}, 3),
        'clipped': ({}, {'cell_clip': 0.1}, None), 'normalized': ({'normalized': True}, {}, None),
        'everything': ({'peephole': True, 'projection': True, 'normalized': True}, {'cell_clip': 0.5}, 3),
    }
    for weights in ('float32', 'hybrid'):
        for name, (parts, options, projection) in variants.items():
            if weights == 'hybrid' and name in ('clipped', 'everything'):
                continue
            cell = LongShortTermMemory(name, weights, projection=projection).fill(**parts)
            shape = (TIME, BATCH, INPUT) if options.get('time_major') else (BATCH, TIME, INPUT)
            cell.inputs[0] = floats(*shape)
            inputs = cell.inputs if parts.get('normalized') else cell.inputs[:20]
            op.add('%s_%s' % (weights, name), inputs, options=lstm_options(**options),
                   version=3 if weights == 'hybrid' else 1, steps=2, stateful=True)
    cell = LongShortTermMemory('plain', 'hybrid').fill()
    cell.inputs[0] = floats(BATCH, TIME, INPUT)
    op.add('hybrid_asymmetric', cell.inputs[:20], options=lstm_options(asymmetric=True), version=3, steps=2, stateful=True)
    for name, coupled, time_major in (('plain', False, False), ('coupled', True, False), ('time_major', False, True)):
        integer_lstm(op, name, coupled, time_major)


@operator('SVDF')
def svdf(op):
    memory, units = 4, 3
    for rank in (1, 2):
        for name, activation in (('none', 0), ('relu', 1)):
            filters = units * rank
            feature = random_values('float32', [filters, INPUT], 'svdf/feature', -0.8, 0.8)
            time = random_values('float32', [filters, memory], 'svdf/time', -0.8, 0.8)
            bias = random_values('float32', [units], 'svdf/bias', -0.5, 0.5)
            label = 'rank_%d_%s' % (rank, name)

            def options(asymmetric=False):
                return ('SVDFOptions', {'rank': rank, 'fusedActivationFunction': activation,
                                        'asymmetricQuantizeInputs': asymmetric})

            op.add('float32_' + label,
                   [floats(BATCH, INPUT), constant(feature), constant(time), constant(bias),
                    variable('float32', BATCH, filters * memory)],
                   options=options(), steps=5, stateful=True)
            scale = 0.8 / 127
            small = constant(np.round(feature / scale), 'int8', Quantization(scale))
            for asymmetric in (False, True):
                op.add('hybrid_' + label + ('_asymmetric' if asymmetric else ''),
                       [floats(BATCH, INPUT), small, constant(np.round(time / scale), 'int8', Quantization(scale)),
                        constant(bias), variable('float32', BATCH, filters * memory)],
                       options=options(asymmetric), version=3 if asymmetric else 2, steps=3, stateful=True)
            if name == 'none':
                continue
            # The integer kernel only accepts RELU.
            data_q, state_q, time_scale = covering('int8', -2, 1.6), Quantization(1.9 / 32767 * 2), 0.8 / 32767
            bias_scale = state_q.scales[0] * time_scale
            op.add('int8_' + label,
                   [quantized('int8', BATCH, INPUT, q=data_q), small,
                    constant(np.round(time / time_scale), 'int16', Quantization(time_scale)),
                    constant(np.round(bias / bias_scale), 'int32', Quantization(bias_scale)),
                    variable('int16', BATCH, filters * memory, q=state_q)],
                   [quantized_result('int8', -3, 2.5)], options(), version=4, steps=5, stateful=True)
    op.add('float32_no_bias',
           [floats(BATCH, INPUT), constant(random_values('float32', [units, INPUT], 'svdf/f', -1, 1)),
            constant(random_values('float32', [units, memory], 'svdf/t', -1, 1)), None,
            variable('float32', BATCH, units * memory)],
           options=('SVDFOptions', {'rank': 1}), steps=2, stateful=True)


def resource():
    return Tensor('result', 'resource', [1])


def handle(name):
    return ('VarHandleOptions', {'container': b'', 'sharedName': name})


@operator('ASSIGN_VARIABLE', 'READ_VARIABLE')
def assigning(op):
    """Written and read in the same run."""
    for dtype in ('float32', 'int32', 'int8'):
        id, value = resource(), Tensor('result', dtype, [2, 3], covering(dtype, -2, 2) if dtype == 'int8' else None)
        data = Tensor('input', dtype, [2, 3], value.quantization)
        op.add_graph(dtype + '_then_read', [Graph([
            Node('VAR_HANDLE', [], [id], handle(b'kept')),
            Node('ASSIGN_VARIABLE', [id, data], [], ('AssignVariableOptions', {})),
            Node('READ_VARIABLE', [id], [value], ('ReadVariableOptions', {})),
        ])])


@operator('READ_VARIABLE')
def accumulating(op):
    """A sum that is kept from run to run, initialized by a subgraph that is called once."""
    id, again, old, new = resource(), resource(), Tensor('result', 'float32', [2, 3]), Tensor('result', 'float32', [2, 3])
    data = floats(2, 3)
    first = constant(np.full([2, 3], 10, np.float32))
    main = Graph([
        Node('CALL_ONCE', [], [], ('CallOnceOptions', {'initSubgraphIndex': 1})),
        Node('VAR_HANDLE', [], [id], handle(b'sum')),
        Node('READ_VARIABLE', [id], [old], ('ReadVariableOptions', {})),
        Node('ADD', [old, data], [new], ('AddOptions', {})),
        Node('ASSIGN_VARIABLE', [id, new], [], ('AssignVariableOptions', {})),
    ], outputs=[new])
    start = Graph([
        Node('VAR_HANDLE', [], [again], handle(b'sum')),
        Node('ASSIGN_VARIABLE', [again, first], [], ('AssignVariableOptions', {})),
    ], outputs=[], name='start')
    op.add_graph('float32_accumulate', [main, start], steps=3, stateful=True)
    kept, read, minus = resource(), Tensor('result', 'float32', []), Tensor('result', 'float32')
    op.add_graph('float32_open_shape', [Graph([
        Node('VAR_HANDLE', [], [kept], handle(b'open')),
        Node('ASSIGN_VARIABLE', [kept, floats(2, 3)], [], ('AssignVariableOptions', {})),
        Node('READ_VARIABLE', [kept], [read], ('ReadVariableOptions', {})),
        Node('NEG', [read], [minus], ('NegOptions', {})),
    ])])


@operator('VAR_HANDLE')
def two_variables(op):
    """Two handles with the same name are one variable; another name is another variable."""
    a, same, b = resource(), resource(), resource()
    first, second = Tensor('result', 'float32', [3]), Tensor('result', 'float32', [3])
    x, y = floats(3), floats(3)
    op.add_graph('float32_two_names', [Graph([
        Node('VAR_HANDLE', [], [a], handle(b'a')), Node('VAR_HANDLE', [], [same], handle(b'a')),
        Node('VAR_HANDLE', [], [b], handle(b'b')),
        Node('ASSIGN_VARIABLE', [a, x], [], ('AssignVariableOptions', {})),
        Node('ASSIGN_VARIABLE', [b, y], [], ('AssignVariableOptions', {})),
        Node('READ_VARIABLE', [same], [first], ('ReadVariableOptions', {})),
        Node('READ_VARIABLE', [b], [second], ('ReadVariableOptions', {})),
    ], outputs=[first, second])])
