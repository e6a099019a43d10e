"""AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D."""
from golden_models.graph import operator
from golden_models.tensors import covering, floats, quantized, quantized_result

SAME, VALID = 0, 1
POOLS = {
    # name: input, filter (h, w), stride (h, w), padding
    'valid_2x2': ([1, 4, 6, 3], (2, 2), (2, 2), VALID),
    'same_2x2_odd': ([1, 5, 3, 5], (2, 2), (2, 2), SAME),
    'same_3x3': ([1, 4, 5, 17], (3, 3), (1, 1), SAME),
    'same_3x3_stride_2': ([1, 7, 6, 3], (3, 3), (2, 2), SAME),
    'valid_3x2': ([1, 5, 5, 2], (3, 2), (1, 2), VALID),
    'whole_picture': ([1, 5, 4, 33], (5, 4), (1, 1), VALID),
    'filter_1x1': ([1, 3, 4, 3], (1, 1), (1, 1), SAME),
    'filter_larger_than_input': ([1, 2, 3, 3], (5, 5), (1, 1), SAME),
    'no_pictures': ([0, 3, 3, 2], (2, 2), (1, 1), SAME),
    'batch_3': ([3, 4, 4, 1], (2, 3), (2, 1), SAME),
}


def options(filter_size, stride, padding, activation=0):
    return ('Pool2DOptions', {'padding': padding, 'filterHeight': filter_size[0], 'filterWidth': filter_size[1],
                              'strideH': stride[0], 'strideW': stride[1], 'fusedActivationFunction': activation})


@operator('AVERAGE_POOL_2D', 'MAX_POOL_2D', 'L2_POOL_2D')
def pools(op):
    types = () if op.name == 'L2_POOL_2D' else ('int8', 'uint8', 'int16')
    for name, (shape, filter_size, stride, padding) in POOLS.items():
        op.add('float32_' + name, [floats(*shape)], options=options(filter_size, stride, padding))
        for dtype in types if name in ('same_2x2_odd', 'same_3x3_stride_2', 'whole_picture') else types[:1]:
            q = covering(dtype, -2, 1.5)
            op.add('%s_%s' % (dtype, name), [quantized(dtype, *shape, q=q)], [quantized_result(dtype, q=q)],
                   options(filter_size, stride, padding))
    for name, activation in (('relu', 1), ('relu_n1_to_1', 2), ('relu6', 3)):
        shape, filter_size, stride, padding = POOLS['same_2x2_odd']
        op.add('float32_' + name, [floats(*shape, low=-9, high=9)], options=options(filter_size, stride, padding, activation))
        for dtype in types:
            q = covering(dtype, -8, 9)
            op.add('%s_%s' % (dtype, name), [quantized(dtype, *shape, q=q)], [quantized_result(dtype, q=q)],
                   options(filter_size, stride, padding, activation))
