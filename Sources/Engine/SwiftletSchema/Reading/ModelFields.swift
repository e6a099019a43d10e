import SwiftletFlatBuffers

// Field IDs of the model schema's tables, in schema order.
// Source: the TFLite schema, revision 3d.

enum ModelField {
  static let version = FlatField(0, "version")
  static let operatorCodes = FlatField(1, "operator_codes")
  static let subgraphs = FlatField(2, "subgraphs")
  static let description = FlatField(3, "description")
  static let buffers = FlatField(4, "buffers")
  static let metadata = FlatField(6, "metadata")
  static let signatures = FlatField(7, "signature_defs")
  static let externalBufferGroups = FlatField(8, "external_buffer_groups")
  static let externalBuffers = FlatField(9, "external_buffers")
}

enum OperatorCodeField {
  static let deprecatedBuiltinCode = FlatField(0, "deprecated_builtin_code")
  static let customCode = FlatField(1, "custom_code")
  static let version = FlatField(2, "version")
  static let builtinCode = FlatField(3, "builtin_code")
}

enum SubgraphField {
  static let tensors = FlatField(0, "tensors")
  static let inputs = FlatField(1, "inputs")
  static let outputs = FlatField(2, "outputs")
  static let operators = FlatField(3, "operators")
  static let name = FlatField(4, "name")
}

enum TensorField {
  static let shape = FlatField(0, "shape")
  static let type = FlatField(1, "type")
  static let buffer = FlatField(2, "buffer")
  static let name = FlatField(3, "name")
  static let quantization = FlatField(4, "quantization")
  static let isVariable = FlatField(5, "is_variable")
  static let sparsity = FlatField(6, "sparsity")
  static let shapeSignature = FlatField(7, "shape_signature")
  static let hasRank = FlatField(8, "has_rank")
  static let externalBuffer = FlatField(10, "external_buffer")
}

enum QuantizationField {
  static let scale = FlatField(2, "scale")
  static let zeroPoint = FlatField(3, "zero_point")
  static let detailsTag = FlatField(4, "details_type")
  static let details = FlatField(5, "details")
  static let quantizedDimension = FlatField(6, "quantized_dimension")
}

/// The fields of blockwise and multi-axis quantization. Only multi-axis quantization has `axes`.
enum BlockwiseField {
  static let scales = FlatField(0, "scales")
  static let zeroPoints = FlatField(1, "zero_points")
  static let blockSize = FlatField(2, "block_size")
  static let axes = FlatField(3, "quantized_dimensions")
}

enum SparsityField {
  static let traversalOrder = FlatField(0, "traversal_order")
  static let blockMap = FlatField(1, "block_map")
  static let dimensions = FlatField(2, "dim_metadata")
}

enum SparseDimensionField {
  static let format = FlatField(0, "format")
  static let denseSize = FlatField(1, "dense_size")
  static let segmentsTag = FlatField(2, "array_segments_type")
  static let segments = FlatField(3, "array_segments")
  static let indicesTag = FlatField(4, "array_indices_type")
  static let indices = FlatField(5, "array_indices")
  /// The only field of each of the index vector tables.
  static let values = FlatField(0, "values")
}

enum OperatorField {
  static let codeIndex = FlatField(0, "opcode_index")
  static let inputs = FlatField(1, "inputs")
  static let outputs = FlatField(2, "outputs")
  static let optionsTag = FlatField(3, "builtin_options_type")
  static let options = FlatField(4, "builtin_options")
  static let customOptions = FlatField(5, "custom_options")
  static let mutatingVariableInputs = FlatField(7, "mutating_variable_inputs")
  static let intermediates = FlatField(8, "intermediates")
  static let largeCustomOptionsOffset = FlatField(9, "large_custom_options_offset")
  static let largeCustomOptionsSize = FlatField(10, "large_custom_options_size")
  static let options2Tag = FlatField(11, "builtin_options_2_type")
  static let options2 = FlatField(12, "builtin_options_2")
}

enum BufferField {
  static let data = FlatField(0, "data")
  static let offset = FlatField(1, "offset")
  static let size = FlatField(2, "size")
}

enum SignatureField {
  static let inputs = FlatField(0, "inputs")
  static let outputs = FlatField(1, "outputs")
  static let key = FlatField(2, "signature_key")
  static let subgraph = FlatField(4, "subgraph_index")
}

enum TensorMapField {
  static let name = FlatField(0, "name")
  static let tensor = FlatField(1, "tensor_index")
}

enum MetadataField {
  static let name = FlatField(0, "name")
  static let buffer = FlatField(1, "buffer")
}
