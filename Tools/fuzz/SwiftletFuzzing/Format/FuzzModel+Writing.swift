import SwiftletTestSupport

extension FuzzModel {
  /// The bytes of the model file. Any values are written, valid or not.
  package var bytes: [UInt8] {
    FlatValue.file(
      root: [
        0: .uint(3), 1: .tables(codes.map(\.table)), 2: .tables(graphs.map(\.table)),
        4: .tables(buffers.map { $0.map { [0: .bytes($0)] } ?? [:] }),
        6: .tables(metadata.map { [0: .string($0.name), 1: .uint($0.buffer)] }), 7: .tables(signatures.map(\.table)),
      ], identifier: "TFL3")
  }
}

extension FuzzModel.Code {
  fileprivate var table: [Int: FlatValue] {
    var table: [Int: FlatValue] = [
      0: .byte(Int8(truncatingIfNeeded: min(builtin, 127))), 2: .int(version), 3: .int(builtin),
    ]
    if let custom { table[1] = .string(custom) }
    return table
  }
}

extension FuzzModel.Graph {
  fileprivate var table: [Int: FlatValue] {
    var table: [Int: FlatValue] = [
      0: .tables(tensors.map(\.table)), 1: .ints(inputs), 2: .ints(outputs), 3: .tables(operators.map(\.table)),
    ]
    if let name { table[4] = .string(name) }
    return table
  }
}

extension FuzzModel.Tensor {
  fileprivate var table: [Int: FlatValue] {
    var table: [Int: FlatValue] = [1: .byte(type), 2: .uint(buffer), 5: .bool(isVariable), 8: .bool(hasRank)]
    if let shape { table[0] = .ints(shape) }
    if let name { table[3] = .string(name) }
    if let quantization { table[4] = .table(quantization) }
    if let sparsity { table[6] = .table(sparsity) }
    if let shapeSignature { table[7] = .ints(shapeSignature) }
    return table
  }
}

extension FuzzModel.Operator {
  fileprivate var table: [Int: FlatValue] {
    var table: [Int: FlatValue] = [0: .uint(code), 1: .ints(inputs), 2: .ints(outputs)]
    table.merge(options.operatorFields) { $1 }
    if !customOptions.isEmpty { table[5] = .bytes(customOptions) }
    if !mutatingVariableInputs.isEmpty { table[7] = .bools(mutatingVariableInputs) }
    if !intermediates.isEmpty { table[8] = .ints(intermediates) }
    return table
  }
}

extension FuzzModel.Signature {
  fileprivate var table: [Int: FlatValue] {
    func tables(_ entries: [Entry]) -> FlatValue {
      .tables(entries.map { [0: .string($0.name), 1: .uint($0.tensor)] })
    }
    var table: [Int: FlatValue] = [0: tables(inputs), 1: tables(outputs), 4: .uint(subgraph)]
    if let key { table[2] = .string(key) }
    return table
  }
}
