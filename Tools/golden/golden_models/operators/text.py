"""String tensors: hash tables, and the operators that move and compare strings."""
import numpy as np

from golden_models.graph import Graph, Node, operator
from golden_models.tensors import Tensor, constant, floats, int32s, integers, result, strings

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


@operator('SKIP_GRAM')
def skip_grams(op):
    sentence = 'The quick\tbrown fox jumps  over größer hills '
    for name, content, size, skip, shorter in [
            ('pairs', sentence, 2, 0, False), ('skipping', sentence, 3, 1, False), ('shorter', sentence, 3, 2, True),
            ('words', sentence, 1, 5, False), ('space_first', ' one two three', 2, 1, True), ('one_word', ' word', 1, 1, False),
            ('too_few_words', 'one two', 3, 1, True), ('no_words', '', 1, 0, True), ('no_size', sentence, 0, 1, True),
            ('no_skip', sentence, 2, -1, True), ('equal_words', 'a b a b a', 3, 2, False)]:
        op.add(name, [strings(content, shape=[1], kind='input')], [text()],
               ('SkipGramOptions', {'ngramSize': size, 'maxSkipSize': skip, 'includeAllNgrams': shorter}))


@operator('LSH_PROJECTION')
def projected(op):
    sparse, dense = (('LSHProjectionOptions', {'type': form}) for form in (1, 2))
    seeds = constant(np.linspace(-3, 4, 64, dtype=np.float32).reshape(4, 16))
    op.add('int32_sparse', [seeds, integers('int32', 3, low=-900, high=900)], [result('int32')], sparse)
    op.add('int32_dense_weighted', [seeds, integers('int32', 3, 2), floats(3)], [result('int32')], dense)
    op.add('int32_no_bits', [constant(np.zeros((2, 0), np.float32)), integers('int32', 3)], [result('int32')], sparse)
    op.add('float32_31_bits', [constant(np.linspace(-1, 1, 62, dtype=np.float32).reshape(2, 31)), floats(2)], [result('int32')], sparse)
    # All branches of the fingerprint function: 4 bytes of the seed plus this number of feature bytes.
    for width in (0, 1, 3, 4, 5, 12, 13, 28, 29, 43, 60, 61, 124, 125, 190):
        op.add('uint8_%d_bytes' % width, [seeds, integers('uint8', 3, width)], [result('int32')], sparse)
    for dtype in ('int64', 'int16', 'int8', 'bool', 'float16', 'float64', 'uint16', 'uint32', 'uint64', 'complex64'):
        op.add(dtype + '_dense', [seeds, integers(dtype, 2, 3)], [result('int32')], dense)
    for carrier, inner, shape in [('uint16', 'bfloat16', [2, 3]), ('uint8', 'float8E4M3FN', [2, 3]), ('uint8', 'float8E5M2', [2, 3]), ('uint64', 'complex128', [2, 2])]:
        within = Tensor('result', carrier, shape[:-1] if inner == 'complex128' else shape, type=inner)
        op.add_graph(inner + '_dense', [Graph([Node('BITCAST', [integers(carrier, *shape)], [within], ('BitcastOptions', {})),
                                               Node('LSH_PROJECTION', [seeds, within], [result('int32')], dense)])])
    op.add('string_dense', [seeds, words(6)], [result('int32')], dense)
