import SwiftletBase
import SwiftletFlatBuffers

extension ModelReader {
  mutating func subgraph(_ table: FlatTable) throws(SchemaError) -> Subgraph {
    let name = try string(SubgraphField.name, of: table)
    let tensorTables = try tables(SubgraphField.tensors, of: table)
    var tensors: [TensorDescription] = []
    tensors.reserveCapacity(tensorTables.count)
    for (index, tensorTable) in tensorTables.enumerated() {
      tensors.append(
        try locating("tensors[\(index)]") { () throws(SchemaError) in
          try tensor(tensorTable, tensorCount: tensorTables.count)
        })
    }
    var operators: [OperatorDescription] = []
    for (index, operatorTable) in try tables(SubgraphField.operators, of: table).enumerated() {
      let code = try locating("operators[\(index)]") { () throws(SchemaError) in try operatorCode(of: operatorTable) }
      operators.append(
        try locating("operators[\(index)] (\(code.kind.name.excerpt))") { () throws(SchemaError) in
          try operatorDescription(operatorTable, code: code, tensorCount: tensors.count)
        })
    }
    return Subgraph(
      name: name, tensors: tensors,
      inputs: try tensorIndices(SubgraphField.inputs, of: table, tensorCount: tensors.count) ?? [],
      outputs: try tensorIndices(SubgraphField.outputs, of: table, tensorCount: tensors.count) ?? [],
      operators: operators)
  }

  private mutating func operatorCode(of table: FlatTable) throws(SchemaError) -> OperatorCode {
    let index = try uint(OperatorField.codeIndex, of: table)
    guard operatorCodes.indices.contains(index) else {
      throw SchemaError(
        .invalid, "the operator refers to row \(index) of an operator table of \(operatorCodes.count) rows",
        location: OperatorField.codeIndex.name)
    }
    return operatorCodes[index]
  }

  private mutating func operatorDescription(
    _ table: FlatTable, code: OperatorCode, tensorCount: Int
  ) throws(SchemaError) -> OperatorDescription {
    // Writers leave out lists of none; how many an operator must have is the engine's to check.
    let inputs =
      try tensorIndices(OperatorField.inputs, of: table, tensorCount: tensorCount, acceptsMissing: true) ?? []
    let outputs = try tensorIndices(OperatorField.outputs, of: table, tensorCount: tensorCount) ?? []
    return OperatorDescription(
      code: code,
      inputs: inputs.map { $0 < 0 ? nil : $0 },
      outputs: outputs,
      intermediates: try tensorIndices(
        OperatorField.intermediates, of: table, tensorCount: tensorCount, acceptsMissing: true) ?? [],
      mutatingVariableInputs: try read { (budget) throws(FlatBufferError) in
        try table.bools(OperatorField.mutatingVariableInputs, budget: &budget)
      } ?? [],
      options: try options(table, kind: code.kind),
      customOptions: try customOptions(table))
  }

  private mutating func options(_ table: FlatTable, kind: OperatorKind) throws(SchemaError) -> OptionsTable {
    let first = try read { (budget) throws(FlatBufferError) in
      try table.union(
        tag: OperatorField.optionsTag, value: OperatorField.options, knownTags: 1...126, budget: &budget)
    }
    let second = try read { (budget) throws(FlatBufferError) in
      try table.union(
        tag: OperatorField.options2Tag, value: OperatorField.options2, knownTags: 1...23, budget: &budget)
    }
    if let second, first == nil || kind.usesSecondOptionsUnion {
      return OptionsTable(tag: OptionsTable.secondUnionBase + Int(second.tag), table: second.table)
    }
    return first.map { OptionsTable(tag: Int($0.tag), table: $0.table) } ?? .absent
  }

  private mutating func customOptions(_ table: FlatTable) throws(SchemaError) -> ByteRegion {
    if let inline = try read({ (_) throws(FlatBufferError) in try table.bytes(OperatorField.customOptions) }) {
      return inline
    }
    return try bytesInFile(
      offset: try integer(OperatorField.largeCustomOptionsOffset, of: table, default: UInt64(0)),
      size: try integer(OperatorField.largeCustomOptionsSize, of: table, default: UInt64(0)),
      what: "the custom options") ?? .empty
  }

  /// A vector of tensor indices, each checked; -1 passes where an index may be left out.
  private mutating func tensorIndices(
    _ field: FlatField, of table: FlatTable, tensorCount: Int, acceptsMissing: Bool = false
  ) throws(SchemaError) -> [Int]? {
    guard let indices = try ints(field, of: table) else { return nil }
    let lowest = acceptsMissing ? -1 : 0
    for (position, index) in indices.enumerated() where index < lowest || index >= tensorCount {
      throw SchemaError(
        .invalid, "a tensor index must lie in \(lowest) ..< \(tensorCount), got \(index)",
        location: "\(field.name)[\(position)]")
    }
    return indices
  }
}
