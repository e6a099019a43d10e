"""Replaces MediaPipe's custom operator Convolution2DTransposeBias, which LiteRT lacks, by TRANSPOSE_CONV with a bias."""
import struct

CUSTOM = 'Convolution2DTransposeBias'


def runnable(content):
    """Returns the model that LiteRT runs, and the names of the replaced operators.

    Both operators compute the same sums if the filter is not larger than the stride.
    """
    if CUSTOM.encode() not in content:
        return content, []
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(content, 0))
    custom = {index for index, code in enumerate(model.operatorCodes) if code.customCode in (CUSTOM, CUSTOM.encode())}
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.TRANSPOSE_CONV
    # The first version with a bias.
    code.version = 3
    model.operatorCodes.append(code)
    for graph in model.subgraphs:
        for operator in graph.operators:
            if operator.opcodeIndex in custom:
                replace(operator, graph, model, schema)
    builder = flatbuffers.Builder(len(content))
    builder.Finish(model.Pack(builder), b'TFL3')
    return bytes(builder.Output()), [CUSTOM]


def replace(operator, graph, model, schema):
    import numpy
    # The custom options are three int32: 1 for SAME or 2 for VALID, and the strides of both axes.
    padding, width, height = struct.unpack('<3i', bytes(bytearray(operator.customOptions))[:12])
    data, weights, bias = operator.inputs
    buffer, shape = schema.BufferT(), schema.TensorT()
    sizes = numpy.asarray(graph.tensors[operator.outputs[0]].shape, '<i4')
    buffer.data = numpy.frombuffer(sizes.tobytes(), numpy.uint8)
    model.buffers.append(buffer)
    shape.name, shape.shape, shape.type, shape.buffer = 'shape', [4], schema.TensorType.INT32, len(model.buffers) - 1
    graph.tensors.append(shape)
    operator.opcodeIndex, operator.customOptions = len(model.operatorCodes) - 1, None
    operator.inputs = [len(graph.tensors) - 1, weights, data, bias]
    operator.builtinOptionsType = schema.BuiltinOptions.TransposeConvOptions
    operator.builtinOptions = schema.TransposeConvOptionsT()
    operator.builtinOptions.padding = {1: schema.Padding.SAME, 2: schema.Padding.VALID}[padding]
    operator.builtinOptions.strideW, operator.builtinOptions.strideH = width, height
