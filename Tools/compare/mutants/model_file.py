"""A model file as the schema's objects, which can be read, inspected, changed in place, and written again."""
import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from golden_models.writer import TYPES, AlignedBuffer

TYPE_NAMES = {getattr(schema.TensorType, code): name for name, code in TYPES.items()}
OPERATOR_NAMES = {code: name for name, code in vars(schema.BuiltinOperator).items() if not name.startswith('_')}
# Types that NumPy cannot represent, or with less than a byte per element.
OPAQUE = ('string', 'resource', 'int4', 'uint4', 'int2', 'bfloat16', 'complex128', 'float8E4M3FN', 'float8E5M2')


def read_model(content):
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(content, 0))
    for position, old in enumerate(model.buffers):
        model.buffers[position] = AlignedBuffer()
        model.buffers[position].data = None if old.data is None else bytes(old.data)
    return model


def write_model(model):
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b'TFL3')
    return bytes(builder.Output())


def operator_name(model, operator):
    code = model.operatorCodes[operator.opcodeIndex]
    kind = max(code.builtinCode, code.deprecatedBuiltinCode)
    return code.customCode.decode() if kind == schema.BuiltinOperator.CUSTOM else OPERATOR_NAMES[kind]


def type_name(tensor):
    return TYPE_NAMES[tensor.type]


def set_type(tensor, name):
    tensor.type = getattr(schema.TensorType, TYPES[name])


def shape_of(tensor):
    return [] if tensor.shape is None else [int(d) for d in tensor.shape]


def is_constant(model, tensor):
    return bool(model.buffers[tensor.buffer].data)


def is_quantized(tensor):
    parameters = tensor.quantization
    return parameters is not None and parameters.scale is not None and len(parameters.scale) > 0


def is_parameter(model, tensor):
    """Returns whether a constant is a parameter (axes, sizes, positions) instead of data."""
    return is_constant(model, tensor) and type_name(tensor) in ('int32', 'int64') and not is_quantized(tensor)


def values_of(model, tensor):
    """Returns the elements of a constant, or None if NumPy lacks the type."""
    name = type_name(tensor)
    if name in OPAQUE or not is_constant(model, tensor) or tensor.sparsity is not None:
        return None
    array = np.frombuffer(model.buffers[tensor.buffer].data, name)
    return array.reshape(shape_of(tensor)) if array.size == np.prod(shape_of(tensor), dtype=int) else None


def set_values(model, tensor, array):
    """Replaces the elements of a constant, and their shape. Tensors that shared its buffer keep their elements."""
    buffer = AlignedBuffer()
    buffer.data = np.ascontiguousarray(array).tobytes()
    model.buffers.append(buffer)
    tensor.buffer = len(model.buffers) - 1
    tensor.shape = list(array.shape)
