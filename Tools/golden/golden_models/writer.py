"""Writes a graph as a .tflite file with the schema's object API."""
import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from golden_models.packing import string_tensor

TYPES = {'bool': 'BOOL', 'float16': 'FLOAT16', 'float32': 'FLOAT32', 'float64': 'FLOAT64', 'int4': 'INT4',
         'int8': 'INT8', 'int16': 'INT16', 'int32': 'INT32', 'int64': 'INT64', 'uint8': 'UINT8',
         'uint16': 'UINT16', 'uint32': 'UINT32', 'uint64': 'UINT64', 'complex64': 'COMPLEX64',
         'bfloat16': 'BFLOAT16', 'complex128': 'COMPLEX128', 'float8E4M3FN': 'FLOAT8_E4M3FN', 'float8E5M2': 'FLOAT8_E5M2', 'uint4': 'UINT4', 'int2': 'INT2', 'resource': 'RESOURCE', 'string': 'STRING'}


class AlignedBuffer(schema.BufferT):
    """A buffer whose bytes are aligned to 16, as the schema's force_align requires."""

    def Pack(self, builder):
        if self.data is None:
            schema.BufferStart(builder)
            return schema.BufferEnd(builder)
        data = bytes(self.data)
        builder.StartVector(1, len(data), 16)
        builder.head -= len(data)
        builder.Bytes[builder.head:builder.head + len(data)] = data
        vector = builder.EndVector()
        schema.BufferStart(builder)
        schema.BufferAddData(builder, vector)
        return schema.BufferEnd(builder)


def constant_bytes(tensor):
    if tensor.dtype == 'string':
        return string_tensor(tensor.values.ravel().tolist())
    array = np.ascontiguousarray(tensor.values)
    bits = {'int4': 4, 'uint4': 4, 'int2': 2}.get(tensor.type)
    if bits:
        count = 8 // bits
        codes = array.astype(np.int8).reshape(-1).view(np.uint8) & (1 << bits) - 1
        codes = np.append(codes, np.zeros(-codes.size % count, np.uint8)).reshape(-1, count)
        return np.bitwise_or.reduce(codes << np.arange(count, dtype=np.uint8) * np.uint8(bits), axis=1).astype(np.uint8).tobytes()
    return array.astype(array.dtype.newbyteorder('<')).tobytes()


def write_model(graphs, result_shapes=None, versions=None):
    """Returns the bytes of a model.

    `result_shapes` maps a result tensor to its shape from a first run; `versions` maps operators to a version other than
    their own.
    """
    model = schema.ModelT()
    model.version = 3
    model.buffers = [AlignedBuffer()]
    model.operatorCodes = []
    model.subgraphs = [write_subgraph(model, g, result_shapes or {}, versions or {}) for g in graphs]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b'TFL3')
    return bytes(builder.Output())


def write_subgraph(model, graph, shapes, versions):
    sub = schema.SubGraphT()
    sub.name = graph.name.encode()
    sub.tensors, sub.operators = [], []
    positions = {}

    def position(tensor):
        if tensor is None:
            return -1
        if id(tensor) not in positions:
            positions[id(tensor)] = len(sub.tensors)
            sub.tensors.append(write_tensor(model, tensor, shapes, len(sub.tensors)))
            if tensor.blocks is not None:
                write_blocks(sub.tensors[-1], position(tensor.blocks[0]), tensor.blocks[1])
        return positions[id(tensor)]

    sub.inputs = [position(t) for t in graph.inputs]
    for node in graph.nodes:
        op = schema.OperatorT()
        op.opcodeIndex = operator_code(model, node, versions)
        op.inputs = [position(t) for t in node.inputs]
        op.outputs = [position(t) for t in node.outputs]
        if node.intermediates:
            op.intermediates = [position(t) for t in node.intermediates]
        if node.custom_options is not None:
            op.customOptions = list(node.custom_options)
        if node.options is not None:
            write_options(op, *node.options)
        sub.operators.append(op)
    sub.outputs = [position(t) for t in graph.outputs]
    return sub


def write_options(op, name, fields):
    options = getattr(schema, name + 'T')()
    for field, value in fields.items():
        if field not in vars(options):
            raise ValueError('%s has no field %s' % (name, field))
        setattr(options, field, value)
    if hasattr(schema.BuiltinOptions, name):
        op.builtinOptionsType, op.builtinOptions = getattr(schema.BuiltinOptions, name), options
    else:
        op.builtinOptions2Type, op.builtinOptions2 = getattr(schema.BuiltinOptions2, name), options


def operator_code(model, node, versions):
    code = schema.OperatorCodeT()
    if hasattr(schema.BuiltinOperator, node.operator):
        code.builtinCode = getattr(schema.BuiltinOperator, node.operator)
    else:
        code.builtinCode = schema.BuiltinOperator.CUSTOM
        code.customCode = node.operator.encode()
    code.deprecatedBuiltinCode = min(code.builtinCode, 127)
    code.version = versions.get(node.operator, node.version)
    for index, known in enumerate(model.operatorCodes):
        if vars(known) == vars(code):
            return index
    model.operatorCodes.append(code)
    return len(model.operatorCodes) - 1


def write_tensor(model, tensor, shapes, index):
    t = schema.TensorT()
    t.name = ('%s%d' % (tensor.kind[0], index)).encode()
    t.type = getattr(schema.TensorType, TYPES[tensor.type])
    t.hasRank = True
    t.shape = tensor.file_shape or tensor.shape
    if tensor.file_shape:
        t.shapeSignature = [a if a == b else -1 for a, b in zip(tensor.file_shape, tensor.shape)]
    if tensor.kind == 'result' and tensor.shape is None:
        learned = shapes.get(id(tensor), [])
        t.shape = [1 if d is None else d for d in learned]
        if None in learned:
            t.shapeSignature = [-1 if d is None else d for d in learned]
    t.isVariable = tensor.kind == 'variable'
    if tensor.kind == 'constant' and tensor.values.size:
        buffer = AlignedBuffer()
        buffer.data = constant_bytes(tensor)
        model.buffers.append(buffer)
        t.buffer = len(model.buffers) - 1
    if tensor.sparsity is not None:
        t.sparsity = write_sparsity(*tensor.sparsity)
    if tensor.quantization is not None:
        t.quantization = schema.QuantizationParametersT()
        t.quantization.scale = tensor.quantization.scales
        t.quantization.zeroPoint = tensor.quantization.zero_points
        t.quantization.quantizedDimension = tensor.quantization.axis
    return t


def write_blocks(written, scales, size):
    blocks = schema.BlockwiseQuantizationT()
    blocks.scales, blocks.blockSize = scales, size
    written.quantization = schema.QuantizationParametersT()
    written.quantization.detailsType, written.quantization.details = schema.QuantizationDetails.BlockwiseQuantization, blocks


def write_sparsity(order, block_map, levels):
    sparsity = schema.SparsityParametersT()
    sparsity.traversalOrder, sparsity.blockMap, sparsity.dimMetadata = order, block_map, []
    for level in levels:
        dimension = schema.DimensionMetadataT()
        if isinstance(level, int):
            dimension.format, dimension.denseSize = schema.DimensionType.DENSE, level
        else:
            dimension.format = schema.DimensionType.SPARSE_CSR
            dimension.arraySegmentsType = dimension.arrayIndicesType = schema.SparseIndexVector.Int32Vector
            dimension.arraySegments, dimension.arrayIndices = schema.Int32VectorT(), schema.Int32VectorT()
            dimension.arraySegments.values, dimension.arrayIndices.values = level
        sparsity.dimMetadata.append(dimension)
    return sparsity
