"""Models of types without entries of their own: the float32 model of an operator with its numbers in another type.

The reference decides which of them an operator accepts: rejected types are listed with its reason.
"""
import copy

import numpy as np

from golden_models.graph import REGISTER, Graph, GoldenModel, Node
from golden_models.tensors import Quantization, Tensor, covering, floats, result

PLAIN = ('float16', 'float64', 'int8', 'uint8', 'int16', 'uint16', 'uint32', 'int64', 'uint64', 'bool', 'complex64')
# Operators that accept any type of full bytes.
MOVING = ('ASSIGN_VARIABLE BATCH_TO_SPACE_ND BROADCAST_TO CONCATENATION DEPTH_TO_SPACE DYNAMIC_UPDATE_SLICE EMBEDDING_LOOKUP EXPAND_DIMS FILL '
          'GATHER GATHER_ND HASHTABLE_LOOKUP MIRROR_PAD ONE_HOT PACK PAD PADV2 READ_VARIABLE RESHAPE '
          'RESIZE_NEAREST_NEIGHBOR REVERSE_SEQUENCE REVERSE_V2 SELECT SELECT_V2 SLICE SPACE_TO_BATCH_ND SPACE_TO_DEPTH SPARSE_TO_DENSE SPLIT '
          'SPLIT_V SQUEEZE STABLEHLO_GATHER STABLEHLO_PAD DILATE STRIDED_SLICE TILE TRANSPOSE UNPACK')
TYPES = {name: PLAIN for name in MOVING.split()}
TYPES.update({name: ('float16',) for name in ('ADD ATAN2 COS EQUAL FLOOR GELU GREATER GREATER_EQUAL LESS LESS_EQUAL LOGISTIC MAXIMUM MINIMUM NEG '
                                              'NOT_EQUAL ROUND SIN SOFTMAX TANH').split()})
TYPES.update({
    'STABLEHLO_PAD': (*PLAIN, 'int32'), 'BITWISE_XOR': ('uint16', 'uint32'), 'CAST': ('uint16', 'complex64'), 'MUL': ('float16', 'uint32', 'complex64'), 'REDUCE_MAX': ('bool',),
    'REDUCE_MIN': ('bool',), 'REDUCE_PROD': ('bool',), 'REDUCE_WINDOW': ('uint8', 'int16', 'float64'), 'RIGHT_SHIFT': ('uint16', 'uint32'), 'SCATTER_ND': ('bool', 'int16'), 'SIGN': ('float64',),
    'SUM': ('bool',), 'TOPK_V2': ('int16',), 'WHERE': ('uint32',)})
# Operators that also move strings.
for name in 'BROADCAST_TO CONCATENATION EXPAND_DIMS HASHTABLE_LOOKUP PACK REVERSE_V2 SPLIT SPLIT_V TRANSPOSE UNPACK'.split():
    TYPES[name] += ('string',)
# Types that NumPy lacks: they are converted from and to tensors of another type with the same number of bytes.
CARRIERS = {'bfloat16': ('uint16', []), 'float8E4M3FN': ('uint8', []), 'float8E5M2': ('uint8', []), 'complex128': ('uint64', [2])}
# Operators that also move 4-bit values, which other operators write and read.
NARROW = ('CONCATENATION DYNAMIC_UPDATE_SLICE EXPAND_DIMS FILL GATHER_ND PACK RESHAPE REVERSE_V2 SLICE SPLIT '
          'SPLIT_V SQUEEZE STRIDED_SLICE TILE TRANSPOSE UNPACK').split()
# Operators whose handles can be numbers.
HANDLES = 'ASSIGN_VARIABLE HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT HASHTABLE_SIZE READ_VARIABLE VAR_HANDLE'.split()
# Types that are quantized for these operators, instead of plain numbers.
QUANTIZED = {'DIV': ('int8', 'int16'), 'REDUCE_PROD': ('uint8',)}
# Float32 functions that also accept bfloat16, by their number of inputs. NumPy has no such type, so casts surround them.
SHORT = {'ATAN2': 2, 'FLOOR': 1, 'LOGISTIC': 1, 'MAXIMUM': 2, 'MINIMUM': 2, 'NEG': 1, 'ROUND': 1, 'TANH': 1}
# Operators that accept signed weights stored as unsigned bytes, as the oldest converters wrote them.
OLD_HYBRIDS = ('BIDIRECTIONAL_SEQUENCE_LSTM', 'BIDIRECTIONAL_SEQUENCE_RNN', 'LSTM', 'RNN', 'SVDF', 'UNIDIRECTIONAL_SEQUENCE_LSTM',
               'UNIDIRECTIONAL_SEQUENCE_RNN')

# Types that the reference accepts with wrong results, so that it cannot be compared with Swiftlet.
LARGE = ('float16', 'float64', 'uint16', 'uint32', 'uint64', 'bool', 'complex64', *CARRIERS)
UNUSABLE = [(('MATRIX_DIAG', 'MATRIX_SET_DIAG'), LARGE, 'The reference takes the type and leaves the output as it is.'),
            (('BROADCAST_TO', 'GATHER', 'HASHTABLE_LOOKUP'), ('int4', 'uint4'), 'The reference takes the type and copies a byte for each half of one.')]


def derive():
    """Adds the models to the registry."""
    known = {}
    for model in REGISTER:
        known.setdefault(model.operator, []).append(model)
    for name, inputs in SHORT.items():
        REGISTER.append(shortened(name, inputs))
    for name in OLD_HYBRIDS:
        hybrids = [model for model in known[name] if model.arithmetic() == 'hybrid']
        REGISTER.append(retyped(hybrids[0], 'int8', 'uint8', lambda old: old.quantization, lambda values: values.view('uint8')))
    for name, models in known.items():
        for quantized, types in ((False, TYPES.get(name, ())), (True, QUANTIZED.get(name, ()))):
            for dtype in types:
                if not any(dtype in dtypes(model) for model in models):
                    model = example(models)
                    main = next(t for t in ('float32', 'int32', 'int16', 'int8') if t in dtypes(model))
                    q = covering(dtype, -2, 2) if quantized else None
                    REGISTER.append(retyped(model, main, dtype, lambda _: q, converted(dtype)))
    for name in MOVING.split():
        for dtype, (carrier, parts) in CARRIERS.items():
            REGISTER.append(carried(example(known[name]), dtype, carrier, parts))
    for name in NARROW:
        for dtype, zero in (('int4', 0), ('uint4', 7)):
            REGISTER.append(carried(example(known[name]), dtype, 'float32', [], Quantization(0.25, zero)))
    for name in HANDLES:
        REGISTER.append(retyped(known[name][0], 'resource', 'int32', lambda _: None, None))
    for name in ('COMPLEX_ABS', 'IMAG', 'REAL'):
        REGISTER.append(complex_part(name))
    REGISTER.append(shortened('DEQUANTIZE', 1, gives='float32'))


def unusable():
    """Returns the paths of models of types for which the reference's results are useless, with the reason."""
    return [(f'{name.lower()}/{dtype}_other_type', reason) for names, dtypes, reason in UNUSABLE for name in names for dtype in dtypes]


def converted(dtype):
    """Returns a function that converts an array's values to another type."""
    if dtype == 'string':
        return lambda values: np.resize(np.array([b'one', b'', b'three', b'x'], 'O'), values.shape)
    return lambda values: values.astype(dtype)


def complex_part(name):
    """Returns a function of double-precision complex numbers."""
    numbers = Tensor('result', 'float64', [3], type='complex128')
    nodes = [Node('BITCAST', [Tensor('input', 'float64', [3, 2])], [numbers]), Node(name, [numbers], [result('float64')])]
    return GoldenModel(name, 'complex128_other_type', [Graph(nodes)])


def carried(model, dtype, carrier, parts, q=None):
    """Returns the float32 model in a type that the tensors of its main graph are converted from and to: quantized values, or the bits of other types."""
    tensors = {}
    there, back = ('QUANTIZE', 'DEQUANTIZE') if q else ('BITCAST', 'BITCAST')
    main = model.graphs[0]
    kind = next(t for t in ('float32', 'int32') if t in dtypes(model))

    def is_moved(t):
        return t is not None and t.type == kind and not (t.kind == 'constant' and t.shape is not None and kind == 'int32')

    def inside(old):
        if not is_moved(old):
            return old
        if id(old) not in tensors:
            new = copy.copy(old)
            new.dtype, new.type, new.quantization = 'int8' if q else carrier, dtype, q
            new.values = new.low = new.high = None
            if old.kind == 'constant':
                shape = list(old.shape) + parts
                new.values = np.resize(np.arange(8 if q else 251) - (4 if q and q.zero_points[0] == 0 else 0), shape).astype(new.dtype)
            elif old.kind == 'input':
                new.kind = 'result'
            tensors[id(old)] = new
        return tensors[id(old)]

    graphs = []
    for graph in model.graphs:
        nodes, inputs, outputs = [], list(graph.inputs), list(graph.outputs)
        for node in graph.nodes:
            new = copy.copy(node)
            new.inputs, new.outputs = [inside(t) for t in node.inputs], [inside(t) for t in node.outputs]
            nodes.append(new)
        if graph is main:
            for place, old in enumerate(inputs):
                if is_moved(old):
                    outer = Tensor('input', carrier, list(old.shape) + parts, low=None if q else 0, high=None if q else 250)
                    nodes.insert(0, Node(there, [outer], [inside(old)], version=6 if q else 1))
                    inputs[place] = outer
            for place, old in enumerate(outputs):
                if is_moved(old):
                    outer = result(carrier)
                    inside(old).like = (outer, len(parts))
                    nodes.append(Node(back, [inside(old)], [outer], version=6 if q else 1))
                    outputs[place] = outer
        graphs.append(Graph(nodes, outputs, inputs, graph.name))
    return GoldenModel(model.operator, dtype + '_other_type', graphs, model.steps, model.stateful, model.tidy)


def dtypes(model):
    return {t.type for graph in model.graphs for node in graph.nodes for t in node.inputs + node.outputs if t is not None}


def example(models):
    """Returns the model to start from: one of plain numbers of a single type, with elements."""
    def rank(model):
        types = dtypes(model)
        shapes = [t.shape for graph in model.graphs for node in graph.nodes for t in node.inputs if t is not None and t.shape is not None]
        return ('float32' not in types, any(0 in shape for shape in shapes), model.arithmetic() != 'float', len(model.graphs))
    return min(models, key=rank)


def shortened(name, inputs, gives=None):
    """Returns a function of bfloat16, with results of another type if it is given."""
    def short():
        return Tensor('result', 'uint16', [3, 5], type='bfloat16')

    given = [short() for _ in range(inputs)]
    answer = result(gives) if gives else short()
    nodes = [Node('CAST', [floats(3, 5)], [tensor]) for tensor in given] + [Node(name, given, [answer])]
    if not gives:
        nodes.append(Node('CAST', [answer], [result()]))
    return GoldenModel(name, 'bfloat16_other_type', [Graph(nodes)])


def retyped(model, main, dtype, quantization, converted):
    """Returns the model with all tensors of type `main` in another type: `quantization` of the old tensor, `converted` values."""
    tensors = {}

    def tensor(old):
        if old is None or old.type != main:
            return old
        if id(old) not in tensors:
            new = copy.copy(old)
            new.dtype = new.type = dtype
            new.low = new.high = None
            new.quantization = quantization(old)
            if old.values is not None:
                new.values = converted(np.asarray(old.values))
            elif dtype == 'string' and old.kind == 'input':
                new.values = converted(np.zeros(old.shape))
            tensors[id(old)] = new
        return tensors[id(old)]

    graphs = []
    for graph in model.graphs:
        nodes = []
        for node in graph.nodes:
            new = copy.copy(node)
            new.inputs, new.outputs = [tensor(t) for t in node.inputs], [tensor(t) for t in node.outputs]
            nodes.append(new)
        graphs.append(Graph(nodes, [tensor(t) for t in graph.outputs], [tensor(t) for t in graph.inputs], graph.name))
    return GoldenModel(model.operator, dtype + '_other_type', graphs, model.steps, model.stateful, model.tidy)
