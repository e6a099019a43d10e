import SwiftletEngine
import SwiftletSchema

/// EMBEDDING_LOOKUP: table rows by index. A quantized table may return real numbers.
///
/// - Shapes: indices `[n]`; table `[rows, …]`; output `[n, …]`.
/// - Types: indices int32; table of every type of whole bytes to the same type, or int8, uint8, int4, or int2 with zero
///   point 0 and one scale or one scale per row to float32 or float16; int4 and int2 also with one scale per block of a
///   row.
/// - Throws: An error in a run if an index is outside the table.
/// - Source: operator 7 of the model format.
struct EmbeddingLookupOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .embeddingLookup, versions: 1...5,
      types: TypeSet.plain.types.map { TypeCombination(inputs: [.int32, TypeSet($0)], outputs: [TypeSet($0)]) }
        + .one(.int32, TypeSet([.int8, .uint8, .int4, .int2]), to: TypeSet([.float32, .float16])))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let numbers = try node.input(0)
    let table = try node.input(1)
    guard numbers.shape.rank == 1, table.shape.rank >= 2 else {
      throw node.invalid("numbers \(numbers) must be a vector and table \(table) of rank 2 or more")
    }
    return [Shape([numbers.shape[0]] + table.shape.dimensions.dropFirst())]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let table = try node.input(1)
    let output = try node.output(0)
    guard output.shape.elementCount > 0 else { return .empty }
    let rowElements = table.shape.elementCount(1..<table.shape.rank)
    if table.elementType == output.elementType {
      let bytes = rowElements &* (try node.elementBytes(ofInput: 1))
      return try rows(context, cost: Double(bytes) * 0.05) { source, row, target, item in
        moveBytes(bytes, from: source.advanced(by: row &* bytes), to: target.advanced(by: item &* bytes))
      }
    }
    let scales = try RowScales(node, table)
    switch (table.elementType, output.elementType) {
    case (.int8, .float32): return try dequantized(Int8.self, context, rowElements, scales, Float.self) { $0 }
    case (.int8, .float16):
      return try dequantized(Int8.self, context, rowElements, scales, Half.self) { Half($0) }
    case (.uint8, .float32): return try dequantized(UInt8.self, context, rowElements, scales, Float.self) { $0 }
    case (.uint8, .float16):
      return try dequantized(UInt8.self, context, rowElements, scales, Half.self) { Half($0) }
    default: throw node.invalid("cannot convert rows of \(table) to \(output.elementType.name)")
    }
  }

  private func dequantized<Code: BinaryInteger & BitwiseCopyable & Sendable, Value: BitwiseCopyable & Sendable>(
    _ quantized: Code.Type, _ context: PrepareContext, _ rowElements: Int, _ scales: RowScales, _ value: Value.Type,
    _ convert: @escaping @Sendable (Float) -> Value
  ) throws -> PreparedOperator {
    try rows(context, cost: Double(rowElements)) { source, row, target, item in
      let from = source.assumingMemoryBound(to: quantized) + row &* rowElements
      let to = target.assumingMemoryBound(to: value) + item &* rowElements
      for block in 0..<scales.blocks {
        let scale = scales.values[scales.values.count == 1 ? 0 : row &* scales.blocks &+ block]
        for index in block &* scales.size..<(block &+ 1) &* scales.size {
          to[index] = convert(Float(from[index]) * scale)
        }
      }
    }
  }

  /// Calls `body` with the table row of every item.
  private func rows(
    _ context: PrepareContext, cost: Double,
    _ body: @escaping @Sendable (UnsafeMutableRawPointer, Int, UnsafeMutableRawPointer, Int) -> Void
  ) throws -> PreparedOperator {
    let numbers = try IndexTensor(input: 0, context)
    let source = try context.inputSlot(1)
    let destination = try context.outputSlot(0)
    let rowCount = try context.node.input(1).shape[0]
    let location = context.node.node.location
    return PreparedOperator(items: try context.node.output(0).shape[0], cost: cost + 5) { run, items in
      let numbers = numbers.values(run)
      for item in items {
        let row = numbers[item]
        guard row >= 0, row < rowCount else {
          throw RuntimeError.index(row, position: item, size: rowCount, at: location)
        }
        body(run.pointer(source), row, run.pointer(destination), item)
      }
    }
  }
}

/// The scales of a quantized table: one for all rows, one per row, or one per block of a row.
private struct RowScales: Sendable {
  let values: [Float]
  /// The number of blocks in a row.
  let blocks: Int
  /// The number of elements in a block.
  let size: Int

  /// Creates the scales.
  ///
  /// - Throws: An error if there are none, or if they don't match the table.
  init(_ node: NodeView, _ table: TensorSpec) throws {
    let rowElements = table.shape.elementCount(1..<table.shape.rank)
    if let scales = try node.blockScales(ofInput: 1) {
      guard table.expandedFrom == .int4 || table.expandedFrom == .int2 else {
        throw node.invalid("table \(table) is quantized in blocks, which is supported only for int4 and int2")
      }
      (values, size) = (scales.values, scales.size)
      blocks = rowElements / size
      return
    }
    guard let quantization = table.quantization, quantization.zeroPoints.allSatisfy({ $0 == 0 }) else {
      throw node.invalid("table \(table) must be quantized with zero point 0")
    }
    guard quantization.scales.count == 1 || (quantization.scales.count == table.shape[0] && quantization.axis == 0)
    else {
      throw node.invalid("table \(table) must have one scale or one per row, got \(quantization.scales.count)")
    }
    (values, blocks, size) = (quantization.scales, 1, rowElements)
  }
}

/// HASHTABLE_LOOKUP: table rows by sorted keys, and whether the keys were found. Rows that weren't found are zero.
///
/// - Shapes: queries `[n]`; keys `[rows]`, ascending; table `[rows, …]`; outputs `[n, …]` and `[n]`.
/// - Types: queries and keys int32; table of every type of fixed size, and strings; hits uint8.
/// - Source: operator 10 of the model format.
struct HashtableLookupOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .hashtableLookup, versions: 1...1,
      types: TypeSet.movable.types.map {
        TypeCombination(inputs: [.int32, .int32, TypeSet($0)], outputs: [TypeSet($0), .uint8])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3, outputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (queries, keys, table) = (try node.input(0), try node.input(1), try node.input(2))
    guard queries.shape.rank == 1, keys.shape.rank == 1, table.shape.dimensions.first == keys.shape[0] else {
      throw node.invalid(
        "queries \(queries) and keys \(keys) must be vectors, with one key for each row of table \(table)")
    }
    return [Shape([queries.shape[0]] + table.shape.dimensions.dropFirst()), queries.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let table = try context.node.input(2).shape
    let keyCount = table[0]
    let bytes = table.elementCount(1..<table.rank) &* (try context.node.elementBytes(ofInput: 2))
    let (queries, keys, rows) = (try context.inputSlot(0), try context.inputSlot(1), try context.inputSlot(2))
    let (output, hits) = (try context.outputSlot(0), try context.outputSlot(1))
    let zero = ElementFill(0, elementBytes: 1)
    let cost = Double(bytes) * 0.05 + 30
    return PreparedOperator(items: try context.node.input(0).shape[0], cost: cost) { run, items in
      let keys = run.pointer(keys, as: Int32.self)
      for item in items {
        let query = run.pointer(queries, as: Int32.self)[item]
        var (low, high) = (0, keyCount)
        while low < high {
          let middle = (low &+ high) / 2
          if keys[middle] < query { low = middle &+ 1 } else { high = middle }
        }
        let isHit = low < keyCount && keys[low] == query
        run.pointer(hits, as: UInt8.self)[item] = isHit ? 1 : 0
        let to = run.pointer(output).advanced(by: item &* bytes)
        if isHit {
          to.copyMemory(from: run.pointer(rows).advanced(by: low &* bytes), byteCount: bytes)
        } else {
          zero.fill(to, byteCount: bytes)
        }
      }
    }
  }
}
