"""Operators that only move elements: reshape, pad, concatenate, slice, permute."""
import numpy as np

from golden_models.graph import operator
from golden_models.tensors import (Tensor, constant, covering, floats, int32s, integers, quantized, quantized_result,
                                   result, scalar)

MOVED = ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64', 'bool')


def source(dtype, *shape):
    """Returns an input and an output of one type with the same quantization."""
    if dtype == 'float32':
        return floats(*shape), result()
    if dtype in ('int8', 'uint8', 'int16'):
        q = covering(dtype, -2, 1.5)
        return quantized(dtype, *shape, q=q), quantized_result(dtype, q=q)
    return integers(dtype, *shape), result(dtype)


def twin(tensor):
    """Returns another output of the same type and quantization."""
    return Tensor('result', tensor.dtype, None, tensor.quantization)


def moves(op, types, shape, rest, name, options=None, **more):
    """Adds the same operator for several types; only float32 covers every geometry."""
    for dtype in types:
        data, out = source(dtype, *shape)
        op.add('%s_%s' % (dtype, name), [data] + rest, [out], options, **more)


@operator('RESHAPE')
def reshape(op):
    for name, shape, to in [('flatten', [2, 3, 4], [24]), ('inferred', [2, 3, 4], [4, -1]), ('split', [12], [3, 2, 2]),
                            ('add_ones', [3, 5], [1, 3, 1, 5]), ('to_scalar_vector', [1, 1], [1]),
                            ('empty', [2, 0, 3], [0, 6])]:
        options = ('ReshapeOptions', {'newShape': to})
        for dtype in MOVED if name == 'inferred' else ('float32',):
            data, out = source(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [data, int32s(*to)], [out], options)
        op.add('float32_%s_by_option' % name, [floats(*shape)], options=options)
    op.add('float32_runtime_shape', [floats(2, 6), integers('int32', 2, values=[3, 4])],
           options=('ReshapeOptions', {'newShape': []}))


@operator('SQUEEZE')
def squeeze(op):
    for name, shape, dims in [('all', [1, 3, 1, 5, 1], []), ('some', [1, 3, 1, 5], [2]), ('negative', [1, 3, 5, 1], [-1]),
                              ('two', [1, 3, 1, 1], [0, -1])]:
        for dtype in ('float32', 'int8', 'int32', 'bool') if name == 'some' else ('float32',):
            data, out = source(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [data], [out], ('SqueezeOptions', {'squeezeDims': dims}))


@operator('EXPAND_DIMS')
def expand(op):
    for axis in (0, 1, 2, -1, -3):
        name = 'axis_' + str(axis).replace('-', 'minus_')
        moves(op, ('float32', 'int8', 'int32') if axis == 1 else ('float32',), [3, 5], [scalar(axis, 'int32')], name,
              ('ExpandDimsOptions', {}))
    op.add('float32_axis_vector', [floats(3, 5), int32s(1)], options=('ExpandDimsOptions', {}))
    op.add('float32_axis_of_int64', [floats(3, 5), scalar(1, 'int64')], options=('ExpandDimsOptions', {}))


@operator('TRANSPOSE')
def transpose(op):
    for shape, order in [([3, 5], [1, 0]), ([2, 3, 5], [0, 2, 1]), ([2, 3, 5], [2, 0, 1]), ([2, 3, 5], [1, 0, 2]),
                         ([1, 3, 4, 5], [0, 3, 1, 2]), ([1, 5, 3, 4], [0, 2, 3, 1]), ([2, 3, 4, 5], [3, 1, 0, 2]),
                         ([2, 3, 2, 3, 2], [4, 2, 0, 3, 1]), ([2, 1, 3, 2, 1, 2], [5, 3, 1, 0, 2, 4]),
                         ([17, 33], [1, 0]), ([4], [0]), ([2, 0, 3], [2, 1, 0])]:
        name = 'order_' + ''.join(map(str, order)) + '_of_' + 'x'.join(map(str, shape))
        types = MOVED if order in ([0, 2, 1], [0, 3, 1, 2]) else ('float32',)
        moves(op, types, shape, [int32s(*order)], name, ('TransposeOptions', {}))
    op.add('float32_negative_order', [floats(2, 3, 5), int32s(-1, 0, 1)], options=('TransposeOptions', {}))
    op.add('float32_runtime_order', [floats(2, 3, 5), integers('int32', 3, values=[2, 0, 1])],
           options=('TransposeOptions', {}))


PADDINGS = {
    'picture': ([1, 3, 4, 5], [[0, 0], [1, 2], [2, 1], [0, 0]]),
    'one_side': ([1, 3, 3, 2], [[0, 0], [0, 1], [0, 1], [0, 0]]),
    'channels': ([1, 2, 2, 3], [[0, 0], [0, 0], [0, 0], [0, 4]]),
    'vector': ([5], [[2, 3]]),
    'of_nothing': ([2, 0], [[0, 1], [2, 1]]),
    'all': ([2, 2, 3], [[1, 1], [2, 0], [0, 3]]),
    'none': ([2, 3], [[0, 0], [0, 0]]),
    'five': ([1, 2, 1, 2, 3], [[0, 1], [1, 0], [1, 1], [0, 0], [2, 0]]),
}


@operator('PAD')
def pad(op):
    options = ('PadOptions', {})
    for name, (shape, paddings) in PADDINGS.items():
        moves(op, MOVED if name == 'picture' else ('float32', 'int8'), shape,
              [constant(np.array(paddings, np.int32))], name, options)
    shape, paddings = PADDINGS['all']
    op.add('float32_paddings_of_int64', [floats(*shape), constant(np.array(paddings, np.int64))], options=options)
    op.add('float32_runtime_paddings', [floats(2, 3), integers('int32', 2, 2, values=[[1, 0], [0, 2]])], options=options)


@operator('PADV2')
def pad_with_value(op):
    options = ('PadV2Options', {})
    for name, (shape, paddings) in PADDINGS.items():
        for dtype in ('float32', 'int8', 'uint8', 'int32', 'int64') if name == 'picture' else ('float32',):
            data, out = source(dtype, *shape)
            value = constant(np.array(-7 if dtype in ('int8', 'int32', 'int64') else 1.5 if dtype == 'float32' else 9), dtype,
                             data.quantization)
            op.add('%s_%s' % (dtype, name), [data, constant(np.array(paddings, np.int32)), value], [out], options)
    op.add('float32_minus_infinity', [floats(2, 3), constant(np.array([[1, 0], [0, 2]], np.int32)),
                                      scalar(-np.inf, 'float32')], options=options)


@operator('MIRROR_PAD')
def mirror(op):
    for mode, name in ((0, 'reflect'), (1, 'symmetric')):
        options = ('MirrorPadOptions', {'mode': mode})
        for label, shape, paddings in [('picture', [1, 3, 4, 2], [[0, 0], [1, 2], [2, 1], [0, 0]]),
                                       ('vector', [5], [[3, 4]]), ('matrix', [3, 4], [[2, 1], [0, 3]]),
                                       ('full_symmetric', [2, 3], [[2, 2], [3, 3]])]:
            if label == 'full_symmetric' and mode == 0:
                continue
            types = ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64') if label == 'picture' else ('float32',)
            moves(op, types, shape, [constant(np.array(paddings, np.int32))], '%s_%s' % (name, label), options)


@operator('CONCATENATION')
def concatenation(op):
    def options(axis):
        return ('ConcatenationOptions', {'axis': axis, 'fusedActivationFunction': 0})
    for name, shapes, axis in [('channels', [[1, 2, 3, 5], [1, 2, 3, 3]], 3), ('last', [[2, 17], [2, 1], [2, 3]], -1),
                               ('first', [[2, 3], [1, 3]], 0), ('rows', [[1, 2, 3, 2], [1, 1, 3, 2]], 1),
                               ('one', [[2, 3]], 0), ('empty_part', [[2, 0], [2, 3]], 1), ('vectors', [[3], [1], [5]], 0)]:
        for dtype in MOVED if name == 'channels' else ('float32', 'int8') if name != 'one' else ('float32',):
            pairs = [source(dtype, *shape) for shape in shapes]
            op.add('%s_%s' % (dtype, name), [p[0] for p in pairs], [pairs[0][1]], options(axis))
    op.add('uint8_other_scales', [quantized('uint8', 2, 9, low=-2, high=1.5), quantized('uint8', 2, 9, low=-1, high=3)],
           [quantized_result('uint8', -1.8, 2.9)], options(1))
    op.add('float32_with_constant', [floats(2, 3), constant(np.float32([[1, 2], [3, 4]]))], options=options(1))


@operator('SLICE')
def cut(op):
    options = ('SliceOptions', {})
    for name, shape, begin, size in [('middle', [4, 5, 3], [1, 2, 0], [2, 2, 3]), ('to_the_end', [4, 5], [1, 3], [-1, -1]),
                                     ('picture', [1, 4, 5, 3], [0, 1, 1, 1], [1, 2, 3, 2]), ('vector', [9], [4], [5]),
                                     ('nothing', [4, 3], [1, 0], [0, 3]), ('five', [2, 2, 3, 2, 2], [0, 1, 0, 0, 1], [2, 1, 2, -1, 1])]:
        moves(op, MOVED if name == 'middle' else ('float32',), shape, [int32s(*begin), int32s(*size)], name, options)
    op.add('float32_int64', [floats(4, 5), constant(np.int64([1, 2])), constant(np.int64([2, -1]))], options=options)
    op.add('float32_runtime', [floats(4, 5), integers('int32', 2, values=[1, 2]), integers('int32', 2, values=[2, 3])],
           options=options)


@operator('STRIDED_SLICE')
def strided(op):
    def options(begin=0, end=0, ellipsis=0, new=0, shrink=0, offset=False):
        return ('StridedSliceOptions', {'beginMask': begin, 'endMask': end, 'ellipsisMask': ellipsis,
                                        'newAxisMask': new, 'shrinkAxisMask': shrink, 'offset': offset})
    shapes = {
        'plain': ([4, 5, 3], [1, 0, 0], [3, 4, 3], [1, 2, 1], options()),
        'negative_ends': ([4, 5], [-3, 1], [-1, -1], [1, 1], options()),
        'backwards': ([4, 5], [3, 4], [0, 0], [-1, -2], options()),
        'masks': ([4, 5, 3], [2, 1, 1], [2, 3, 2], [1, 1, 1], options(begin=1, end=2)),
        'backwards_masks': ([5, 4], [0, 0], [0, 0], [-1, -1], options(begin=3, end=3)),
        'shrink': ([3, 4, 5], [1, 0, 2], [2, 4, 3], [1, 1, 1], options(shrink=5)),
        'shrink_negative': ([3, 4], [-1, 0], [0, 4], [1, 1], options(shrink=1)),
        'shrink_all': ([3, 4], [1, 2], [2, 3], [1, 1], options(shrink=3)),
        'new_axis': ([3, 4], [0, 0, 1], [3, 0, 3], [1, 1, 1], options(new=2)),
        'ellipsis': ([2, 3, 4, 5], [0, 1], [0, 3], [1, 1], options(ellipsis=1)),
        'ellipsis_middle': ([2, 3, 4, 5], [1, 0, 2], [2, 0, 5], [1, 1, 2], options(ellipsis=2)),
        'beyond': ([4, 3], [-9, 1], [9, 99], [1, 1], options()),
        'nothing': ([4, 3], [2, 0], [2, 3], [1, 1], options()),
        'stride_3': ([10], [1], [10], [3], options()),
        'fewer_than_rank': ([3, 4, 2], [1], [3], [1], options()),
        'offset': ([6, 5], [1, 2], [3, 2], [1, 1], options(offset=True)),
        'five': ([2, 3, 2, 2, 3], [0, 0, 0, 0, 0], [2, 3, 2, 2, 3], [1, 2, 1, 1, 2], options()),
    }
    versions = {'ellipsis': 6, 'ellipsis_middle': 6, 'new_axis': 6, 'offset': 8}
    for name, (shape, begin, end, strides, opts) in shapes.items():
        moves(op, MOVED if name in ('plain', 'shrink') else ('float32',), shape,
              [int32s(*begin), int32s(*end), int32s(*strides)], name, opts, version=versions.get(name, 4))
    op.add('float32_runtime', [floats(4, 5), integers('int32', 2, values=[1, 2]), integers('int32', 2, values=[3, 5]),
                               int32s(1, 2)], options=options())


@operator('SPLIT')
def split(op):
    for name, shape, axis, count in [('channels', [1, 2, 3, 6], 3, 2), ('first', [4, 3], 0, 4), ('negative', [2, 9], -1, 3),
                                     ('one', [3, 2], 1, 1)]:
        for dtype in ('float32', 'int8', 'uint8', 'int16', 'int32') if name == 'channels' else ('float32',):
            data, out = source(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [scalar(axis, 'int32'), data], [twin(out) for _ in range(count)],
                   ('SplitOptions', {'numSplits': count}))


@operator('SPLIT_V')
def split_by_sizes(op):
    for name, shape, sizes, axis in [('channels', [1, 2, 3, 6], [1, 3, 2], 3), ('inferred', [7, 2], [2, -1, 1], 0),
                                     ('negative_axis', [2, 5], [4, 1], -1), ('empty_part', [4, 2], [0, 4], 0)]:
        for dtype in ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64') if name == 'channels' else ('float32',):
            data, out = source(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [data, int32s(*sizes), scalar(axis, 'int32')],
                   [twin(out) for _ in sizes], ('SplitVOptions', {'numSplits': len(sizes)}))


@operator('PACK')
def pack(op):
    for axis in (0, 1, -1, -2):
        name = 'axis_' + str(axis).replace('-', 'minus_')
        for dtype in ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64') if axis == 1 else ('float32',):
            pairs = [source(dtype, 2, 3) for _ in range(3)]
            op.add('%s_%s' % (dtype, name), [p[0] for p in pairs], [pairs[0][1]],
                   ('PackOptions', {'axis': axis, 'valuesCount': 3}))
    op.add('float32_scalars', [floats(), floats()], options=('PackOptions', {'axis': 0, 'valuesCount': 2}))


@operator('UNPACK')
def unpack(op):
    for axis in (0, 1, -1):
        name = 'axis_' + str(axis).replace('-', 'minus_')
        shape = [2, 3, 4]
        for dtype in ('float32', 'int8', 'uint8', 'int16', 'int32', 'bool') if axis == 1 else ('float32',):
            data, out = source(dtype, *shape)
            op.add('%s_%s' % (dtype, name), [data], [twin(out) for _ in range(shape[axis])],
                   ('UnpackOptions', {'axis': axis, 'num': shape[axis]}))
    op.add('float32_vector', [floats(3)], [result(), result(), result()], ('UnpackOptions', {'axis': 0, 'num': 3}))


@operator('TILE')
def tile(op):
    for name, shape, times in [('both', [2, 3], [2, 3]), ('channel', [1, 2, 2, 1], [1, 1, 1, 5]), ('once', [2, 3], [1, 1]),
                               ('vector', [5], [3]), ('nothing', [2, 3], [0, 1])]:
        moves(op, ('float32', 'int8', 'uint8', 'int32', 'int64', 'bool') if name == 'both' else ('float32',), shape,
              [int32s(*times)], name)
    op.add('float32_int64', [floats(2, 3), constant(np.int64([2, 1]))])
    op.add('float32_runtime', [floats(2, 3), integers('int32', 2, values=[2, 2])])


@operator('BROADCAST_TO')
def broadcast(op):
    for name, shape, to in [('rows', [1, 5], [3, 5]), ('column', [3, 1], [3, 4]), ('new_dimensions', [3], [2, 2, 3]),
                            ('scalar', [], [2, 3]), ('picture', [1, 3, 1, 2], [2, 3, 4, 2])]:
        types = ('float32', 'int8', 'int16', 'int32', 'int64', 'bool') if name == 'rows' else ('float32',)
        moves(op, types, shape, [int32s(*to)], name, ('BroadcastToOptions', {}), version=2)
    op.add('float32_int64', [floats(1, 3), constant(np.int64([2, 3]))], options=('BroadcastToOptions', {}), version=2)


@operator('REVERSE_V2')
def reverse(op):
    for name, shape, axes in [('last', [2, 5], [-1]), ('first', [3, 2, 2], [0]), ('middle', [2, 4, 3], [1]),
                              ('two', [2, 3, 4], [1, 2])]:
        types = ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64', 'bool') if name == 'middle' else ('float32',)
        moves(op, types, shape, [int32s(*axes)], name, ('ReverseV2Options', {}), version=3)


@operator('DEPTH_TO_SPACE', 'SPACE_TO_DEPTH')
def depth_and_space(op):
    deep = op.name == 'DEPTH_TO_SPACE'
    for block, channels in ((2, 3), (2, 1), (3, 2)):
        shape = [2, 2, 3, channels * block * block] if deep else [1, 2 * block, 3 * block, channels]
        name = 'block_%d_channels_%d' % (block, channels)
        types = ('float32', 'int8', 'uint8', 'int32', 'int64') if channels == 3 else ('float32',)
        moves(op, types, shape, [], name,
              ('DepthToSpaceOptions' if deep else 'SpaceToDepthOptions', {'blockSize': block}))


@operator('SPACE_TO_BATCH_ND')
def space_to_batch(op):
    options = ('SpaceToBatchNDOptions', {})
    for name, shape, block, paddings in [('plain', [1, 4, 6, 3], [2, 3], [[0, 0], [0, 0]]),
                                         ('padded', [1, 3, 4, 2], [2, 2], [[1, 0], [0, 2]]),
                                         ('batch', [2, 4, 2, 1], [2, 1], [[0, 0], [0, 0]]),
                                         ('three_dimensions', [1, 5, 3], [2], [[1, 0]])]:
        types = ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64') if name == 'padded' else ('float32', 'int8')
        moves(op, types, shape, [int32s(*block), constant(np.array(paddings, np.int32))], name, options)


@operator('BATCH_TO_SPACE_ND')
def batch_to_space(op):
    options = ('BatchToSpaceNDOptions', {})
    for name, shape, block, crops in [('plain', [6, 2, 2, 3], [2, 3], [[0, 0], [0, 0]]),
                                      ('cropped', [4, 2, 3, 2], [2, 2], [[1, 0], [0, 2]]),
                                      ('batch', [4, 2, 2, 1], [2, 1], [[0, 0], [0, 0]]),
                                      ('three_dimensions', [2, 3, 3], [2], [[1, 0]])]:
        types = ('float32', 'int8', 'uint8', 'int16', 'int32', 'int64') if name == 'cropped' else ('float32', 'int8')
        moves(op, types, shape, [int32s(*block), constant(np.array(crops, np.int32))], name, options)
