package import SwiftletEngine
import SwiftletOperators
package import SwiftletSchema

/// A model for a test, built from subgraphs of tensors and operators.
///
///     var graph = TestGraph()
///     let data = graph.input(.float32, [2, 3])
///     let axes = graph.constant([Int32(1)])
///     let result = graph.output(.float32, [2])
///     graph.add(.sum, [data, axes], [result], options: ReducerOptions.with { [$0.keepDimensions(true)] })
///     let session = try graph.session()
package struct TestGraph: Sendable {
  fileprivate var tensors: [TensorRow] = []
  fileprivate var operators: [OperatorRow] = []
  fileprivate var inputs: [Int] = []
  fileprivate var outputs: [Int] = []
  fileprivate var signatures: [SignatureRow] = []

  fileprivate struct SignatureRow: Sendable {
    var key: String
    var inputs: [(name: String, tensor: Int)]
    var outputs: [(name: String, tensor: Int)]
  }

  fileprivate struct TensorRow: Sendable {
    var name: String?
    var type: ElementType
    var shape: [Int]
    var shapeSignature: [Int]?
    var quantization: QuantizationParameters?
    /// The tensor of scales, and the block size.
    var blocks: (scales: Int, size: Int)?
    var data: [UInt8]?
    var isVariable = false
  }

  fileprivate struct OperatorRow: Sendable {
    var kind: OperatorKind
    var version: Int
    var inputs: [Int?]
    var outputs: [Int]
    var intermediates: [Int]
    var options: WrittenOptions?
    var customOptions: [UInt8]
  }

  package init() {}

  // MARK: Tensors, returned by index

  package mutating func input(
    _ type: ElementType, _ shape: [Int], scale: Float? = nil, zeroPoint: Int32 = 0
  ) -> Int {
    inputs.append(tensor(type, shape, scale: scale, zeroPoint: zeroPoint))
    return tensors.count - 1
  }

  package mutating func output(
    _ type: ElementType, _ shape: [Int], scale: Float? = nil, zeroPoint: Int32 = 0
  ) -> Int {
    outputs.append(tensor(type, shape, scale: scale, zeroPoint: zeroPoint))
    return tensors.count - 1
  }

  /// Adds a tensor between operators.
  package mutating func tensor(
    _ type: ElementType, _ shape: [Int], scale: Float? = nil, zeroPoint: Int32 = 0
  ) -> Int {
    let quantization = scale.map { QuantizationParameters(scale: $0, zeroPoint: zeroPoint) }
    tensors.append(TensorRow(type: type, shape: shape, quantization: quantization))
    return tensors.count - 1
  }

  /// Adds a tensor that keeps its values from run to run.
  package mutating func variable(
    _ type: ElementType, _ shape: [Int], scale: Float? = nil, zeroPoint: Int32 = 0
  ) -> Int {
    let index = tensor(type, shape, scale: scale, zeroPoint: zeroPoint)
    tensors[index].isVariable = true
    return index
  }

  /// Adds a constant, which is a vector unless a shape is given.
  package mutating func constant<Scalar: TensorScalar>(
    _ values: [Scalar], shape: [Int]? = nil, scale: Float? = nil, zeroPoint: Int32 = 0
  ) -> Int {
    let index = tensor(Scalar.elementType, shape ?? [values.count], scale: scale, zeroPoint: zeroPoint)
    tensors[index].data = values.withUnsafeBytes { [UInt8]($0) }
    return index
  }

  /// Adds a constant with the values of a tensor of any element type.
  package mutating func constant(_ values: Tensor, shape: [Int]? = nil, scale: Float? = nil, zeroPoint: Int32 = 0)
    -> Int
  {
    let index = tensor(values.elementType, shape ?? values.shape.dimensions, scale: scale, zeroPoint: zeroPoint)
    tensors[index].data = values.bytes
    return index
  }

  /// Adds a constant with the bytes of a tensor as elements of another type; it's a vector unless a shape is given.
  package mutating func constant(_ bytes: Tensor, of type: ElementType, shape: [Int]? = nil) -> Int {
    constant(bytes: bytes.bytes, of: type, shape: shape ?? bytes.shape.dimensions)
  }

  /// Adds a constant with these bytes, whether they fit or not.
  package mutating func constant(bytes: [UInt8], of type: ElementType, shape: [Int]) -> Int {
    let index = tensor(type, shape)
    tensors[index].data = bytes
    return index
  }

  /// Sets the scales and zero points of tensor `index`.
  package mutating func quantize(_ index: Int, _ quantization: QuantizationParameters) {
    tensors[index].quantization = quantization
  }

  /// Quantizes tensor `index` in blocks of `size` elements with scales in another tensor.
  package mutating func quantize(_ index: Int, inBlocksOf size: Int, scales: Int) {
    tensors[index].blocks = (scales, size)
  }

  /// Names tensor `index`, whose default name is its number.
  package mutating func name(_ index: Int, _ name: String) { tensors[index].name = name }

  /// Sets the shape signature of tensor `index`, with -1 for dynamic dimensions.
  package mutating func leaveOpen(_ index: Int, _ shapeSignature: [Int]) {
    tensors[index].shapeSignature = shapeSignature
  }

  /// Makes the graph a signature.
  package mutating func addSignature(
    _ key: String, inputs: [(name: String, tensor: Int)], outputs: [(name: String, tensor: Int)]
  ) {
    signatures.append(SignatureRow(key: key, inputs: inputs, outputs: outputs))
  }

  /// Makes a tensor an additional input.
  package mutating func addInput(_ index: Int) { inputs.append(index) }

  /// Makes a tensor an additional output.
  package mutating func addOutput(_ index: Int) { outputs.append(index) }

  // MARK: Operators

  package mutating func add(
    _ builtin: BuiltinOperator, _ inputs: [Int?], _ outputs: [Int],
    options: WrittenOptions? = nil,
    version: Int = 1, intermediates: [Int] = []
  ) {
    operators.append(
      OperatorRow(
        kind: .builtin(builtin), version: version, inputs: inputs, outputs: outputs, intermediates: intermediates,
        options: options, customOptions: []))
  }

  package mutating func add(
    custom name: String, _ inputs: [Int?], _ outputs: [Int], options: [UInt8] = [], version: Int = 1
  ) {
    operators.append(
      OperatorRow(
        kind: .custom(name), version: version, inputs: inputs, outputs: outputs, intermediates: [], options: nil,
        customOptions: options))
  }

  // MARK: Results

  /// Returns the model with this graph as its main graph, followed by `others`.
  package func model(_ others: [TestGraph] = []) throws -> Model {
    try Model(bytes: Self.bytes([self] + others))
  }

  package func session(_ others: [TestGraph] = [], options: RuntimeOptions = RuntimeOptions()) throws -> Session {
    try Session(try CompiledModel(try model(others), options: options))
  }
}

// MARK: - Writing

extension TestGraph {
  /// Returns the model file of several subgraphs.
  ///
  /// - Parameter metadata: The bytes of its `TFLITE_METADATA`.
  package static func bytes(_ graphs: [TestGraph], metadata: [UInt8]? = nil) -> [UInt8] {
    var codes: [OperatorCode] = []
    var buffers: [[Int: FlatValue]] = [[:]]
    let subgraphs = graphs.map { $0.table(codes: &codes, buffers: &buffers) }
    var root: [Int: FlatValue] = [0: .uint(3), 1: .tables(codes.map(Self.table)), 2: .tables(subgraphs)]
    if let metadata {
      root[6] = .tables([[0: .string("TFLITE_METADATA"), 1: .uint(UInt32(buffers.count))]])
      buffers.append([0: .bytes(metadata)])
    }
    let signatures = graphs.enumerated().flatMap { index, graph in graph.signatures.map { Self.table($0, of: index) } }
    if !signatures.isEmpty { root[7] = .tables(signatures) }
    root[4] = .tables(buffers)
    return FlatValue.file(root: root, identifier: "TFL3")
  }

  private static func table(_ signature: SignatureRow, of subgraph: Int) -> [Int: FlatValue] {
    func entries(_ entries: [(name: String, tensor: Int)]) -> FlatValue {
      .tables(entries.map { [0: .string($0.name), 1: .uint(UInt32($0.tensor))] })
    }
    return [
      0: entries(signature.inputs), 1: entries(signature.outputs), 2: .string(signature.key),
      4: .uint(UInt32(subgraph)),
    ]
  }

  private static func table(_ code: OperatorCode) -> [Int: FlatValue] {
    switch code.kind {
    case .builtin(let builtin):
      [
        0: .byte(Int8(min(builtin.rawValue, 127))), 2: .int(Int32(code.version)), 3: .int(builtin.rawValue),
      ]
    case .custom(let name): [0: .byte(32), 1: .string(name), 2: .int(Int32(code.version)), 3: .int(32)]
    }
  }

  private func table(codes: inout [OperatorCode], buffers: inout [[Int: FlatValue]]) -> [Int: FlatValue] {
    let tensorTables = tensors.enumerated().map { index, tensor in
      var table: [Int: FlatValue] = [
        0: .ints(tensor.shape.map(Int32.init)), 1: .byte(Int8(tensor.type.rawValue)),
        3: .string(tensor.name ?? "t\(index)"),
      ]
      if let data = tensor.data {
        table[2] = .uint(UInt32(buffers.count))
        buffers.append([0: .bytes(data)])
      }
      if let quantization = tensor.quantization {
        table[4] = .table([
          2: .floats(quantization.scales), 3: .longs(quantization.zeroPoints.map(Int64.init)),
          6: .int(Int32(quantization.axis)),
        ])
      }
      if let blocks = tensor.blocks {
        table[4] = .table([4: .byte(2), 5: .table([0: .int(Int32(blocks.scales)), 2: .int(Int32(blocks.size))])])
      }
      if let shapeSignature = tensor.shapeSignature { table[7] = .ints(shapeSignature.map(Int32.init)) }
      if tensor.isVariable { table[5] = .bool(true) }
      return table
    }
    let operatorTables = operators.map { row in
      let code = OperatorCode(kind: row.kind, version: row.version)
      let position = codes.firstIndex(of: code) ?? codes.count
      if position == codes.count { codes.append(code) }
      return Self.table(row, code: position)
    }
    return [
      0: .tables(tensorTables), 1: .ints(inputs.map(Int32.init)), 2: .ints(outputs.map(Int32.init)),
      3: .tables(operatorTables),
    ]
  }

  private static func table(_ row: OperatorRow, code: Int) -> [Int: FlatValue] {
    var table: [Int: FlatValue] = [
      0: .uint(UInt32(code)), 1: .ints(row.inputs.map { Int32($0 ?? -1) }), 2: .ints(row.outputs.map(Int32.init)),
    ]
    if let options = row.options { table.merge(options.operatorFields) { $1 } }
    if !row.customOptions.isEmpty { table[5] = .bytes(row.customOptions) }
    if !row.intermediates.isEmpty { table[8] = .ints(row.intermediates.map(Int32.init)) }
    return table
  }
}
