"""Edits model files with the schema's object API."""
import os
import sys

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../golden'))
from golden_models.writer import AlignedBuffer  # noqa: E402


def read(content: bytes) -> schema.ModelT:
    return schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(content, 0))


def write(model: schema.ModelT) -> bytes:
    model.buffers = [aligned(buffer) for buffer in model.buffers]
    builder = flatbuffers.Builder(1 << 16)
    builder.Finish(model.Pack(builder), b'TFL3')
    return bytes(builder.Output())


def aligned(buffer: schema.BufferT) -> AlignedBuffer:
    result = AlignedBuffer()
    result.data = None if buffer.data is None or not len(buffer.data) else bytes(np.asarray(buffer.data, np.uint8))
    return result


def add_buffer(model: schema.ModelT, data: bytes) -> int:
    """Returns the index of a new buffer."""
    buffer = schema.BufferT()
    buffer.data = np.frombuffer(data, np.uint8)
    model.buffers.append(buffer)
    return len(model.buffers) - 1


def add_tensor(model: schema.ModelT, name: str, shape: tuple[int, ...], data: bytes | None = None) -> int:
    """Returns the index of a new float tensor, which is constant if it has data."""
    tensor = schema.TensorT()
    tensor.name, tensor.shape, tensor.type = name, list(shape), schema.TensorType.FLOAT32
    tensor.buffer = add_buffer(model, data) if data is not None else 0
    model.subgraphs[0].tensors.append(tensor)
    return len(model.subgraphs[0].tensors) - 1


def add_operator(model: schema.ModelT, code: schema.OperatorCodeT, inputs: list[int], outputs: list[int]) -> schema.OperatorT:
    operator = schema.OperatorT()
    model.operatorCodes.append(code)
    operator.opcodeIndex = len(model.operatorCodes) - 1
    operator.inputs, operator.outputs = inputs, outputs
    model.subgraphs[0].operators.append(operator)
    return operator


def operator_code(builtin: int, custom: str | None = None) -> schema.OperatorCodeT:
    code = schema.OperatorCodeT()
    code.builtinCode, code.deprecatedBuiltinCode, code.version = builtin, min(builtin, 127), 1
    code.customCode = custom
    return code
