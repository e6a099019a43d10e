import SwiftletEngine
import SwiftletSchema

/// SHAPE: the input's dimensions as a vector.
///
/// - Types: input of any type; output int32 or int64.
/// - Source: operator 77 of the model format.
struct ShapeOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.shape, versions: 1...1, types: .one(.any, to: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    try node.requireIndexType(field: ShapeOptions.outputType)
  }

  var readsInputValues: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [[try node.input(0).shape.rank]] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let dimensions = try context.node.input(0).shape.dimensions
    return try .storing(dimensions, context)
  }
}
