"""EMBEDDING_LOOKUP_SPARSE and FAKE_QUANT."""
import numpy as np

from golden_models.graph import operator
from golden_models.tensors import constant, floats, int32s, integers, result


@operator('EMBEDDING_LOOKUP_SPARSE')
def lookup(op):
    for number, combiner in enumerate(('sum', 'mean', 'sqrtn')):
        options = ('EmbeddingLookupSparseOptions', {'combiner': number})
        for name, numbers, places, shape, table in [
                ('rows', [1, 3, 0], [[0, 0], [2, 0], [2, 1]], [3, 2], [4, 3, 2]),
                ('planes', [1, 3, 0, 2], [[0, 0, 0], [1, 0, 1], [1, 0, 2], [1, 1, 0]], [2, 2, 3], [4, 5])]:
            op.add('%s_%s' % (name, combiner),
                   [integers('int32', len(numbers), values=numbers), integers('int32', *np.shape(places), values=places), int32s(*shape),
                    floats(len(numbers), low=0.5, high=2), floats(*table)], [result()], options)


@operator('FAKE_QUANT')
def fake_quant(op):
    for name, low, high, bits in (('eight_bits', -1.0, 1.5, 8), ('four_bits', -0.1, 1.9, 4), ('sixteen_bits', -3.0, 3.0, 16),
                                  ('from_zero', 0.0, 1.0, 8), ('above_zero', 0.5, 1.5, 8)):
        op.add('float32_' + name, [floats(33)], [result()], ('FakeQuantOptions', {'min': low, 'max': high, 'numBits': bits}))
