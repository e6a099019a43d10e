package import SwiftletTestSupport

/// A model as plain values that can be invalid: indices out of range, wrong sizes, or cycles.
package struct FuzzModel: Sendable {
  package struct Code: Sendable, Hashable {
    package var builtin: Int32
    package var custom: String?
    package var version: Int32

    package init(builtin: Int32, custom: String? = nil, version: Int32 = 1) {
      self.builtin = builtin
      self.custom = custom
      self.version = version
    }
  }

  package struct Tensor: Sendable {
    package var shape: [Int32]?
    package var type: Int8 = 0
    package var buffer: UInt32 = 0
    package var name: String?
    /// The fields of `FlatSchema.quantization` and `FlatSchema.sparsity`.
    package var quantization: [Int: FlatValue]?
    package var sparsity: [Int: FlatValue]?
    package var isVariable = false
    package var shapeSignature: [Int32]?
    package var hasRank = false
  }

  package struct Operator: Sendable {
    package var code: UInt32 = 0
    package var inputs: [Int32] = []
    package var outputs: [Int32] = []
    package var intermediates: [Int32] = []
    package var mutatingVariableInputs: [Bool] = []
    /// The options; the tag is 0 if there are none.
    package var options = WrittenOptions(rawTag: 0, rawFields: [:])
    package var customOptions: [UInt8] = []
  }

  package struct Graph: Sendable {
    package var name: String?
    package var tensors: [Tensor] = []
    package var inputs: [Int32] = []
    package var outputs: [Int32] = []
    package var operators: [Operator] = []
  }

  package struct Signature: Sendable {
    package struct Entry: Sendable {
      package var name: String
      package var tensor: UInt32
    }

    package var key: String?
    package var subgraph: UInt32 = 0
    package var inputs: [Entry] = []
    package var outputs: [Entry] = []
  }

  package struct Metadata: Sendable {
    package var name: String
    package var buffer: UInt32
  }

  package var codes: [Code] = []
  package var graphs: [Graph] = []
  package var buffers: [[UInt8]?] = [nil]
  package var signatures: [Signature] = []
  package var metadata: [Metadata] = []

  package init() {}

  /// Returns the index of an operator code, which is added if it doesn't exist.
  package mutating func number(of code: Code) -> UInt32 {
    if let index = codes.firstIndex(of: code) { return UInt32(index) }
    codes.append(code)
    return UInt32(codes.count - 1)
  }

  package func code(_ operation: Operator) -> Code? {
    codes.indices.contains(Int(operation.code)) ? codes[Int(operation.code)] : nil
  }
}
