import SwiftletSchema
import SwiftletTestSupport

/// A model file that a test describes by value.
///
/// Field IDs, codes, and tags are the schema's numbers, so that tests can also write files that no correct writer
/// would.
struct RawModel {
  struct Tensor {
    var name: String
    /// The raw element type; 0 is float32.
    var type: Int8
    var shape: [Int32]
    /// The constant's bytes, or `nil` for a computed tensor.
    var data: [UInt8]?
    /// Additional fields of the tensor's table, or replacements for its usual values.
    var fields: [Int: FlatValue]

    init(
      _ name: String, type: Int8 = 0, shape: [Int32] = [1], data: [UInt8]? = nil, fields: [Int: FlatValue] = [:]
    ) {
      self.name = name
      self.type = type
      self.shape = shape
      self.data = data
      self.fields = fields
    }
  }

  struct Operator {
    /// The index in `operatorCodes`.
    var code: UInt32
    var inputs: [Int32]
    var outputs: [Int32]
    /// Additional fields of the operator's table, such as its options.
    var fields: [Int: FlatValue]

    init(_ code: UInt32 = 0, inputs: [Int32], outputs: [Int32], fields: [Int: FlatValue] = [:]) {
      self.code = code
      self.inputs = inputs
      self.outputs = outputs
      self.fields = fields
    }
  }

  struct Subgraph {
    var name: String?
    var tensors: [Tensor]
    var inputs: [Int32]
    var outputs: [Int32]
    var operators: [Operator]

    init(
      name: String? = nil, tensors: [Tensor], inputs: [Int32], outputs: [Int32], operators: [Operator]
    ) {
      self.name = name
      self.tensors = tensors
      self.inputs = inputs
      self.outputs = outputs
      self.operators = operators
    }
  }

  struct Code {
    var code: Int32
    var customName: String?
    var version: Int32

    init(_ code: Int32, customName: String? = nil, version: Int32 = 1) {
      self.code = code
      self.customName = customName
      self.version = version
    }
  }

  var operatorCodes: [Code]
  var subgraphs: [Subgraph]
  /// The name and bytes of each metadata entry.
  var metadata: [(name: String, data: [UInt8])] = []
  /// Additional buffers by their fields; they follow the buffers of constants and metadata.
  var extraBuffers: [[Int: FlatValue]] = []
  /// Additional fields of the model's table, or replacements for its usual values.
  var fields: [Int: FlatValue] = [:]

  init(operatorCodes: [Code] = [Code(0)], subgraphs: [Subgraph]) {
    self.operatorCodes = operatorCodes
    self.subgraphs = subgraphs
  }

  /// An addition, `sum = input + constant`, of four floats.
  static var addition: RawModel {
    RawModel(subgraphs: [
      Subgraph(
        name: "main",
        tensors: [
          Tensor("input", shape: [1, 4]),
          Tensor("constant", shape: [4], data: [UInt8](0..<16)),
          Tensor("sum", shape: [1, 4]),
        ],
        inputs: [0], outputs: [2],
        operators: [
          Operator(
            inputs: [0, 1], outputs: [2], fields: AddOptions.with { [$0.fusedActivation(.relu)] }.operatorFields)
        ])
    ])
  }

  /// The file's bytes.
  var bytes: [UInt8] {
    var buffers: [[Int: FlatValue]] = [[:]]
    var subgraphTables: [[Int: FlatValue]] = []
    for subgraph in subgraphs {
      var tensors: [[Int: FlatValue]] = []
      for tensor in subgraph.tensors {
        var table: [Int: FlatValue] = [0: .ints(tensor.shape), 1: .byte(tensor.type), 3: .string(tensor.name)]
        if let data = tensor.data {
          table[2] = .uint(UInt32(buffers.count))
          buffers.append([0: .bytes(data)])
        }
        tensors.append(table.merging(tensor.fields) { $1 })
      }
      var table: [Int: FlatValue] = [
        0: .tables(tensors), 1: .ints(subgraph.inputs), 2: .ints(subgraph.outputs),
        3: .tables(
          subgraph.operators.map { description in
            [0: .uint(description.code), 1: .ints(description.inputs), 2: .ints(description.outputs)]
              .merging(description.fields) { $1 }
          }),
      ]
      table[4] = subgraph.name.map(FlatValue.string)
      subgraphTables.append(table)
    }
    let metadataTables: [[Int: FlatValue]] = metadata.map { entry in
      buffers.append([0: .bytes(entry.data)])
      return [0: .string(entry.name), 1: .uint(UInt32(buffers.count - 1))]
    }
    let root: [Int: FlatValue] = [
      0: .uint(3), 1: .tables(operatorCodes.map(\.table)), 2: .tables(subgraphTables),
      4: .tables(buffers + extraBuffers), 6: .tables(metadataTables),
    ]
    return FlatValue.file(root: root.merging(fields) { $1 }, identifier: "TFL3")
  }
}

extension RawModel.Code {
  fileprivate var table: [Int: FlatValue] {
    var table: [Int: FlatValue] = [
      0: .byte(Int8(clamping: min(code, 127))), 2: .int(version), 3: .int(code),
    ]
    table[1] = customName.map(FlatValue.string)
    return table
  }
}
