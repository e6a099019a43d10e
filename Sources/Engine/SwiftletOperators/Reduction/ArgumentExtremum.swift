import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// What ARG_MAX and ARG_MIN share: the position of the extreme element along one axis.
///
/// - Shapes: input 0 of rank 1 or more; input 1 holds one axis; output as input 0 without that axis.
/// - Types: float32, int8, uint8, int32, bool; positions as int32 or int64.
/// - Source: operators 56 and 79 of the model format. Among equal elements the first counts; a NaN never wins against a
///   number.
protocol ArgumentExtremumOperator: Operator {
  init()
  static var isMaximum: Bool { get }
}

extension ArgumentExtremumOperator {
  static var types: [TypeCombination] {
    [.float32, .int8, .uint8, .int32, .bool].map { (element: TypeSet) in
      TypeCombination(inputs: [element, [.int32, .int64]], outputs: [[.int32, .int64]])
    }
  }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    try node.requireIndexType(field: 0)
    self.init()
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    var shape = try node.input(0).shape
    shape.dimensions.remove(at: try axis(node))
    return [shape]
  }

  private func axis(_ node: NodeView) throws -> Int {
    let input = try node.input(0)
    let axis = try node.integer(1)
    guard let resolved = input.shape.resolvedAxis(axis) else {
      throw node.invalid("searches axis \(axis) of input \(input), which has rank \(input.shape.rank)")
    }
    return resolved
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    try node.requireOutputs(try inferShapes(node))
    let input = try node.input(0)
    switch try node.output(0).elementType {
    case .int32: return try prepare(context, input, positions: Int32.self)
    case .int64: return try prepare(context, input, positions: Int64.self)
    default: throw node.unexpectedType(try node.output(0))
    }
  }

  private func prepare<Position: FixedWidthInteger & BitwiseCopyable & Sendable>(
    _ context: PrepareContext, _ input: TensorSpec, positions: Position.Type
  ) throws -> PreparedOperator {
    switch input.elementType {
    case .float32:
      return Self.isMaximum
        ? try search(context, for: FloatMaximum(), positions) : try search(context, for: FloatMinimum(), positions)
    case .int8: return try rowsOfBytes(context, positions) ?? prepare(context, integers: Int8.self, positions)
    case .uint8, .bool: return try rowsOfBytes(context, positions) ?? prepare(context, integers: UInt8.self, positions)
    case .int32: return try prepare(context, integers: Int32.self, positions)
    default: throw context.node.unexpectedType(input)
    }
  }

  /// The search along the last axis of 8-bit elements by a kernel, `nil` for other axes.
  private func rowsOfBytes<Position: FixedWidthInteger & BitwiseCopyable & Sendable>(
    _ context: PrepareContext, _ positions: Position.Type
  ) throws -> PreparedOperator? {
    let input = try context.node.input(0)
    let axis = try axis(context.node)
    let length = input.shape[axis], rows = input.shape.elementCount(0..<axis)
    guard input.shape.elementCount((axis + 1)..<input.shape.rank) == 1, rows > 0, length > 0,
      length <= ByteKernels.longestSearchedRow, Position.bitWidth == 32 || Position.bitWidth == 64
    else { return nil }
    let source = try context.inputSlot(0), destination = try context.outputSlot(0)
    let kernels = context.kernels.bytes, isSigned = input.elementType == .int8
    // Wider positions are written to scratch first.
    let block = Position.bitWidth == 32 ? rows : 256
    context.requireWorkerScratch(bytes: Position.bitWidth == 32 ? 0 : block * MemoryLayout<Int32>.size)
    return PreparedOperator(items: rows, cost: 0.3 * Double(length) + 4) { run, range in
      let output = run.pointer(destination, as: Position.self)
      for first in stride(from: range.lowerBound, to: range.upperBound, by: block) {
        let count = min(block, range.upperBound &- first)
        let found =
          Position.bitWidth == 32 ? UnsafeMutableRawPointer(output + first) : run.workerScratch
        let places = found.assumingMemoryBound(to: Int32.self)
        kernels.positionsOfExtremes(
          isMaximum: Self.isMaximum, rows: count, columns: length, input: run.pointer(source) + first &* length,
          isSigned: isSigned, output: places)
        guard Position.bitWidth == 64 else { continue }
        for index in 0..<count { output[first &+ index] = Position(truncatingIfNeeded: places[index]) }
      }
    }
  }

  private func prepare<
    Element: FixedWidthInteger & BitwiseCopyable & Sendable, Position: FixedWidthInteger & BitwiseCopyable & Sendable
  >(_ context: PrepareContext, integers: Element.Type, _ positions: Position.Type) throws -> PreparedOperator {
    Self.isMaximum
      ? try search(context, for: IntegerMaximum<Element>(), positions)
      : try search(context, for: IntegerMinimum<Element>(), positions)
  }

  /// Finds the extreme value first, then the first element that has it: both loops work on vectors, a search that
  /// remembers positions does not.
  private func search<Rule: ReductionRule, Position: FixedWidthInteger & BitwiseCopyable & Sendable>(
    _ context: PrepareContext, for rule: Rule, _ positions: Position.Type
  ) throws -> PreparedOperator where Rule.Element == Rule.Accumulator, Rule.Element: Equatable {
    let node = context.node
    let input = try node.input(0)
    let axis = try axis(node)
    let length = input.shape[axis]
    let inner = input.shape.elementCount((axis + 1)..<input.shape.rank)
    let outer = input.shape.elementCount(0..<axis)
    guard outer > 0, inner > 0 else { return .empty }
    guard length > 0 else { throw node.invalid("searches axis \(axis) of input \(input), which is empty") }
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    if inner == 1 {
      return PreparedOperator(items: outer, cost: 0.4 * Double(length) + 3) { run, range in
        let output = run.pointer(destination, as: Position.self)
        for item in range {
          let elements = UnsafePointer(run.pointer(source, as: Rule.Element.self)) + item &* length
          let best = rule.combine(run: elements, count: length)
          output[item] = Position(truncatingIfNeeded: Self.firstPosition(of: best, in: elements, count: length))
        }
      }
    }
    context.requireWorkerScratch(bytes: Self.columnsPerItem * MemoryLayout<Rule.Element>.stride)
    let pieces = (inner + Self.columnsPerItem - 1) / Self.columnsPerItem
    let width = (inner + pieces - 1) / pieces
    return PreparedOperator(items: outer * pieces, cost: 0.8 * Double(length) * Double(width) + 5) { run, range in
      for item in range {
        let (block, piece) = item.quotientAndRemainder(dividingBy: pieces)
        let first = piece &* width
        let elements = run.pointer(source, as: Rule.Element.self) + (block &* length &* inner &+ first)
        Self.searchColumns(
          UnsafePointer(elements), rows: length, stride: inner, count: min(width, inner &- first), for: rule,
          best: run.workerScratch.assumingMemoryBound(to: Rule.Element.self),
          positions: run.pointer(destination, as: Position.self) + (block &* inner &+ first))
      }
    }
  }

  /// Columns are searched in pieces of this many, so that the best values stay in the first cache.
  private static var columnsPerItem: Int { 1024 }

  @inline(__always)
  private static func searchColumns<Rule: ReductionRule, Position: FixedWidthInteger & BitwiseCopyable & Sendable>(
    _ elements: UnsafePointer<Rule.Element>, rows: Int, stride distance: Int, count: Int, for rule: Rule,
    best: UnsafeMutablePointer<Rule.Element>, positions: UnsafeMutablePointer<Position>
  ) where Rule.Element == Rule.Accumulator, Rule.Element: Equatable {
    for column in 0..<max(count, 0) {
      best[column] = rule.begin(elements[column])
      positions[column] = 0
    }
    for row in 1..<max(rows, 1) {
      let values = elements + row &* distance
      for column in 0..<max(count, 0) { best[column] = rule.combine(best[column], values[column]) }
    }
    // Backwards, so that the first of equal elements is the one that stays.
    for row in stride(from: rows &- 1, through: 0, by: -1) {
      let values = elements + row &* distance
      let position = Position(truncatingIfNeeded: row)
      for column in 0..<max(count, 0) where values[column] == best[column] { positions[column] = position }
    }
  }

  /// Runs up to this long are searched to their end without a branch per element; longer ones until the value is found.
  private static var shortRun: Int { 64 }

  /// The first of `count` elements equal to `value`; 0 when none is, for all may be NaN.
  @inline(__always)
  private static func firstPosition<Element: Equatable>(
    of value: Element, in elements: UnsafePointer<Element>, count: Int
  ) -> Int {
    if count > shortRun {
      var position = 0
      while position < count, elements[position] != value { position &+= 1 }
      return position < count ? position : 0
    }
    var first = Int32.max
    for position in 0..<Int32(truncatingIfNeeded: count) {
      let candidate = elements[Int(position)] == value ? position : .max
      first = candidate < first ? candidate : first
    }
    return first == .max ? 0 : Int(first)
  }
}
