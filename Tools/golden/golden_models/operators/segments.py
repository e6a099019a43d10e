"""Operators whose results depend on values in unusual ways: segments, sets, tables, and sparse positions."""
import numpy as np

from golden_models.graph import Graph, Node, operator
from golden_models.operators.movement import source
from golden_models.tensors import Tensor, constant, floats, int32s, integers, result, scalar


def plain(dtype, *shape):
    """Returns an input and an output without quantization."""
    if dtype == 'float32':
        return floats(*shape), result()
    return integers(dtype, *shape), result(dtype)


def given(dtype, values):
    """Returns an input with these values."""
    array = np.array(values, dtype)
    return Tensor('input', dtype, array.shape, values=array)


@operator('SEGMENT_SUM')
def segment_sum(op):
    options = ('SegmentSumOptions', {})
    for name, shape, numbers in [('rows', [5, 3], [0, 0, 1, 2, 2]), ('vector', [4], [0, 1, 1, 1]), ('cube', [3, 2, 2], [0, 0, 0])]:
        for dtype in ('float32', 'int32') if name == 'rows' else ('float32',):
            data, out = plain(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [data, int32s(*numbers)], [out], options)
    op.add('float32_runtime', [floats(4, 2), given('int32', [0, 0, 1, 1])], options=options)


@operator('UNSORTED_SEGMENT_MAX', 'UNSORTED_SEGMENT_MIN', 'UNSORTED_SEGMENT_PROD', 'UNSORTED_SEGMENT_SUM')
def unsorted_segments(op):
    options = ('UnsortedSegment%sOptions' % op.name.rsplit('_', 1)[1].title(), {})
    for name, shape, numbers, count in [('rows', [5, 3], [2, 0, 2, 0, 2], 3), ('empty_segment', [3, 2], [3, 0, 3], 4),
                                        ('left_out', [4, 2], [0, -1, 1, -1], 2), ('matrix', [2, 3, 2], [[0, 1, 0], [2, 1, 2]], 3)]:
        for dtype in ('float32', 'int32') if name in ('rows', 'empty_segment') else ('float32',):
            data, out = plain(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [data, given('int32', numbers), scalar(count, 'int32')], [out], options)


@operator('WHERE')
def where(op):
    options = ('WhereOptions', {})
    for name, shape in [('vector', [9]), ('matrix', [3, 4]), ('cube', [2, 3, 2])]:
        for dtype in ('bool', 'int32', 'int64', 'int8', 'uint8') if name == 'matrix' else ('bool',):
            op.add('%s_%s' % (dtype, name), [integers(dtype, *shape, low=0, high=1)], [result('int64')], options)
    op.add('float32_zeros', [given('float32', [0, -0.0, 1, np.nan, -2, 0])], [result('int64')], options)


@operator('UNIQUE')
def unique(op):
    for dtype, places in [('float32', 'int32'), ('int8', 'int32'), ('uint8', 'int64'), ('int16', 'int32'), ('int32', 'int32'),
                          ('int64', 'int64')]:
        values = [3, 1, 3, 0, 1, 1, 7]
        op.add(dtype, [given(dtype, values)], [result(dtype), result(places)],
               ('UniqueOptions', {'idxOutType': 2 if places == 'int32' else 4}))
    op.add('float32_zeros', [given('float32', [0, -0.0, 1.5, -0.0])], [result(), result('int32')], ('UniqueOptions', {'idxOutType': 2}))


@operator('SPARSE_TO_DENSE')
def sparse_to_dense(op):
    options = ('SparseToDenseOptions', {})
    for name, indices, shape, values in [('scalar_index', 2, [5], []), ('vector', [4, 0, 2], [6], [3]),
                                         ('matrix', [[0, 1], [2, 2]], [3, 4], [2]), ('one_value', [[0, 1], [2, 2]], [3, 4], []),
                                         ('cube', [[0, 1, 1], [1, 0, 0]], [2, 2, 3], [2])]:
        for dtype in ('float32', 'int8', 'uint8', 'int32', 'int64') if name == 'matrix' else ('float32',):
            data, out = plain(dtype, *values)
            op.add('%s_%s' % (dtype, name), [constant(np.array(indices, np.int32)), int32s(*shape), data, scalar(5, dtype)],
                   [out], options)
    op.add('float32_int64_indices', [given('int64', [[1, 1]]), constant(np.int64([2, 3])), floats(1), scalar(-1, 'float32')],
           options=options)


@operator('HASHTABLE_LOOKUP')
def hashtable_lookup(op):
    keys = [-4, 0, 3, 9]
    for name, shape, queries in [('rows', [4, 3], [3, -4, 5, 9, 3]), ('vector', [4], [0, 1, 9]), ('none', [4, 2], [7, 8])]:
        for dtype in ('float32', 'int32', 'int64') if name == 'rows' else ('float32',):
            data, out = plain(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [given('int32', queries), int32s(*keys), data], [out, result('uint8')])


@operator('BUCKETIZE')
def bucketize(op):
    options = ('BucketizeOptions', {'boundaries': [-1.0, 0.0, 0.5, 2.0, 2.0, 5.0]})
    values = [-3, -1, 0, 1, 2, 4, 5, 9]
    for dtype in ('float32', 'float64', 'int32', 'int64'):
        op.add(dtype, [given(dtype, values)], [result('int32')], options)
    op.add('float32_fractions', [given('float32', [[0.5, 0.49999997], [-1.0000001, 1e30], [-np.inf, np.inf]])], [result('int32')], options)


@operator('REVERSE_SEQUENCE')
def reverse_sequence(op):
    for name, shape, sequence, batch, lengths in [('steps', [3, 5], 1, 0, [5, 0, 2]), ('time_first', [4, 2, 3], 0, 1, [3, 1]),
                                                  ('inner', [2, 3, 4], 2, 0, [4, 3]), ('apart', [2, 3, 4, 2], 3, 1, [2, 1, 0])]:
        for dtype in ('float32', 'uint8', 'int16', 'int32', 'int64') if name == 'steps' else ('float32',):
            data, out = source(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [data, given('int32', lengths)], [out],
                   ('ReverseSequenceOptions', {'seqDim': sequence, 'batchDim': batch}))
    op.add('float32_int64_lengths', [floats(2, 4), given('int64', [2, 4])], options=('ReverseSequenceOptions', {'seqDim': 1, 'batchDim': 0}))


@operator('MATRIX_DIAG')
def matrix_diag(op):
    for name, shape in [('vector', [3]), ('batch', [2, 3]), ('deep', [2, 1, 4])]:
        for dtype in ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64') if name == 'batch' else ('float32',):
            data, out = plain(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [data], [out], ('MatrixDiagOptions', {}))


@operator('MATRIX_SET_DIAG')
def matrix_set_diag(op):
    for name, shape in [('square', [3, 3]), ('wide', [2, 3, 5]), ('tall', [2, 4, 2])]:
        for dtype in ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64') if name == 'wide' else ('float32',):
            (data, out), (diagonal, _) = plain(dtype, *shape), plain(dtype, *shape[:-2], min(shape[-2:]))
            op.add('%s_%s' % (dtype, name), [data, diagonal], [out], ('MatrixSetDiagOptions', {}))


@operator('BROADCAST_ARGS')
def broadcast_args(op):
    for name, first, second in [('same', [2, 3], [2, 3]), ('ones', [4, 1, 3], [2, 1]), ('shorter', [5], [2, 3, 1]), ('empty', [], [4, 2])]:
        for dtype in ('int32', 'int64') if name == 'ones' else ('int32',):
            op.add('%s_%s' % (dtype, name), [given(dtype, first), given(dtype, second)], [result(dtype)])


@operator('BITCAST')
def bitcast(op):
    for origin, target, shape in [('float32', 'int32', [2, 3]), ('int32', 'float32', [4]), ('float32', 'uint8', [2, 3]),
                                  ('uint8', 'int32', [3, 4]), ('int64', 'int32', [2]), ('int16', 'uint8', [3])]:
        op.add('%s_to_%s' % (origin, target), [plain(origin, *shape)[0]], [result(target)], ('BitcastOptions', {}))
    # Round trips through types of the same width, some of which NumPy does not have.
    for origin, inner, shape in [('int16', 'float16', [5]), ('int16', 'uint16', [5]), ('int16', 'bfloat16', [2, 3]), ('uint8', 'int8', [7]), ('uint8', 'bool', [7]),
                                 ('uint8', 'float8E4M3FN', [7]), ('uint8', 'float8E5M2', [7]), ('int32', 'uint32', [3]), ('int64', 'uint64', [3]), ('int64', 'float64', [3]),
                                 ('int64', 'complex64', [3]), ('int64', 'complex128', [3, 2])]:
        within = Tensor('result', origin, shape[:-1] if inner == 'complex128' else shape, type=inner)
        op.add_graph('%s_through_%s' % (origin, inner), [Graph([
            Node('BITCAST', [plain(origin, *shape)[0]], [within], ('BitcastOptions', {})), Node('BITCAST', [within], [result(origin)], ('BitcastOptions', {}))])])
