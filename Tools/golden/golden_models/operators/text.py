"""Tensors of strings: hash tables, and the operators that move and compare strings."""
import numpy as np

from golden_models.graph import Graph, Node, operator
from golden_models.tensors import Tensor, constant, int32s, integers, result, strings

WORDS = ('one', '', 'größer', 'three', 'one', 'x')


def words(*shape):
    return strings(*WORDS[:int(np.prod(shape))], shape=shape, kind='input')


def text():
    return result('string')


@operator('HASHTABLE_FIND', 'HASHTABLE_SIZE', 'HASHTABLE_IMPORT', 'HASHTABLE')
def tables(op):
    kinds = {'int64': 4, 'string': 5}
    for name, keys, values, queries, missing in [
            ('string', constant(np.array([5, -2, 9, 5], np.int64)), strings('five', '', 'nine', 'fifth'),
             integers('int64', 2, 2, values=[9, 5, 1, -2]), strings('none')),
            ('int64', strings('a', 'b', '', 'a'), constant(np.array([1, 2, 3, 4], np.int64)), strings('b', 'c', '', 'a', kind='input'),
             constant(np.array([-1], np.int64)))]:
        def handle():
            out = Tensor('result', 'resource', [1])
            return out, Node('HASHTABLE', [], [out], ('HashtableOptions', {
                'tableId': 3, 'keyDtype': kinds[keys.dtype], 'valueDtype': kinds[values.dtype]}))

        (filled, first), (used, second) = handle(), handle()
        fill = Graph([first, Node('HASHTABLE_IMPORT', [filled, keys, values], [], ('HashtableImportOptions', {}))], outputs=[], name='fill')
        found, size = Tensor('result', name), result('int64')
        main = Graph([Node('CALL_ONCE', [], [], ('CallOnceOptions', {'initSubgraphIndex': 1})), second,
                      Node('HASHTABLE_FIND', [used, queries, missing], [found], ('HashtableFindOptions', {})),
                      Node('HASHTABLE_SIZE', [used], [size], ('HashtableSizeOptions', {}))], outputs=[found, size])
        op.add_graph(name + '_values', [main, fill], steps=2, stateful=True)


@operator('EQUAL', 'NOT_EQUAL')
def compared(op):
    options = ('EqualOptions' if op.name == 'EQUAL' else 'NotEqualOptions', {})
    op.add('string', [words(6), strings('one', '', 'x', 'three', 'One', 'größer')], [result('bool')], options)
    op.add('string_broadcast', [words(2, 3), strings('one')], [result('bool')], options)


@operator('GATHER')
def gathered(op):
    op.add('string', [words(6), integers('int32', 4, values=[2, 0, 1, 2])], [text()], ('GatherOptions', {'axis': 0}))


@operator('GATHER_ND')
def gathered_at(op):
    op.add('string', [words(3, 2), integers('int32', 2, 2, values=[[2, 1], [0, 0]])], [text()], ('GatherNdOptions', {}))


@operator('RESHAPE')
def reshaped(op):
    op.add('string', [words(2, 3), int32s(3, 2)], [text()], ('ReshapeOptions', {'newShape': [3, 2]}))


@operator('EXPAND_DIMS')
def expanded(op):
    op.add('string', [words(3), int32s(0)], [text()], ('ExpandDimsOptions', {}))


@operator('SQUEEZE')
def squeezed(op):
    op.add('string', [words(1, 3)], [text()], ('SqueezeOptions', {'squeezeDims': [0]}))


@operator('FILL')
def filled(op):
    op.add('string', [integers('int32', 2, values=[2, 2]), strings('full', shape=[])], [text()], ('FillOptions', {}))


@operator('SLICE')
def sliced(op):
    op.add('string', [words(3, 2), int32s(1, 0), int32s(2, 1)], [text()], ('SliceOptions', {}))


@operator('STRIDED_SLICE')
def stepped(op):
    op.add('string', [words(6), int32s(5), int32s(0), int32s(-2)], [text()], ('StridedSliceOptions', {}))


@operator('TILE')
def tiled(op):
    op.add('string', [words(3), int32s(2)], [text()], ('TileOptions', {}))


@operator('SHAPE')
def measured(op):
    op.add('string', [words(2, 3)], [result('int32')], ('ShapeOptions', {'outType': 2}))
