import SwiftletEngine
import SwiftletSchema

/// RANGE: numbers from start to limit, without limit, in steps of delta.
///
/// - Shapes: three scalars; output a vector whose length follows from their values.
/// - Types: float32, int32, int64.
/// - Source: operator 96 of the model format. Floats are added up step by step, as the reference does.
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
      throw node.invalid("there is no range from \(start) to \(limit) in steps of \(delta)")
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
        throw node.invalid("input \(index) \(try node.input(index)) must hold one element")
      }
      return bytes.loadUnaligned(as: Float.self)
    }
    let (start, limit, delta) = (values[0], values[1], values[2])
    let count = abs((limit - start) / delta).rounded(.up)
    guard delta != 0, (start <= limit && delta > 0) || (start >= limit && delta < 0), count < 0x1p40 else {
      throw node.invalid("there is no range from \(start) to \(limit) in steps of \(delta)")
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
