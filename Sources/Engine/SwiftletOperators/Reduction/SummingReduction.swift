import SwiftletEngine

/// A sum or mean, which squares float32 elements as it reads them where a kernel does.
protocol SummingReduction: ReductionOperator, SquaringReduction {
  /// Whether the elements are squared; only set by `squaring(_:)`.
  var squares: Bool { get set }
}

extension SummingReduction {
  func squaring(_ node: NodeView) throws -> Self? {
    guard node.isConstant(1) else { return nil }
    let plan = ReductionPlan(shape: try node.input(0).shape, isReduced: try ReductionAxes(node).isReduced)
    guard case .runs = plan.innerLoop, plan.suitsFloatKernels else { return nil }
    var squaring = self
    squaring.squares = true
    return squaring
  }
}
