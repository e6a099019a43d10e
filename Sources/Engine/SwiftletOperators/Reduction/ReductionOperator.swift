import SwiftletEngine
import SwiftletSchema

/// What all reductions share: the data, the axes to go over as a second input, and whether these stay as dimensions of
/// size one.
///
/// - Shapes: output as input 0 without the reduced axes, or with 1 in their place. Negative axes count from the back,
///   repeated ones count once; a scalar has no axes and is passed on.
protocol ReductionOperator: Operator {
  init(keepsDimensions: Bool)
  var keepsDimensions: Bool { get }

  /// The reduction for the types of this node.
  func reduction(_ context: PrepareContext) throws -> PreparedOperator
}

extension ReductionOperator {
  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    self.init(keepsDimensions: try node.options[ReducerOptions.keepDimensions])
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    [try ReductionAxes(node).outputShape(of: try node.input(0).shape, keepsDimensions: keepsDimensions)]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    for spec in [try node.input(0), try node.output(0)] where spec.elementType == .int16 {
      guard (spec.quantization?.zeroPoints.first ?? 0) == 0 else {
        throw node.invalid("\(spec) must have zero point 0, as every int16 tensor")
      }
    }
    try node.requireOutputs(try inferShapes(node))
    return try reduction(context)
  }
}

extension NodeView {
  /// The error for an element type that the operator's identity lets through and its preparation does not know.
  func unexpectedType(_ spec: TensorSpec) -> RuntimeError {
    RuntimeError(.unsupportedOperators, "does not take \(spec)", location: node.location)
  }
}
