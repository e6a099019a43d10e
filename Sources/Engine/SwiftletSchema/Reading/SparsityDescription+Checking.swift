import SwiftletBase

extension SparsityDescription {
  /// Validates the description against the dense shape, and returns the number of stored elements.
  ///
  /// After this check, a traversal of the levels stays inside the stored values and inside the dense tensor.
  ///
  /// - Throws: `SchemaError` that names the level that contradicts the shape.
  package func checkedStoredElementCount(denseShape shape: [Int]) throws(SchemaError) -> Int {
    let sizes = try levelSizes(denseShape: shape)
    var count = 1
    for (level, dimension) in dimensions.enumerated() {
      let size = sizes[level]
      count = try locating("dim_metadata[\(level)]") { () throws(SchemaError) in
        switch dimension {
        case .dense(let denseSize):
          guard denseSize == size else {
            throw SchemaError(.invalid, "the dense level must have size \(size), got \(denseSize)")
          }
          let (product, overflow) = count.multipliedReportingOverflow(by: size)
          guard !overflow, product <= Int(Int32.max) else {
            throw SchemaError(.limitExceeded, "the sparse tensor stores more than 2^31 - 1 elements")
          }
          return product
        case .sparse(let segments, let indices):
          try Self.check(segments: segments, indices: indices, parentCount: count, size: size)
          return indices.count
        }
      }
    }
    return count
  }

  private static func check(
    segments: [Int], indices: [Int], parentCount: Int, size: Int
  ) throws(SchemaError) {
    guard segments.count - 1 == parentCount, segments.first == 0, segments.last == indices.count else {
      throw SchemaError(
        .invalid,
        """
        the segments must be \(parentCount) + 1 numbers from 0 to the \(indices.count) indices, got \(segments.count) \
        from \(segments.first ?? 0) to \(segments.last ?? 0)
        """
      )
    }
    for (index, pair) in zip(segments, segments.dropFirst()).enumerated() where pair.0 > pair.1 {
      throw SchemaError(
        .invalid, "the segments must not fall, got \(pair.0) then \(pair.1) at \(index)")
    }
    if let index = indices.first(where: { !(0..<size).contains($0) }) {
      throw SchemaError(.invalid, "an index must be in 0 ..< \(size), got \(index)")
    }
  }

  /// Returns the size of each level in traversal order: blocked dimensions divided by their block, then the blocks.
  private func levelSizes(denseShape shape: [Int]) throws(SchemaError) -> [Int] {
    let rank = shape.count
    let levels = rank + blockMap.count
    guard traversalOrder.count == levels, dimensions.count == levels,
      traversalOrder.prefix(rank).sorted() == Array(0..<rank),
      traversalOrder.dropFirst(rank).sorted() == Array(rank..<levels)
    else {
      throw SchemaError(
        .invalid,
        """
        the traversal order of rank \(rank) with \(blockMap.count) blocks must permute first the dimensions, then the \
        blocks, one level each; got \(traversalOrder.excerpt) and \(dimensions.count) levels
        """
      )
    }
    guard blockMap.allSatisfy(shape.indices.contains), Set(blockMap).count == blockMap.count else {
      throw SchemaError(
        .invalid, "the block map must name different dimensions of the shape \(shape), got \(blockMap.excerpt)")
    }
    var expanded = shape + Array(repeating: 0, count: blockMap.count)
    for level in rank..<levels {
      let block = traversalOrder[level]
      let blocked = blockMap[block - rank]
      guard case .dense(let blockSize) = dimensions[level], blockSize > 0, shape[blocked] % blockSize == 0 else {
        throw SchemaError(
          .invalid, "block \(block - rank) must be dense, and its size must divide dimension \(blocked) of \(shape)",
          location: "dim_metadata[\(level)]")
      }
      expanded[block] = blockSize
      expanded[blocked] = shape[blocked] / blockSize
    }
    return traversalOrder.map { expanded[$0] }
  }
}
