"""Sparse constants: DENSIFY, and products with sparse weights."""
import numpy as np

from golden_models.graph import Graph, Node, operator
from golden_models.tensors import (Quantization, Tensor, constant, covering, floats, quantized, quantized_result,
                                   random_values, result)


def sparse(dense, dtype, q=None, block=None):
    """Returns a constant that stores the rows of a matrix compressed: single elements, or blocks of `block` per row."""
    dense = np.asarray(dense, dtype)
    rows, columns = dense.shape
    width = block or 1
    segments, indices, stored = [0], [], []
    for row in dense.reshape(rows, columns // width, width):
        for position, piece in enumerate(row):
            if piece.any():
                indices.append(position)
                stored.extend(piece)
        segments.append(len(indices))
    levels = [rows, (segments, indices)]
    description = ([0, 1, 2], [1], levels + [block]) if block else ([0, 1], [], levels)
    return Tensor('constant', dtype, dense.shape, q, values=np.array(stored, dtype), sparsity=description)


def holey(name, rows, columns, width, dtype='float32'):
    """Returns a matrix with about half of its blocks zero."""
    values = random_values(dtype, [rows, columns], name, *((-1, 1) if dtype == 'float32' else (-127, 127)))
    keep = random_values('bool', [rows, columns // width], name + '/kept')
    return values * np.repeat(keep, width, axis=1)


def transposed_blocks():
    """Blocks of 2 × 2, traversed column by column."""
    values = np.arange(1, 13, dtype=np.float32)
    return Tensor('constant', 'float32', [4, 6], values=values,
                  sparsity=([1, 0, 3, 2], [0, 1], [3, ([0, 1, 1, 3], [1, 0, 1]), 2, 2]))


@operator('DENSIFY')
def densify(op):
    for dtype in ('float32', 'float16', 'int8'):
        q = Quantization(0.02) if dtype == 'int8' else None
        matrix = holey('densify', 4, 6, 1) * (50 if dtype == 'int8' else 1)
        op.add(dtype + '_elements', [sparse(matrix, dtype, q)], [result(dtype, q)], version=1)
        op.add(dtype + '_blocks', [sparse(holey('blocks', 3, 8, 4) * (50 if dtype == 'int8' else 1), dtype, q, 4)], [result(dtype, q)], version=1)
    op.add('float32_blocks_by_column', [transposed_blocks()], [result()])


@operator('FULLY_CONNECTED')
def sparse_product(op):
    options = ('FullyConnectedOptions', {})
    bias = lambda: constant(random_values('float32', [4], 'sparse/bias'))
    op.add('sparse_float32_elements', [floats(3, 8), sparse(holey('elements', 4, 8, 1), 'float32'), bias()], options=options, version=8)
    op.add('sparse_float32_blocks', [floats(3, 8), sparse(holey('blocks', 4, 8, 4), 'float32', block=4), bias()], options=options, version=8)
    q, out, weights = covering('int8', -2, 2), covering('int8', -3, 3), Quantization(0.01)
    codes = sparse(holey('codes', 4, 32, 16, 'int8'), 'int8', weights, 16)
    op.add('sparse_int8_blocks', [quantized('int8', 3, 32, q=q), codes,
                                  constant(np.arange(4) * 40 - 70, 'int32', Quantization(q.scales[0] * 0.01))],
           [quantized_result('int8', q=out)], options, version=8)
    op.add('sparse_hybrid_blocks', [floats(3, 32), codes, bias()], options=options, version=8)
    data, dense, out = floats(2, 6), Tensor('result', 'float32'), result()
    op.add_graph('sparse_float32_densified', [Graph([
        Node('DENSIFY', [sparse(holey('product', 3, 6, 1), 'float32')], [dense]),
        Node('FULLY_CONNECTED', [data, dense, None], [out], ('FullyConnectedOptions', {}))])])
