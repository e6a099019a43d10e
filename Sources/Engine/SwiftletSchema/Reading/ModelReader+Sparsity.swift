import SwiftletFlatBuffers

extension ModelReader {
  /// How the tensor's stored values spread over its shape, or `nil` for a dense tensor.
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

  /// A vector of indices in one of its three widths.
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
