import SwiftletEngine
import SwiftletSchema

/// BUCKETIZE: for every element, the number of boundaries that aren't above it.
///
/// - Types: input float32, float64, int32, or int64; output int32.
/// - Source: operator 147 of the model format. The boundaries are float32, and integers are compared as integers.
struct BucketizeOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .bucketize, versions: 1...1, types: .one(TypeSet([.float32, .float64, .int32, .int64]), to: .int32))
  }

  private let boundaries: [Float]

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    boundaries = try node.options[BucketizeOptions.boundaries]
    guard zip(boundaries, boundaries.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      throw node.invalid("has boundaries that are not ascending")
    }
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.input(0).shape] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .float32: try counting(Float.self, context) { $0 < $1 }
    case .float64: try counting(Double.self, context) { $0 < Double($1) }
    case .int32: try counting(Int32.self, context) { Float($0) < $1 }
    default: try counting(Int64.self, context) { Float($0) < $1 }
    }
  }

  private func counting<Element: BitwiseCopyable & Sendable>(
    _ type: Element.Type, _ context: PrepareContext, isBelow: @escaping @Sendable (Element, Float) -> Bool
  ) throws -> PreparedOperator {
    let (source, output) = (try context.inputSlot(0), try context.outputSlot(0))
    let boundaries = boundaries
    return PreparedOperator(items: try context.node.input(0).shape.elementCount, cost: 10) { run, items in
      for item in items {
        let value = run.pointer(source, as: type)[item]
        var (low, high) = (0, boundaries.count)
        while low < high {
          let middle = (low &+ high) / 2
          if isBelow(value, boundaries[middle]) { high = middle } else { low = middle &+ 1 }
        }
        run.pointer(output, as: Int32.self)[item] = Int32(truncatingIfNeeded: low)
      }
    }
  }
}
