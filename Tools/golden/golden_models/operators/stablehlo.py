"""STABLEHLO operators with a kernel of their own, and DILATE and REDUCE_WINDOW, which share code with them."""
import numpy as np

from golden_models.graph import Graph, Node, operator
from golden_models.tensors import Tensor, constant, floats, int32s, integers, quantized, result, scalar

REALS = ('float32', 'float16', 'float64')
INTEGERS = ('int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'bool')


def data(dtype, *shape, **more):
    return Tensor('input', dtype, shape, **more)


@operator('STABLEHLO_ADD', 'STABLEHLO_MULTIPLY', 'STABLEHLO_MAXIMUM', 'STABLEHLO_MINIMUM', 'STABLEHLO_AND')
def same_shape(op):
    for dtype in (() if op.name.endswith('AND') else REALS) + INTEGERS:
        op.add(dtype, [data(dtype, 3, 5), data(dtype, 3, 5)], [result(dtype)])
    kind = INTEGERS[2] if op.name.endswith('AND') else 'float32'
    op.add(kind + '_scalar', [data(kind), data(kind)], [result(kind)])
    op.add(kind + '_empty', [data(kind, 2, 0), data(kind, 2, 0)], [result(kind)])


@operator('STABLEHLO_SHIFT_LEFT')
def shift(op):
    for dtype in ('int8', 'int16', 'int32'):
        op.add(dtype, [data(dtype, 4, 5), data(dtype, 4, 5, low=0, high=7)], [result(dtype)], ('StablehloShiftLeftOptions', {}))


@operator('STABLEHLO_PAD')
def pad(op):
    cases = {'edges': ([2, 3], [1, 0], [2, 1], [0, 0]), 'interior': ([2, 3], [0, 0], [0, 0], [1, 2]),
             'both': ([3, 2, 2], [1, 0, 2], [0, 1, 1], [0, 2, 1]), 'crops': ([4, 5], [-1, -2], [-1, 0], [0, 0]),
             'crops_spaced': ([4, 5], [-1, -3], [-2, -1], [2, 1]), 'crops_one_side': ([6], [-3], [4], [1]), 'nothing': ([5], [0], [0], [0]),
             'nothing_left': ([2, 3], [-4, 0], [0, 1], [0, 0]), 'one': ([1], [2], [1], [3])}
    for name, (shape, low, high, interior) in cases.items():
        for dtype in ('float32', 'int8', 'int16', 'int64', 'bool') if name == 'both' else ('float32',):
            op.add('%s_%s' % (dtype, name), [data(dtype, *shape), scalar(1 if dtype == 'bool' else 7, dtype)], [result(dtype)],
                   ('StablehloPadOptions', {'edgePaddingLow': low, 'edgePaddingHigh': high, 'interiorPadding': interior}))


@operator('DILATE')
def dilate(op):
    for name, shape, dilations in (('matrix', [3, 3], [2, 3]), ('first', [3, 2, 2], [2, 1, 1]), ('none', [2, 3], [1, 1]), ('one', [1], [5]),
                                   ('last', [2, 3], [1, 2])):
        for dtype in ('float32', 'int8', 'int16', 'int64') if name == 'matrix' else ('float32',):
            op.add('%s_%s' % (dtype, name), [data(dtype, *shape), int32s(*dilations), scalar(-3, dtype)], [result(dtype)],
                   ('DilateOptions', {}))
    op.add('float32_dilations_as_input', [data('float32', 2, 3), integers('int32', 2, values=[2, 2]), scalar(0, 'float32')], [result()],
           ('DilateOptions', {}))


def body(node, dtype):
    """Returns a subgraph of one operator on two scalars, or of none if `node` is omitted."""
    left, right = data(dtype), data(dtype)
    if node is None:
        return Graph([], outputs=[right], inputs=[left, right], name='body')
    return Graph([Node(node, [left, right], [Tensor('result', dtype, [])])], inputs=[left, right], name='body')


BODIES = ('STABLEHLO_ADD', 'STABLEHLO_MULTIPLY', 'STABLEHLO_MAXIMUM', 'STABLEHLO_MINIMUM')
WINDOWS = {
    'plain': ([4, 6], [2, 3], [1, 1], [1, 1], [1, 1], [0, 0, 0, 0]), 'strided': ([5, 6], [2, 2], [2, 3], [1, 1], [1, 1], [0, 0, 0, 0]),
    'padded': ([1, 4, 4, 2], [1, 3, 3, 1], [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 1, 1, 0, 1, 0, 0]),
    'dilated': ([7, 5], [2, 2], [1, 2], [1, 1], [3, 2], [0, 0, 1, 1]), 'spaced': ([3, 3], [2, 2], [1, 1], [2, 3], [1, 1], [1, 0, 0, 1]),
    'cropped': ([5, 6], [2, 2], [1, 1], [1, 1], [1, 1], [-1, 0, 0, -2]), 'too_large': ([2, 2], [3, 1], [1, 1], [1, 1], [1, 1], [0, 0, 0, 0]),
    'running_sum': ([6], [6], [1], [1], [1], [5, 0])}


@operator('STABLEHLO_REDUCE_WINDOW')
def reduce_window(op):
    def add(name, window, node, dtype, initial):
        shape, dimensions, strides, spacings, dilations, padding = WINDOWS[window]
        options = ('StablehloReduceWindowOptions', {
            'windowDimensions': dimensions, 'windowStrides': strides, 'baseDilations': spacings, 'windowDilations': dilations,
            'padding': padding, 'bodySubgraphIndex': 1})
        out = Tensor('result', dtype)
        main = Graph([Node(op.name, [data(dtype, *shape), scalar(initial, dtype)], [out], options)])
        op.add_graph(name, [main, body(node, dtype)])

    for window in WINDOWS:
        add('float32_' + window, window, 'STABLEHLO_ADD', 'float32', 0)
    for node in BODIES[1:]:
        add('float32_' + node.lower()[10:], 'padded', node, 'float32', 1)
    for dtype in ('float64', 'int8', 'uint8', 'int16', 'int32', 'int64'):
        add(dtype + '_maximum', 'padded', 'STABLEHLO_MAXIMUM', dtype, 1)
        add(dtype + '_initial_counts', 'padded', 'STABLEHLO_ADD', dtype, 2)
    add('bool_and', 'dilated', 'STABLEHLO_AND', 'bool', True)


@operator('REDUCE_WINDOW')
def old_reduce_window(op):
    for window in ('plain', 'strided', 'too_large'):
        shape, dimensions, strides, _, dilations, _ = WINDOWS[window]
        for number, function in enumerate(('add', 'multiply', 'minimum', 'maximum', 'all', 'any'), 1):
            for dtype in ('float32', 'int8', 'int32', 'bool') if window == 'plain' else ('float32',):
                if (dtype == 'bool') != (number > 4):
                    continue
                vectors = [constant(np.array(values, np.int64)) for values in (dimensions, strides, dilations)]
                op.add('%s_%s_%s' % (dtype, window, function), [data(dtype, *shape), scalar(number == 5, dtype)] + vectors, [result(dtype)],
                       ('ReduceWindowOptions', {'reduceFunction': number}))


def gathered(index_shape, rank, options):
    """Returns the shape of a gather's result, which the reference reads from the model."""
    slices = [s for axis, s in enumerate(options['sliceSizes']) if axis not in options['collapsedSliceDims']]
    batches = [s for axis, s in enumerate(index_shape) if axis != options['indexVectorDim']]
    return [slices.pop(0) if axis in options['offsetDims'] else batches.pop(0) for axis in range(rank)]


@operator('STABLEHLO_GATHER')
def gather(op):
    cases = {
        'rows': ([5, 3], [4, 1], [[0], [4], [2], [9]], dict(offsetDims=[1], collapsedSliceDims=[0], startIndexMap=[0], indexVectorDim=1, sliceSizes=[1, 3])),
        'boxes': ([3, 4, 2], [2, 3, 2], None, dict(offsetDims=[2, 3], collapsedSliceDims=[0], startIndexMap=[1, 0], indexVectorDim=2, sliceSizes=[1, 2, 2])),
        'vectors_first': ([4, 4], [2, 3], None, dict(offsetDims=[1], collapsedSliceDims=[1], startIndexMap=[0, 1], indexVectorDim=0, sliceSizes=[2, 1])),
        'offsets_first': ([4, 5], [3, 1], None, dict(offsetDims=[0], collapsedSliceDims=[0], startIndexMap=[0], indexVectorDim=1, sliceSizes=[1, 5]))}
    for name, (shape, index_shape, values, options) in cases.items():
        for dtype in ('float32', 'int8', 'int16', 'int64') if name == 'boxes' else ('float32',):
            for index in ('int32', 'int64') if name == 'rows' else ('int32',):
                rank = len(options['offsetDims']) + len(index_shape) - (options['indexVectorDim'] < len(index_shape))
                op.add('%s_%s_%s' % (dtype, name, index),
                       [data(dtype, *shape), integers(index, *index_shape, low=-2, high=6, values=values)],
                       [result(dtype, shape=gathered(index_shape, rank, options))], ('StablehloGatherOptions', options))


@operator('STABLEHLO_SCATTER')
def scatter(op):
    cases = {
        'rows': ([5, 3], [3, 1], [[1], [4], [1]], [3, 3], dict(updateWindowDims=[1], insertedWindowDims=[0], scatterDimsToOperandDims=[0], indexVectorDim=1)),
        'boxes': ([3, 4, 2], [2, 3, 2], None, [2, 3, 2, 2], dict(updateWindowDims=[2, 3], insertedWindowDims=[0], scatterDimsToOperandDims=[1, 0], indexVectorDim=2)),
        'numbers': ([6], [4], [0, 5, 6, -1], [4], dict(updateWindowDims=[], insertedWindowDims=[0], scatterDimsToOperandDims=[0], indexVectorDim=1))}

    def add(name, case, node, dtype, index):
        shape, index_shape, values, update_shape, options = cases[case]
        options = ('StablehloScatterOptions', dict(options, updateComputationSubgraphIndex=1))
        inputs = [data(dtype, *shape), integers(index, *index_shape, low=-1, high=3, values=values), data(dtype, *update_shape)]
        op.add_graph(name, [Graph([Node(op.name, inputs, [Tensor('result', dtype)], options)]), body(node, dtype)])

    for case in cases:
        for node in (None,) + BODIES:
            add('float32_%s_%s' % (case, 'update' if node is None else node.lower()[10:]), case, node, 'float32', 'int32')
    for dtype in REALS[1:] + INTEGERS:
        add(dtype + '_add', 'boxes', 'STABLEHLO_ADD', dtype, 'int64')
    for dtype in ('float16', 'int8', 'bool'):
        add(dtype + '_update', 'rows', None, dtype, 'int32')
