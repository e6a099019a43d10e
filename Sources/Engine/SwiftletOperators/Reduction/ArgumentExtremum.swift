import SwiftletEngine
import SwiftletSchema

/// The common part of ARG_MAX and ARG_MIN: the position of the extreme element along one axis.
///
/// - Shapes: input 0 of rank 1 or more; input 1 contains one axis; output like input 0 without that axis.
/// - Types: float32, int8, uint8, int32, bool; positions as int32 or int64.
/// - Source: operators 56 and 79 of the model format. The first of equal elements is returned. A number always takes
///   precedence over NaN.
protocol ArgumentExtremumOperator: Operator {
  init()
  static var isMaximum: Bool { get }
  /// The option for the type of positions.
  static var positionType: OptionField<ElementType> { get }
}

extension ArgumentExtremumOperator {
  static var types: [TypeCombination] {
    [.float32, .int8, .uint8, .int32, .bool].map { (element: TypeSet) in
      TypeCombination(inputs: [element, [.int32, .int64]], outputs: [[.int32, .int64]])
    }
  }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    try node.requireIndexType(field: Self.positionType)
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
    return try ArgumentSearch(isMaximum: Self.isMaximum, axis: try axis(node)).prepare(context)
  }
}

/// ARG_MAX: the position of the largest element along one axis; see `ArgumentExtremumOperator`.
struct ArgMaxOperator: ArgumentExtremumOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.argMax, versions: 1...3, types: Self.types)
  }
  static let isMaximum = true
  static var positionType: OptionField<ElementType> { ArgMaxOptions.outputType }
}

/// ARG_MIN: the position of the smallest element along one axis; see `ArgumentExtremumOperator`.
struct ArgMinOperator: ArgumentExtremumOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.argMin, versions: 1...3, types: Self.types)
  }
  static let isMaximum = false
  static var positionType: OptionField<ElementType> { ArgMinOptions.outputType }
}
