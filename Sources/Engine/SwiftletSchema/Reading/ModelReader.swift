package import SwiftletBase
import SwiftletFlatBuffers

extension ModelFile {
  /// Creates a model from a `.tflite` file, which is validated.
  ///
  /// The reader validates everything that doesn't depend on the operators: the structure, every index, the size of
  /// constants against type and shape, quantization, sparsity, the order of operators, and that subgraphs don't call
  /// themselves. Operators of an unknown kind and their options are kept, so that tools can name them.
  ///
  /// - Parameters:
  ///   - bytes: The whole file. The result keeps it alive, and constants aren't copied.
  ///   - limits: The limits on the file.
  /// - Throws: `SchemaError` that describes the problem and its location.
  /// - Complexity: O(n) in the number of tensors, operators, and index vector elements. Constants aren't read, with two
  ///   exceptions: string tensors, and data that is misaligned for its element type, which is copied. A model inside a
  ///   bundle may start at any address.
  package init(_ bytes: ByteRegion, limits: ModelLimits = .default) throws(SchemaError) {
    if let reason = FileKind.reasonNotAModel(bytes) { throw reason }
    var reader = ModelReader(file: bytes, limits: limits)
    self = try reader.model()
  }
}

/// The address range of bytes in memory.
struct ByteRange: Hashable {
  var start: UInt
  var count: Int

  init(_ region: ByteRegion) {
    start = UInt(bitPattern: region.bytes.baseAddress)
    count = region.count
  }
}

/// A reader that converts the tables of a model file to values, with one method per table.
struct ModelReader: TableReader {
  static let identifier = "TFL3"
  static let supportedVersion = 3

  let file: ByteRegion
  let limits: ModelLimits
  var budget: FlatBufferBudget
  var operatorCodes: [OperatorCode] = []
  /// The bytes of each entry of the buffer table; `nil` for entries without data.
  var buffers: [ByteRegion?] = []
  var externalBufferNames: [Int: String] = [:]
  /// Copies of buffers that aren't aligned for their element type, by buffer index.
  var alignedBuffers: [Int: ByteRegion] = [:]
  /// The number of strings in each validated payload, by address range. Tensors and buffers may share payloads.
  var checkedStrings: [ByteRange: Int] = [:]
  /// The remaining number of bytes that may be copied for alignment. Buffers may share bytes, so counting buffers isn't
  /// enough.
  var remainingAlignedBytes: Int

  init(file: ByteRegion, limits: ModelLimits) {
    self.file = file
    self.limits = limits
    budget = FlatBufferBudget(limits: limits.flatBuffer, byteCount: file.count)
    remainingAlignedBytes = file.count
  }

  mutating func model() throws(SchemaError) -> ModelFile {
    let file = file
    let root = try read { (budget) throws(FlatBufferError) in
      try FlatTable(rootOf: file, identifier: Self.identifier, budget: &budget)
    }
    let version = try read { (_) throws(FlatBufferError) in try root.integer(ModelField.version, default: UInt32(0)) }
    guard version == Self.supportedVersion else {
      throw SchemaError(
        .unsupported, "the model has schema version \(version); version \(Self.supportedVersion) is supported",
        location: ModelField.version.name)
    }
    operatorCodes = try operatorCodes(root)
    buffers = try buffers(root)
    externalBufferNames = try externalBufferNames(root)
    var subgraphs = try subgraphs(root)
    let signatures = try signatures(root, subgraphs: subgraphs)
    let calls = try SubgraphCallGraph(subgraphs, depthLimit: limits.callDepth)
    try OptionSharing.check(subgraphs, fileByteCount: file.count)
    try DataFlow.check(&subgraphs, runnable: calls.reachable(from: [0] + signatures.map(\.subgraph)))
    return ModelFile(
      bytes: file,
      version: Int(version),
      description: try read { (budget) throws(FlatBufferError) in
        try root.string(ModelField.description, budget: &budget)
      },
      operatorCodes: operatorCodes,
      subgraphs: subgraphs,
      signatures: signatures,
      metadata: try metadata(root))
  }

  /// Returns the part of the file at a 64-bit offset and size outside the FlatBuffer; `nil` for placeholder offsets.
  func bytesInFile(offset: UInt64, size: UInt64, what: String) throws(SchemaError) -> ByteRegion? {
    // Writers store 0 or 1 to reserve the field before they know the offset.
    guard offset > 1 else { return nil }
    guard let start = Int(exactly: offset), let count = Int(exactly: size),
      let region = file.slice(offset: start, count: count)
    else {
      throw SchemaError(
        .truncated,
        """
        \(what) lie at bytes \(offset) ..< \(offset) + \(size) of the file, which has only \(file.count) bytes; fetch \
        it again
        """
      )
    }
    return region
  }

  // MARK: Tables of the model

  private mutating func operatorCodes(_ root: FlatTable) throws(SchemaError) -> [OperatorCode] {
    try values(ModelField.operatorCodes, of: root) { (reader, table) throws(SchemaError) in
      try reader.operatorCode(table)
    }
  }

  private mutating func operatorCode(_ table: FlatTable) throws(SchemaError) -> OperatorCode {
    let version = Int(try integer(OperatorCodeField.version, of: table, default: Int32(1)))
    // Old files store the code in one byte. Newer files put a placeholder there if the code doesn't fit.
    let code = max(
      Int32(try integer(OperatorCodeField.deprecatedBuiltinCode, of: table, default: Int8(0))),
      try integer(OperatorCodeField.builtinCode, of: table, default: Int32(0)))
    guard let builtin = BuiltinOperator(rawValue: code) else {
      return OperatorCode(kind: .custom(OperatorKind.unknownBuiltinPrefix + "\(code)"), version: version)
    }
    guard builtin == .custom else { return OperatorCode(kind: .builtin(builtin), version: version) }
    guard let name = try string(OperatorCodeField.customCode, of: table), !name.isEmpty else {
      throw SchemaError(.invalid, "a custom operator must have a name, got none")
    }
    return OperatorCode(kind: .custom(name), version: version)
  }

  private mutating func buffers(_ root: FlatTable) throws(SchemaError) -> [ByteRegion?] {
    try values(ModelField.buffers, of: root) { (reader, table) throws(SchemaError) in try reader.buffer(table) }
  }

  private mutating func buffer(_ table: FlatTable) throws(SchemaError) -> ByteRegion? {
    if let data = try read({ (_) throws(FlatBufferError) in try table.bytes(BufferField.data) }) { return data }
    return try bytesInFile(
      offset: try integer(BufferField.offset, of: table, default: UInt64(0)),
      size: try integer(BufferField.size, of: table, default: UInt64(0)),
      what: "the buffer's bytes")
  }

  /// Returns the file name of each external buffer, by buffer ID.
  private mutating func externalBufferNames(_ root: FlatTable) throws(SchemaError) -> [Int: String] {
    let idField = FlatField(0, "id")
    let groupField = FlatField(1, "group")
    let nameField = FlatField(0, "name")
    var groups: [String] = []
    for table in try tables(ModelField.externalBufferGroups, of: root) {
      groups.append(try string(nameField, of: table) ?? "")
    }
    var names: [Int: String] = [:]
    for table in try tables(ModelField.externalBuffers, of: root) {
      let group = Int(try integer(groupField, of: table, default: UInt32(0)))
      names[Int(try integer(idField, of: table, default: UInt32(0)))] =
        groups.indices.contains(group) ? groups[group] : ""
    }
    return names
  }

  private mutating func subgraphs(_ root: FlatTable) throws(SchemaError) -> [Subgraph] {
    let subgraphs = try values(ModelField.subgraphs, of: root) { (reader, table) throws(SchemaError) in
      try reader.subgraph(table)
    }
    guard !subgraphs.isEmpty else {
      throw SchemaError(
        .invalid, "the model has no subgraphs, so there is nothing to run", location: ModelField.subgraphs.name)
    }
    return subgraphs
  }

  // MARK: Signatures and metadata

  /// Returns the signatures whose subgraph and tensors exist. Other signatures can't be used and are omitted.
  private mutating func signatures(_ root: FlatTable, subgraphs: [Subgraph]) throws(SchemaError) -> [Signature] {
    let signatures = try values(ModelField.signatures, of: root) { (reader, table) throws(SchemaError) in
      Signature(
        key: try reader.string(SignatureField.key, of: table) ?? "",
        subgraph: try reader.uint(SignatureField.subgraph, of: table),
        inputs: try reader.signatureEntries(SignatureField.inputs, of: table),
        outputs: try reader.signatureEntries(SignatureField.outputs, of: table))
    }
    return signatures.filter { signature in
      guard !signature.key.isEmpty, subgraphs.indices.contains(signature.subgraph) else { return false }
      let tensors = subgraphs[signature.subgraph].tensors.indices
      return (signature.inputs + signature.outputs).allSatisfy { tensors.contains($0.tensor) }
    }
  }

  private mutating func signatureEntries(
    _ field: FlatField, of table: FlatTable
  ) throws(SchemaError) -> [Signature.Entry] {
    try values(field, of: table) { (reader, entry) throws(SchemaError) in
      Signature.Entry(
        name: try reader.string(TensorMapField.name, of: entry) ?? "",
        tensor: try reader.uint(TensorMapField.tensor, of: entry))
    }
  }

  /// Returns the named blobs of the model. Entries without a name or without an existing buffer are omitted.
  private mutating func metadata(_ root: FlatTable) throws(SchemaError) -> [MetadataEntry] {
    let entries = try values(ModelField.metadata, of: root) {
      (reader, table) throws(SchemaError) -> MetadataEntry? in
      let name = try reader.string(MetadataField.name, of: table)
      let buffer = try reader.uint(MetadataField.buffer, of: table)
      guard let name, reader.buffers.indices.contains(buffer) else { return nil }
      return MetadataEntry(name: name, data: reader.buffers[buffer] ?? .empty)
    }
    return entries.compactMap { $0 }
  }
}

extension ModelReader {
  /// Returns the mapping of the tensor's stored values to its shape, or `nil` for a dense tensor.
  mutating func sparsity(of tensorTable: FlatTable) throws(SchemaError) -> SparsityDescription? {
    guard let table = try table(TensorField.sparsity, of: tensorTable) else { return nil }
    return try locating(TensorField.sparsity.name) { () throws(SchemaError) in
      let dimensions = try values(SparsityField.dimensions, of: table) { (reader, dimension) throws(SchemaError) in
        try reader.sparseDimension(dimension)
      }
      return SparsityDescription(
        traversalOrder: try ints(SparsityField.traversalOrder, of: table) ?? [],
        blockMap: try ints(SparsityField.blockMap, of: table) ?? [],
        dimensions: dimensions)
    }
  }

  private mutating func sparseDimension(_ table: FlatTable) throws(SchemaError) -> SparsityDescription.Dimension {
    switch try integer(SparseDimensionField.format, of: table, default: Int8(0)) {
    case 0:
      return .dense(size: try int(SparseDimensionField.denseSize, of: table))
    case 1:
      return .sparse(
        segments: try indexVector(
          tag: SparseDimensionField.segmentsTag, value: SparseDimensionField.segments, of: table),
        indices: try indexVector(
          tag: SparseDimensionField.indicesTag, value: SparseDimensionField.indices, of: table))
    case let format:
      throw SchemaError(
        .unsupported, "the format of a sparse dimension must be 0 (dense) or 1 (compressed), got \(format)")
    }
  }

  /// Returns a vector of indices, which has one of three element widths.
  private mutating func indexVector(
    tag tagField: FlatField, value valueField: FlatField, of table: FlatTable
  ) throws(SchemaError) -> [Int] {
    let union = try read { (budget) throws(FlatBufferError) in
      try table.union(tag: tagField, value: valueField, knownTags: 1...3, budget: &budget)
    }
    guard let tag = union?.tag, let vector = union?.table else {
      throw SchemaError(
        .invalid, "a compressed dimension must have segments and indices of a known width", location: valueField.name)
    }
    let values = try read { (budget) throws(FlatBufferError) in
      switch tag {
      case 1: try vector.integers(SparseDimensionField.values, storedAs: Int32.self, budget: &budget)
      case 2: try vector.integers(SparseDimensionField.values, storedAs: UInt16.self, budget: &budget)
      default: try vector.integers(SparseDimensionField.values, storedAs: UInt8.self, budget: &budget)
      }
    }
    return values ?? []
  }
}

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
    // Writers omit empty lists. The engine checks how many inputs and outputs an operator must have.
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

  /// Returns a vector of validated tensor indices. An index may be -1 if it is optional.
  private mutating func tensorIndices(
    _ field: FlatField, of table: FlatTable, tensorCount: Int, acceptsMissing: Bool = false
  ) throws(SchemaError) -> [Int]? {
    guard let indices = try ints(field, of: table) else { return nil }
    let lowest = acceptsMissing ? -1 : 0
    for (position, index) in indices.enumerated() where index < lowest || index >= tensorCount {
      throw SchemaError(
        .invalid, "a tensor index must be in \(lowest) ..< \(tensorCount), got \(index)",
        location: "\(field.name)[\(position)]")
    }
    return indices
  }
}
