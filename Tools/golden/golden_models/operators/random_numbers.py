"""Operators that generate random numbers from seeds."""
import numpy as np

from golden_models.graph import operator
from golden_models.tensors import constant, floats, int32s, integers, result, scalar


@operator('RANDOM_UNIFORM', 'RANDOM_STANDARD_NORMAL')
def tensors(op):
    for name, shape, seeds in (('vector', [16], (1, 2)), ('one', [1], (5, 0)), ('odd', [3, 3], (0, 7)), ('empty', [0, 4], (1, 1)),
                               ('large_seeds', [2, 5], (2**40 + 3, -9))):
        shape = [s - s % 2 if op.name.endswith('NORMAL') and name == 'odd' else s for s in shape]
        op.add('float32_' + name, [int32s(*shape)], [result()], ('RandomOptions', {'seed': seeds[0], 'seed2': seeds[1]}),
               steps=2, stateful=True)
    op.add('float32_shape_as_input', [integers('int32', 2, values=[2, 4])], [result()],
           ('RandomOptions', {'seed': 11, 'seed2': 12}), steps=2, stateful=True)


@operator('MULTINOMIAL')
def multinomial(op):
    for name, shape, samples in (('usual', [2, 5], 7), ('one_class', [3, 1], 2), ('many', [1, 3], 33)):
        for dtype in ('int32', 'int64'):
            op.add('%s_%s' % (dtype, name), [floats(*shape), scalar(samples, 'int32')], [result(dtype)],
                   ('RandomOptions', {'seed': 3, 'seed2': 4}), steps=2, stateful=True)
    op.add('int64_infinite', [floats(1, 4, values=[0.5, np.inf, -np.inf, 0.25]), scalar(9, 'int32')], [result('int64')],
           ('RandomOptions', {'seed': 8, 'seed2': 0}))


@operator('STABLEHLO_RNG_BIT_GENERATOR')
def bits(op):
    def state(*values):
        return integers('uint64', len(values), values=np.array(values, np.uint64))

    for algorithm, number in (('default', 0), ('philox', 1), ('threefry', 2)):
        options = ('StablehloRngBitGeneratorOptions', {'algorithm': number})
        for dtype, shape in (('int32', [7]), ('uint32', [2, 4]), ('int64', [3]), ('uint64', [1, 5])):
            op.add('%s_%s' % (algorithm, dtype), [state(2**63 + 11, 2**32 - 2)],
                   [result('uint64', shape=[2]), result(dtype, shape=shape)], options)
    op.add('philox_long_state', [state(1, 2, 3)], [result('uint64', shape=[3]), result('int32', shape=[6])],
           ('StablehloRngBitGeneratorOptions', {'algorithm': 1}))
