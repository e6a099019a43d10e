"""Operators that select, place, or generate elements by index: GATHER, SCATTER_ND, SELECT, ONE_HOT, RANGE, …"""
import numpy as np

from golden_models.graph import operator
from golden_models.operators.movement import source
from golden_models.tensors import (Quantization, constant, covering, floats, int32s, integers, quantized,
                                   quantized_result, result, scalar)


@operator('GATHER')
def gather(op):
    def options(axis=0, batch=0):
        return ('GatherOptions', {'axis': axis, 'batchDims': batch})
    for name, shape, indices, axis, batch in [
            ('rows', [4, 5], [3, 0, 3], 0, 0), ('columns', [3, 5], [4, 1], 1, 0), ('negative_axis', [2, 3, 4], [2, 0], -1, 0),
            ('matrix_of_indices', [5, 2], [[0, 4], [2, 2]], 0, 0), ('scalar_index', [4, 3], 2, 0, 0),
            ('batch', [2, 4, 3], [[1, 0], [3, 3]], 1, 1), ('batch_negative', [2, 4, 3], [[1], [3]], -2, -1)]:
        places = np.array(indices, np.int32)
        types = ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64', 'bool') if name in ('rows', 'batch') else ('float32',)
        for dtype in types:
            data, out = source(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [data, integers('int32', *places.shape, values=places)], [out],
                   options(axis, batch), version=5 if batch else None)
    op.add('float32_no_indices', [floats(4, 5), integers('int32', 0)], options=options())
    op.add('float32_indices_of_int64', [floats(4, 5), constant(np.int64([3, 1]))], options=options())
    op.add('float32_constant_data', [constant(np.arange(6, dtype=np.float32).reshape(3, 2)),
                                     integers('int32', 2, values=[2, 1])], options=options())


@operator('GATHER_ND')
def gather_nd(op):
    options = ('GatherNdOptions', {})
    for name, shape, indices in [('elements', [3, 4], [[0, 1], [2, 3]]), ('rows', [3, 4], [[2], [0], [2]]),
                                 ('slices', [2, 3, 4], [[[1, 2]], [[0, 0]]]), ('deep', [2, 2, 3, 2], [[1, 0, 2], [0, 1, 1]])]:
        places = np.array(indices, np.int32)
        for dtype in ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64') if name == 'rows' else ('float32',):
            data, out = source(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [data, constant(places)], [out], options)
    op.add('float32_int64', [floats(3, 4), constant(np.int64([[2, 1]]))], options=options)


@operator('SCATTER_ND')
def scatter_nd(op):
    options = ('ScatterNdOptions', {})
    for name, indices, updates, shape in [('elements', [[0, 1], [2, 3]], [2], [3, 4]), ('rows', [[2], [0]], [2, 4], [3, 4]),
                                          ('duplicates', [[1], [1], [2]], [3], [4]), ('vector', [[4], [0], [2]], [3], [6])]:
        for dtype in ('float32', 'int32', 'int64', 'int8', 'uint8') if name == 'rows' else ('float32',):
            update, out = source(dtype, *updates)
            op.add('%s_%s' % (dtype, name), [constant(np.array(indices, np.int32)), update, int32s(*shape)], [out], options)


@operator('SELECT')
def select(op):
    options = ('SelectOptions', {})
    for name, condition, shape in [('same', [3, 5], [3, 5]), ('scalar', [], [2, 3]), ('rows', [4], [4, 3])]:
        for dtype in ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64', 'bool') if name == 'same' else ('float32',):
            (yes, out), (no, _) = source(dtype, *shape), source(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [integers('bool', *condition), yes, no], [out], options)


@operator('SELECT_V2')
def select_v2(op):
    options = ('SelectV2Options', {})
    for name, condition, left, right in [('same', [3, 5], [3, 5], [3, 5]), ('condition_broadcast', [5], [3, 5], [3, 5]),
                                         ('scalars', [2, 3], [], []), ('all_broadcast', [2, 1, 1], [3, 1], [5]),
                                         ('condition_column', [3, 1], [3, 4], [1, 4]), ('scalar_condition', [], [2, 3], [2, 3])]:
        for dtype in ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64', 'bool') if name in ('same', 'all_broadcast') else ('float32',):
            (yes, out), (no, _) = source(dtype, *left), source(dtype, *right)
            op.add('%s_%s' % (dtype, name), [integers('bool', *condition), yes, no], [out], options)


@operator('ONE_HOT')
def one_hot(op):
    def options(axis):
        return ('OneHotOptions', {'axis': axis})
    for name, indices, depth, axis in [('last', [3, 0, 5, -1], 4, -1), ('first', [3, 0, 1], 4, 0),
                                       ('middle', [[0, 2], [1, 1], [3, 0]], 3, 1)]:
        places = np.array(indices, np.int32)
        for dtype in ('float32', 'int32', 'int64', 'int8', 'uint8', 'bool') if name == 'last' else ('float32',):
            on, off = (True, False) if dtype == 'bool' else (5, 1) if dtype != 'float32' else (1.5, -0.5)
            op.add('%s_%s' % (dtype, name),
                   [integers('int32', *places.shape, values=places), scalar(depth, 'int32'), scalar(on, dtype),
                    scalar(off, dtype)], [result(dtype)], options(axis))
    op.add('float32_indices_of_int64', [integers('int64', 3, values=[2, 0, 1]), scalar(3, 'int32'), scalar(1, 'float32'),
                                        scalar(0, 'float32')], options=options(-1))


@operator('SHAPE')
def shape(op):
    for name, dims in [('picture', [1, 3, 4, 5]), ('vector', [7]), ('empty', [2, 0])]:
        op.add('float32_' + name, [floats(*dims)], [result('int32')], ('ShapeOptions', {'outType': 2}))
    op.add('int8_picture', [quantized('int8', 1, 2, 3, 4)], [result('int32')], ('ShapeOptions', {'outType': 2}))
    op.add('float32_to_int64', [floats(2, 3)], [result('int64')], ('ShapeOptions', {'outType': 4}))


@operator('RANK')
def rank(op):
    for name, dims in [('picture', [1, 3, 4, 5]), ('scalar', []), ('vector', [7])]:
        op.add('float32_' + name, [floats(*dims)], [result('int32')], ('RankOptions', {}))


@operator('FILL')
def fill(op):
    for dtype, value in (('float32', 1.25), ('int32', -7), ('int64', 9), ('bool', True)):
        op.add(dtype, [int32s(2, 3), scalar(value, dtype)], [result(dtype)], ('FillOptions', {}))
    for dtype in ('int8', 'int16'):
        q = covering(dtype, -2, 2)
        op.add(dtype, [int32s(2, 3), constant(np.array(-9), dtype, q)], [quantized_result(dtype, q=q)], ('FillOptions', {}))
    op.add('float32_int64_dims', [constant(np.int64([3, 2])), scalar(2, 'float32')], options=('FillOptions', {}))
    op.add('float32_runtime', [integers('int32', 2, values=[2, 4]), floats(values=[0.5])], options=('FillOptions', {}))
    op.add('float32_empty', [int32s(2, 0), scalar(2, 'float32')], options=('FillOptions', {}))


@operator('RANGE')
def make_range(op):
    options = ('RangeOptions', {})
    for name, dtype, start, limit, delta in [('up', 'int32', 2, 11, 3), ('down', 'int32', 9, 0, -2), ('one', 'int32', 3, 4, 1),
                                             ('fractions', 'float32', 0, 1, 0.3), ('fractions_down', 'float32', 2, -1, -0.75),
                                             ('long', 'int64', 0, 5, 1)]:
        op.add('%s_%s' % (dtype, name), [scalar(start, dtype), scalar(limit, dtype), scalar(delta, dtype)],
               [result(dtype)], options)
        op.add('%s_%s_runtime' % (dtype, name), [integers(dtype, values=[start]) if dtype != 'float32' else floats(values=[start]),
                                                 scalar(limit, dtype), scalar(delta, dtype)], [result(dtype)], options)


@operator('DYNAMIC_UPDATE_SLICE')
def dynamic_update(op):
    options = ('DynamicUpdateSliceOptions', {})
    for name, shape, update, start in [('inside', [4, 5], [2, 3], [1, 1]), ('clamped', [4, 5], [2, 3], [3, 4]),
                                       ('negative', [4, 5], [2, 2], [-3, 1]), ('cache', [1, 6, 2, 3], [1, 1, 2, 3], [0, 4, 0, 0]),
                                       ('all', [2, 3], [2, 3], [0, 0])]:
        for dtype in ('float32', 'int8', 'int32', 'int64', 'bool') if name == 'inside' else ('float32',):
            (data, out), (part, _) = source(dtype, *shape), source(dtype, *update)
            op.add('%s_%s' % (dtype, name), [data, part, integers('int32', len(start), values=start)], [out], options)


@operator('EMBEDDING_LOOKUP')
def embedding(op):
    places = lambda: integers('int32', 4, values=[2, 0, 4, 2])
    table = np.linspace(-2, 2, 5 * 7, dtype=np.float32).reshape(5, 7)
    op.add('float32', [places(), constant(table)])
    op.add('float32_three_dimensions', [places(), constant(np.linspace(-1, 1, 5 * 6, dtype=np.float32).reshape(5, 2, 3))])
    codes = np.round(np.linspace(-120, 120, 35)).reshape(5, 7)
    op.add('hybrid_int8', [places(), constant(codes, 'int8', Quantization(0.02))], version=3)
    op.add('hybrid_int8_per_row', [places(), constant(codes, 'int8', Quantization([0.01, 0.02, 0.03, 0.04, 0.05]))], version=4)
    small = np.resize(np.arange(-7, 8), (5, 8))
    op.add('hybrid_int4', [places(), constant(small, 'int8', Quantization(0.1), type='int4')], version=4)
    op.add('hybrid_int4_per_row', [places(), constant(small, 'int8', Quantization([0.1, 0.2, 0.3, 0.4, 0.5]), type='int4')],
           version=4)
    smaller = np.resize([-2, -1, 0, 1, 1], (5, 8))
    op.add('hybrid_int2', [places(), constant(smaller, 'int8', Quantization(0.1), type='int2')], version=5)
    for name, table in (('int4', small), ('int2', smaller)):
        scales = constant(np.linspace(0.01, 0.2, 10).reshape(5, 2), 'float16')
        blocks = constant(table, 'int8', type=name, blocks=(scales, 4))
        for gives in ('float32', 'float16'):
            op.add('hybrid_%s_in_blocks_to_%s' % (name, gives), [places(), blocks], [result(gives)], version=5)
    op.add('hybrid_int8_to_float16', [places(), constant(codes, 'int8', Quantization(0.02))], [result('float16')], version=5)
    q = Quantization(0.02, 3)
    op.add('int8', [places(), constant(codes, 'int8', q)], [result('int8', q=q)], version=2)
