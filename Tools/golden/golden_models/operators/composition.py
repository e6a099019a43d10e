"""STABLEHLO_COMPOSITE, control flow, and models whose inputs are resized before the run."""
import numpy as np
from flatbuffers import flexbuffers

from golden_models.graph import Graph, Node, operator
from golden_models.tensors import Tensor, constant, floats, int32s, integers, quantized, quantized_result, result


def composite(name, index, attributes=None):
    builder = flexbuffers.Builder()
    with builder.Map():
        for key, value in (attributes or {}).items():
            builder.Float(key, value)
    return ('StableHLOCompositeOptions', {'name': name, 'decompositionSubgraphIndex': index, 'version': 1,
                                          'compositeAttributes': list(bytes(builder.Finish()))})


@operator('STABLEHLO_COMPOSITE')
def composites(op):
    def inner(kind, shape):
        return Tensor(kind, 'float32', shape)

    a, b = inner('input', [2, 3]), inner('input', [2, 3])
    product, total = inner('result', [2, 3]), inner('result', [2, 3])
    body = Graph([Node('MUL', [a, b], [product], ('MulOptions', {})), Node('ADD', [product, a], [total], ('AddOptions', {}))],
                 name='multiply_add')
    call = Node('STABLEHLO_COMPOSITE', [floats(2, 3), floats(2, 3)], [result()], composite(b'my.multiply_add', 1))
    op.add_graph('float32_multiply_add', [Graph([call]), body])

    a = inner('input', [2, 5])
    square, root = inner('result', [2, 5]), inner('result', [2, 5])
    body = Graph([Node('SQUARE', [a], [square], ('SquareOptions', {})), Node('SQRT', [square], [root])],
                 outputs=[square, root], name='two_results')
    call = Node('STABLEHLO_COMPOSITE', [floats(2, 5)], [result(), result()],
                composite(b'my.two_results', 1, {'epsilon': 1e-5}))
    op.add_graph('float32_two_results', [Graph([call]), body])

    # The result of one composite is the input of the next, which runs the same subgraph.
    a = inner('input', [4])
    opposite = inner('result', [4])
    body = Graph([Node('NEG', [a], [opposite], ('NegOptions', {}))], name='negate')
    middle, shifted = result(), result()
    op.add_graph('float32_called_twice', [Graph([
        Node('STABLEHLO_COMPOSITE', [floats(4)], [middle], composite(b'my.negate', 1)),
        Node('ADD', [middle, constant(np.float32([1, 2, 3, 4]))], [shifted], ('AddOptions', {})),
        Node('STABLEHLO_COMPOSITE', [shifted], [result()], composite(b'my.negate', 1)),
    ]), body])


def branch(kind, name, shape):
    """A subgraph of two inputs and one elementwise operator."""
    left, right = Tensor('input', 'float32', shape), Tensor('input', 'float32', shape)
    return Graph([Node(kind, [left, right], [Tensor('result', 'float32', shape)], (kind.title() + 'Options', {}))], name=name)


@operator('IF')
def conditional(op):
    for name, value in (('then', True), ('else', False)):
        call = Node('IF', [integers('bool', values=[value]), floats(2, 3), floats(2, 3)], [Tensor('result', 'float32', [2, 3])],
                    ('IfOptions', {'thenSubgraphIndex': 1, 'elseSubgraphIndex': 2}))
        op.add_graph('float32_' + name, [Graph([call]), branch('ADD', 'sum', [2, 3]), branch('MUL', 'product', [2, 3])])


@operator('WHILE')
def loop(op):
    """Doubles the values until a count is reached."""
    def inner(kind, dtype, shape):
        return Tensor(kind, dtype, shape)
    for name, start in (('rounds', 0), ('no_round', 5)):
        count, ignored, goes_on = inner('input', 'int32', [1]), inner('input', 'float32', [3]), inner('result', 'bool', [1])
        condition = Graph([Node('LESS', [count, int32s(3)], [goes_on], ('LessOptions', {}))], inputs=[count, ignored],
                          name='condition')
        before, values = inner('input', 'int32', [1]), inner('input', 'float32', [3])
        after, doubled = inner('result', 'int32', [1]), inner('result', 'float32', [3])
        body = Graph([Node('ADD', [before, int32s(1)], [after], ('AddOptions', {})),
                      Node('ADD', [values, values], [doubled], ('AddOptions', {}))], inputs=[before, values],
                     outputs=[after, doubled], name='body')
        call = Node('WHILE', [integers('int32', 1, values=[start]), floats(3)],
                    [inner('result', 'int32', [1]), inner('result', 'float32', [3])],
                    ('WhileOptions', {'condSubgraphIndex': 1, 'bodySubgraphIndex': 2}))
        op.add_graph('float32_' + name, [Graph([call]), condition, body])


@operator('STABLEHLO_CASE')
def cases(op):
    for number in (0, 1, 2):
        call = Node('STABLEHLO_CASE', [integers('int32', values=[number]), floats(4), floats(4)], [Tensor('result', 'float32', [4])],
                    ('StablehloCaseOptions', {'branchSubgraphIndices': [1, 2, 3]}))
        op.add_graph('float32_%d' % number, [Graph([call]), branch('ADD', 'sum', [4]), branch('MUL', 'product', [4]),
                                             branch('SUB', 'difference', [4])])


RESIZED = {
    'ADD': lambda op: op.add('float32_resized', [floats(3, 4, 5, file_shape=[1, 4, 5]), constant(np.float32([1, 2, 3, 4, 5]))],
                             options=('AddOptions', {})),
    'CONV_2D': lambda op: op.add(
        'float32_resized', [floats(2, 5, 7, 3, file_shape=[1, 4, 4, 3]),
                            constant(np.linspace(-1, 1, 54, dtype=np.float32).reshape(2, 3, 3, 3)),
                            constant(np.float32([0.5, -0.5]))],
        options=('Conv2DOptions', {'padding': 0, 'strideH': 2, 'strideW': 2})),
    'FULLY_CONNECTED': lambda op: op.add(
        'float32_resized', [floats(4, 6, file_shape=[1, 6]), constant(np.linspace(-1, 1, 18, dtype=np.float32).reshape(3, 6)),
                            constant(np.float32([0.5, -0.5, 1]))],
        options=('FullyConnectedOptions', {})),
    'RESHAPE': lambda op: op.add('float32_resized', [floats(4, 6, file_shape=[1, 6]), int32s(-1, 3)],
                                 options=('ReshapeOptions', {'newShape': [-1, 3]})),
    'SHAPE': lambda op: op.add('float32_resized', [floats(2, 6, file_shape=[1, 3])], [result('int32')],
                               ('ShapeOptions', {'outType': 2})),
    'MAX_POOL_2D': lambda op: op.add(
        'int8_resized', [quantized('int8', 1, 5, 6, 3, file_shape=[1, 2, 2, 3])], [quantized_result('int8')],
        ('Pool2DOptions', {'padding': 1, 'filterHeight': 2, 'filterWidth': 2, 'strideH': 2, 'strideW': 2})),
}


@operator(*RESIZED)
def resized(op):
    RESIZED[op.name](op)
