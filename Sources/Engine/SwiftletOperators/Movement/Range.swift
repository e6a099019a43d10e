import SwiftletEngine
import SwiftletSchema

/// RANGE: the numbers from start to limit, excluding limit, in steps of delta.
///
/// - Shapes: three scalars; output a vector whose length depends on their values.
/// - Types: float32, int32, int64.
/// - Source: operator 96 of the model format. Floats are accumulated step by step, as in the reference.
struct RangeOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.range, versions: 1...2, types: .uniform([.float32, .int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    if try node.input(0).elementType == .float32 { return [[try floatCount(node)]] }
    let (start, limit, delta) = (try node.integer(0), try node.integer(1), try node.integer(2))
    let (distance, overflow) = limit.subtractingReportingOverflow(start)
    guard !overflow, delta != 0, distance == 0 || (distance > 0) == (delta > 0) else {
      throw node.invalid("the range from \(start) to \(limit) in steps of \(delta) is endless or too long")
    }
    let (quotient, rest) = distance.magnitude.quotientAndRemainder(dividingBy: delta.magnitude)
    guard let count = Int(exactly: quotient &+ (rest == 0 ? 0 : 1)) else {
      throw node.invalid("the range from \(start) to \(limit) in steps of \(delta) is too long")
    }
    return [[count]]
  }

  private func floatCount(_ node: NodeView) throws -> Int {
    let values = try (0..<3).map { index in
      let bytes = try node.data(index)
      guard bytes.count >= 4, try node.input(index).shape.elementCount == 1 else {
        throw node.invalid("input \(index) \(try node.input(index)) must contain one element")
      }
      return bytes.loadUnaligned(as: Float.self)
    }
    let (start, limit, delta) = (values[0], values[1], values[2])
    let count = abs((limit - start) / delta).rounded(.up)
    guard delta != 0, (start <= limit && delta > 0) || (start >= limit && delta < 0), count < 0x1p40 else {
      throw node.invalid("the range from \(start) to \(limit) in steps of \(delta) is endless or too long")
    }
    return Int(count)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let count = try context.node.output(0).shape.elementCount
    switch try context.node.output(0).elementType {
    case .float32: return try steps(Float.self, count, context) { $0 + $1 }
    case .int32: return try steps(Int32.self, count, context) { $0 &+ $1 }
    default: return try steps(Int64.self, count, context) { $0 &+ $1 }
    }
  }

  private func steps<Element: BitwiseCopyable & Sendable>(
    _ type: Element.Type, _ count: Int, _ context: PrepareContext,
    adding: @escaping @Sendable (Element, Element) -> Element
  ) throws -> PreparedOperator {
    let (start, delta, output) = (try context.inputSlot(0), try context.inputSlot(2), try context.outputSlot(0))
    return PreparedOperator(
      stages: PreparedOperator.Stage.inOrder(items: count, cost: 1.5) { run, _, items in
        let elements = run.pointer(output, as: type)
        let step = run.pointer(delta, as: type).pointee
        let first = items.lowerBound
        var value = first == 0 ? run.pointer(start, as: type).pointee : adding(elements[first &- 1], step)
        for index in items {
          elements[index] = value
          value = adding(value, step)
        }
      })
  }
}

/// CUMSUM: the cumulative sum along an axis.
///
/// - Shapes: data of rank 1 or more; axis one element.
/// - Types: data float32, int32, or int64; axis int32.
/// - Source: operator 128 of the model format.
struct CumsumOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .cumsum, versions: 1...1, types: .uniform([.float32, .int32, .int64], then: .int32))
  }

  /// Whether a sum excludes the element at its own step.
  private let isExclusive: Bool
  /// Whether sums start at the end.
  private let isReverse: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    isExclusive = try node.options[CumsumOptions.exclusive]
    isReverse = try node.options[CumsumOptions.reverse]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    _ = try node.axis(node.integer(1), of: input)
    return [input.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .float32: try summing(Float.self, zero: 0, context) { $0 + $1 }
    case .int32: try summing(Int32.self, zero: 0, context) { $0 &+ $1 }
    default: try summing(Int64.self, zero: 0, context) { $0 &+ $1 }
    }
  }

  private func summing<Element: BitwiseCopyable & Sendable>(
    _ type: Element.Type, zero: Element, _ context: PrepareContext,
    adding: @escaping @Sendable (Element, Element) -> Element
  ) throws -> PreparedOperator {
    let input = try context.node.input(0)
    guard input.shape.elementCount > 0 else { return .empty }
    let axis = try context.node.axis(context.node.integer(1), of: input)
    let steps = input.shape[axis]
    let inner = input.shape.elementCount((axis + 1)..<input.shape.rank)
    let (source, destination) = (try context.inputSlot(0), try context.outputSlot(0))
    let (isExclusive, isReverse) = (isExclusive, isReverse)
    let blocks = input.shape.elementCount(0..<axis)
    @Sendable func sum(_ run: RunContext, block: Int, steps part: Range<Int>, columns: Range<Int>) {
      let from = run.pointer(source, as: type) + block &* steps &* inner
      let to = run.pointer(destination, as: type) + block &* steps &* inner
      for step in part {
        let row = (isReverse ? steps &- 1 &- step : step) &* inner
        let previous = isReverse ? row &+ inner : row &- inner
        let added = isExclusive ? previous : row
        for index in columns {
          // The first exclusive sum is empty.
          let term = isExclusive && step == 0 ? zero : from[added &+ index]
          to[row &+ index] = step == 0 ? term : adding(to[previous &+ index], term)
        }
      }
    }
    guard Double(steps * inner) > PreparedOperator.Stage.maximumTileNanoseconds else {
      return PreparedOperator(items: blocks, cost: Double(steps * inner)) { run, blocks in
        for block in blocks { sum(run, block: block, steps: 0..<steps, columns: 0..<inner) }
      }
    }
    let lanes = ColumnLanes(columns: inner)
    return PreparedOperator(
      stages: PreparedOperator.Stage.inOrder(lanes: blocks * lanes.count, items: steps, cost: lanes.width * 1.2) {
        run, lane, part in
        sum(run, block: lane / lanes.count, steps: part, columns: lanes.range(lane % lanes.count))
      })
  }
}
