package import SwiftletEngine

extension PreparedOperator.Stage {
  /// The maximum time for a tile, because a run checks its deadline between tiles.
  static let maximumTileNanoseconds = 10_000_000.0
  /// The maximum number of stages of one node. Each stage has a memory and time overhead.
  private static let maximumStages = 4096

  /// Returns stages over `count` items that must run in order, because each depends on the memory written by the
  /// previous ones. There is a single stage if it takes no longer than a tile may; otherwise, there are as many
  /// consecutive stages as necessary.
  ///
  /// - Parameters:
  ///   - lanes: The number of independent iterations over the items, for example by column.
  ///   - cost: The approximate work of one item in one lane in nanoseconds.
  ///   - run: Runs the next items of a lane.
  static func inOrder(
    lanes: Int = 1, items count: Int, cost: Double,
    run: @escaping @Sendable (_ context: RunContext, _ lane: Int, _ items: Range<Int>) throws -> Void
  ) -> [PreparedOperator.Stage] {
    guard count > 0, lanes > 0 else { return [] }
    let work = cost * Double(count)
    let parts = min(count, maximumStages, max(1, Int(min(work / maximumTileNanoseconds, 1e9))))
    return (0..<parts).map { part in
      let items = Self.part(part, of: count, parts: parts)
      return PreparedOperator.Stage(tileCount: lanes, work: work * Double(lanes) / Double(parts)) { context, lane in
        try run(context, lane, items)
      }
    }
  }
}

/// The columns of rows that must be processed in order, divided into parts if a single row would take too long.
struct ColumnLanes: Sendable {
  let columns: Int
  /// The number of parts.
  let count: Int

  /// The maximum number of columns in a part.
  private static let longest = 1 << 20

  init(columns: Int) {
    self.columns = columns
    count = max(1, (columns + Self.longest - 1) / Self.longest)
  }

  /// The maximum number of columns in a part, as a number for cost estimates.
  var width: Double { Double(min(columns, Self.longest)) }

  /// Returns the columns of part `lane`.
  func range(_ lane: Int) -> Range<Int> {
    let start = lane &* Self.longest
    return start..<min(columns, start &+ Self.longest)
  }
}

extension PreparedOperator {
  /// Copies input 0 to output 0, or shares its memory if the plan allows it.
  package static func copy(_ context: PrepareContext) throws -> PreparedOperator {
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let spec = try context.node.output(0)
    guard let bytes = spec.storedByteCount, try context.node.input(0).storedByteCount == bytes else {
      throw context.node.invalid("input and output differ in size")
    }
    context.uses("copy", .none)
    let stage = Stage(items: bytes, cost: 0.1) { run, range in
      run.pointer(destination).advanced(by: range.lowerBound)
        .copyMemory(from: run.pointer(source).advanced(by: range.lowerBound), byteCount: range.count)
    }
    return PreparedOperator(stages: [stage], sharesMemoryWithInput: 0)
  }
}

extension PreparedOperator {
  /// Returns an output filled with zero bytes.
  package static func zeros(_ context: PrepareContext, output: Int = 0) throws -> PreparedOperator {
    let destination = try context.outputSlot(output)
    let spec = try context.node.output(output)
    guard let bytes = spec.storedByteCount else { throw context.node.invalid("output \(spec) has no fixed size") }
    return PreparedOperator(items: bytes, cost: 0.05) { run, range in
      (run.pointer(destination) + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count)
    }
  }
}

extension PreparedOperator.Stage {
  /// Transposes `matrices` matrices of `rows × columns` elements into `output`.
  static func transposing<Element: BitwiseCopyable & Sendable>(
    _ input: TensorSlot, of type: Element.Type, matrices: Int, rows: Int, columns: Int, into output: TensorSlot
  ) -> PreparedOperator.Stage {
    let lanes = ColumnLanes(columns: rows)
    return PreparedOperator.Stage(items: matrices * columns * lanes.count, cost: lanes.width) { run, range in
      let source = run.pointer(input, as: type), destination = run.pointer(output, as: type)
      for item in range {
        let (line, lane) = lanes.count == 1 ? (item, 0) : item.quotientAndRemainder(dividingBy: lanes.count)
        let from = source + (line / columns &* rows &* columns &+ line % columns)
        let to = destination + line &* rows
        for row in lanes.range(lane) { to[row] = from[row &* columns] }
      }
    }.touching(reads: [input], writes: [output])
  }
}

extension PrepareContext {
  /// Returns the size of the elements in bytes.
  ///
  /// - Throws: `limitExceeded` if the elements exceed the limits.
  func byteCount<Element>(elements: [Int], of type: Element.Type) throws -> Int {
    let size = Shape(elements).elementCount.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !size.overflow, size.partialValue <= options.limits.arenaBytes else {
      throw RuntimeError(
        .limitExceeded, "needs memory for \(elements) elements, above the limit of \(options.limits.arenaBytes) bytes",
        location: node.node.location)
    }
    return size.partialValue
  }

  /// The maximum total size of the optional tables of a program. Without a table, its contents are computed in every
  /// run.
  private static var optionalTableBytes: Int { 1 << 28 }
  /// The maximum size of an optional table relative to the node's tensors. Creating a larger table would take longer
  /// than reading the tensors a few times.
  private static var largestTableShare: Int { 32 }

  /// Returns whether there is room for an optional table, and reserves it. Without the table, its contents are computed
  /// piece by piece in the run.
  func takesTable(bytes: Int) -> Bool {
    let specs =
      (0..<node.inputCount).compactMap { node.optionalInput($0) }
      + (0..<node.outputCount).compactMap { try? node.output($0) }
    let tensors = specs.reduce(1 << 12) { $0 + min($1.byteCount ?? 0, options.limits.tensorBytes) }
    return bytes / Self.largestTableShare <= tensors && takeTable(bytes: bytes, atMost: Self.optionalTableBytes)
  }

  /// Reserves memory for data that a node keeps for its runs.
  ///
  /// - Throws: `limitExceeded` if the program's nodes together keep more than the limits allow.
  func requireTable<Element>(elements: [Int], of type: Element.Type) throws {
    guard takeTable(bytes: try byteCount(elements: elements, of: type), atMost: options.limits.arenaBytes) else {
      throw RuntimeError(
        .limitExceeded,
        "needs a table of \(elements) elements; with those of other operators it takes more than the limit of \(options.limits.arenaBytes) bytes",
        location: node.node.location)
    }
  }

  /// Returns scratch memory for a number of elements, given as factors of a product.
  ///
  /// - Throws: `limitExceeded` if the memory exceeds the limits.
  func scratch<Element>(elements: [Int], of type: Element.Type) throws -> TensorSlot {
    try scratch(bytes: byteCount(elements: elements, of: type))
  }
}
