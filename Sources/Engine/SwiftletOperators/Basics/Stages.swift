package import SwiftletEngine

extension PreparedOperator.Stage {
  /// The longest that a tile should take: a run looks at its deadline between tiles.
  static let maximumTileNanoseconds = 10_000_000.0
  /// Stages of one node; each takes some memory and time of its own.
  private static let maximumStages = 4096

  /// Stages over `count` items that have to be taken in order because each builds on what the ones in front left in
  /// memory: a single stage where they take no longer than a tile should, otherwise as many as that takes, one behind
  /// the other.
  ///
  /// - Parameters:
  ///   - lanes: How often the items are gone through, independently of each other: by columns, for example.
  ///   - cost: The work of one item in one lane in nanoseconds, roughly.
  ///   - run: Takes the lane and the next items of it.
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

/// The columns of rows that are worked on row after row, cut into parts where rows are so long that one alone would
/// keep a thread.
struct ColumnLanes: Sendable {
  let columns: Int
  /// The number of parts.
  let count: Int

  /// Columns of a part.
  private static let longest = 1 << 20

  init(columns: Int) {
    self.columns = columns
    count = max(1, (columns + Self.longest - 1) / Self.longest)
  }

  /// The most columns of a part, as a number to work out costs with.
  var width: Double { Double(min(columns, Self.longest)) }

  /// Returns the columns of part `lane`.
  func range(_ lane: Int) -> Range<Int> {
    let start = lane &* Self.longest
    return start..<min(columns, start &+ Self.longest)
  }
}

extension PreparedOperator {
  /// Output 0 with the bytes of input 0, sharing its memory where the plan allows.
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
  /// - Throws: `limitExceeded` if the elements do not fit the limits.
  func byteCount<Element>(elements: [Int], of type: Element.Type) throws -> Int {
    let size = Shape(elements).elementCount.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !size.overflow, size.partialValue <= options.limits.arenaBytes else {
      throw RuntimeError(
        .limitExceeded, "needs memory for \(elements) elements, above the limit of \(options.limits.arenaBytes) bytes",
        location: node.node.location)
    }
    return size.partialValue
  }

  /// All tables of a program that could as well be made in its runs take at most so much memory.
  private static var optionalTableBytes: Int { 1 << 28 }
  /// How much larger than the node's tensors such a table may be, so that making it takes no longer than reading them
  /// some times.
  private static var largestTableShare: Int { 32 }

  /// Returns whether there is room for a table that can also be made in the run, piece by piece; it is then taken.
  func takesTable(bytes: Int) -> Bool {
    let specs =
      (0..<node.inputCount).compactMap { node.optionalInput($0) }
      + (0..<node.outputCount).compactMap { try? node.output($0) }
    let tensors = specs.reduce(1 << 12) { $0 + min($1.byteCount ?? 0, options.limits.tensorBytes) }
    return bytes / Self.largestTableShare <= tensors && takeTable(bytes: bytes, atMost: Self.optionalTableBytes)
  }

  /// Takes the room for something that a node keeps for its runs.
  ///
  /// - Throws: `limitExceeded` if all of the program's nodes together keep more than the limits allow.
  func requireTable<Element>(elements: [Int], of type: Element.Type) throws {
    guard takeTable(bytes: try byteCount(elements: elements, of: type), atMost: options.limits.arenaBytes) else {
      throw RuntimeError(
        .limitExceeded,
        "needs a table of \(elements) elements; with those of other operators it takes more than the limit of \(options.limits.arenaBytes) bytes",
        location: node.node.location)
    }
  }

  /// Scratch memory for as many elements as the product says.
  ///
  /// - Throws: `limitExceeded` if they do not fit the limits.
  func scratch<Element>(elements: [Int], of type: Element.Type) throws -> TensorSlot {
    try scratch(bytes: byteCount(elements: elements, of: type))
  }
}
