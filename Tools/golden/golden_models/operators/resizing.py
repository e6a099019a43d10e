"""RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR."""
from golden_models.graph import operator
from golden_models.operators.movement import source
from golden_models.tensors import floats, int32s, integers

SIZES = {
    # name: input, output height and width
    'double': ([1, 3, 4, 3], (6, 8)),
    'half': ([1, 6, 4, 5], (3, 2)),
    'odd_up': ([1, 3, 5, 2], (7, 8)),
    'odd_down': ([1, 7, 5, 2], (3, 4)),
    'same': ([1, 3, 3, 1], (3, 3)),
    'from_one': ([1, 1, 1, 3], (3, 2)),
    'to_one': ([1, 4, 5, 3], (1, 1)),
    'batch': ([2, 2, 3, 17], (4, 5)),
    'one_direction': ([1, 2, 6, 1], (5, 3)),
}


@operator('RESIZE_BILINEAR', 'RESIZE_NEAREST_NEIGHBOR')
def resize(op):
    bilinear = op.name == 'RESIZE_BILINEAR'
    for mode, align, half in [('plain', False, False), ('align_corners', True, False), ('half_pixel', False, True)]:
        options = ('ResizeBilinearOptions' if bilinear else 'ResizeNearestNeighborOptions',
                   {'alignCorners': align, 'halfPixelCenters': half})
        for name, (shape, size) in SIZES.items():
            types = ('float32',)
            if name in ('odd_up', 'odd_down'):
                types += ('int8', 'uint8', 'int16') if bilinear or name == 'odd_up' else ()
            for dtype in types:
                data, out = source(dtype, *shape)
                op.add('%s_%s_%s' % (dtype, mode, name), [data, int32s(*size)], [out], options, version=3)
    if not bilinear:
        options = ('ResizeNearestNeighborOptions', {'alignCorners': True, 'halfPixelCenters': True})
        for name, (shape, size) in SIZES.items():
            op.add('float32_align_and_half_' + name, [floats(*shape), int32s(*size)], options=options, version=3)
    op.add('float32_runtime_size', [floats(1, 3, 3, 2), integers('int32', 2, values=[5, 4])], options=options, version=3)
