package import SwiftletBase
import SwiftletFlatBuffers

/// A `.tflite` file, validated and converted to plain values. Constants are referenced, not copied.
package struct ModelFile: Sendable {
  /// The whole file, including data after the FlatBuffer.
  package var bytes: ByteRegion
  package var version: Int
  package var description: String?
  package var operatorCodes: [OperatorCode]
  package var subgraphs: [Subgraph]
  package var signatures: [Signature]
  package var metadata: [MetadataEntry]

  /// Creates a model from values that the caller has validated. The initializer checks nothing.
  package init(
    bytes: ByteRegion = .empty, version: Int = 3, description: String? = nil, operatorCodes: [OperatorCode] = [],
    subgraphs: [Subgraph], signatures: [Signature] = [], metadata: [MetadataEntry] = []
  ) {
    self.bytes = bytes
    self.version = version
    self.description = description
    self.operatorCodes = operatorCodes
    self.subgraphs = subgraphs
    self.signatures = signatures
    self.metadata = metadata
  }
}

/// One entry of the model's operator table.
package struct OperatorCode: Sendable, Hashable {
  package var kind: OperatorKind
  package var version: Int

  package init(kind: OperatorKind, version: Int) {
    self.kind = kind
    self.version = version
  }
}

package struct Subgraph: Sendable {
  package var name: String?
  package var tensors: [TensorDescription]
  /// The input tensor indices, all valid.
  package var inputs: [Int]
  package var outputs: [Int]
  package var operators: [OperatorDescription]
  /// Whether the data flow is checked, so that the subgraph can run. False for subgraphs that aren't reachable from an
  /// entry point and whose name marks them as a validation of a delegate on a device.
  package var isRunnable = true

  package init(
    name: String? = nil, tensors: [TensorDescription], inputs: [Int], outputs: [Int], operators: [OperatorDescription]
  ) {
    self.name = name
    self.tensors = tensors
    self.inputs = inputs
    self.outputs = outputs
    self.operators = operators
  }
}

package struct TensorDescription: Sendable {
  package var name: String
  package var type: ElementType
  /// The dimensions, none negative. Unknown dimensions are 1 here and -1 in `shapeSignature`.
  package var shape: [Int]
  package var shapeSignature: [Int]?
  package var hasRank: Bool
  /// The constant's bytes; `nil` if the tensor is computed. Size and alignment are checked: there are at least as many
  /// bytes as type and shape require, and the address is a multiple of the element size.
  package var data: ByteRegion?
  package var quantization: QuantizationDescription?
  package var sparsity: SparsityDescription?
  package var isVariable: Bool
  /// The index in the model's buffer table; 0 for no buffer. Tensors that share a buffer have the same index.
  package var bufferIndex: Int

  package init(
    name: String, type: ElementType, shape: [Int], shapeSignature: [Int]? = nil, hasRank: Bool = false,
    data: ByteRegion? = nil, quantization: QuantizationDescription? = nil, sparsity: SparsityDescription? = nil,
    isVariable: Bool = false, bufferIndex: Int = 0
  ) {
    self.name = name
    self.type = type
    self.shape = shape
    self.shapeSignature = shapeSignature
    self.hasRank = hasRank
    self.data = data
    self.quantization = quantization
    self.sparsity = sparsity
    self.isVariable = isVariable
    self.bufferIndex = bufferIndex
  }
}

package struct QuantizationDescription: Sendable, Hashable {
  /// The scales, never empty: one scale per tensor, or several per channel along `axis`. If `blockwise` replaces them
  /// and the file stores none, the array is a single 0, which arithmetic rejects as a scale.
  package var scales: [Float]
  /// The zero points, as many as `scales`.
  package var zeroPoints: [Int]
  package var axis: Int
  /// The scales stored in other tensors of the subgraph, in blocks along the last dimension.
  package var blockwise: BlockwiseQuantization?

  package init(scales: [Float], zeroPoints: [Int], axis: Int, blockwise: BlockwiseQuantization? = nil) {
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.axis = axis
    self.blockwise = blockwise
  }
}

package struct BlockwiseQuantization: Sendable, Hashable {
  package var scalesTensor: Int
  package var zeroPointsTensor: Int?
  /// The number of elements that share a scale; positive.
  package var blockSize: Int
  /// The dimensions that are quantized in blocks; empty for the last dimension alone.
  package var axes: [Int]

  package init(scalesTensor: Int, zeroPointsTensor: Int?, blockSize: Int, axes: [Int] = []) {
    self.scalesTensor = scalesTensor
    self.zeroPointsTensor = zeroPointsTensor
    self.blockSize = blockSize
    self.axes = axes
  }
}

/// The mapping of a sparse constant's stored values to its dense shape.
package struct SparsityDescription: Sendable, Hashable {
  package enum Dimension: Sendable, Hashable {
    case dense(size: Int)
    case sparse(segments: [Int], indices: [Int])
  }
  package var traversalOrder: [Int]
  package var blockMap: [Int]
  package var dimensions: [Dimension]

  package init(traversalOrder: [Int], blockMap: [Int], dimensions: [Dimension]) {
    self.traversalOrder = traversalOrder
    self.blockMap = blockMap
    self.dimensions = dimensions
  }
}

package struct OperatorDescription: Sendable {
  /// The kind and version, resolved from the operator table.
  package var code: OperatorCode
  /// The input tensor indices; `nil` for an omitted optional input.
  package var inputs: [Int?]
  package var outputs: [Int]
  /// The tensor indices; -1 for an omitted tensor.
  package var intermediates: [Int]
  package var mutatingVariableInputs: [Bool]
  /// The builtin options, from either union. An absent table reads as all defaults.
  package var options: OptionsTable
  /// The custom operator's options as raw bytes; empty if there are none.
  package var customOptions: ByteRegion

  package init(
    code: OperatorCode, inputs: [Int?], outputs: [Int], intermediates: [Int] = [],
    mutatingVariableInputs: [Bool] = [], options: OptionsTable = .absent, customOptions: ByteRegion = .empty
  ) {
    self.code = code
    self.inputs = inputs
    self.outputs = outputs
    self.intermediates = intermediates
    self.mutatingVariableInputs = mutatingVariableInputs
    self.options = options
    self.customOptions = customOptions
  }
}

/// A named entry point.
package struct Signature: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package var name: String
    package var tensor: Int

    package init(name: String, tensor: Int) {
      self.name = name
      self.tensor = tensor
    }
  }
  package var key: String
  package var subgraph: Int
  package var inputs: [Entry]
  package var outputs: [Entry]

  package init(key: String, subgraph: Int, inputs: [Entry], outputs: [Entry]) {
    self.key = key
    self.subgraph = subgraph
    self.inputs = inputs
    self.outputs = outputs
  }
}

package struct MetadataEntry: Sendable {
  package var name: String
  package var data: ByteRegion

  package init(name: String, data: ByteRegion) {
    self.name = name
    self.data = data
  }
}
