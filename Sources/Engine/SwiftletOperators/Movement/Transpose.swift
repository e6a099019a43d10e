import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// TRANSPOSE: a permutation of the axes.
///
/// - Shapes: input of rank up to the limit; permutation `[rank]` of the axes, where negative ones count from the back.
/// - Types: every type of fixed size, and strings; permutation int32.
/// - Source: operator 39 of the model format.
struct TransposeOperator: TransposeLikeOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .transpose, versions: 1...9, types: .uniform(TypeSet.movable.types, then: [.int32, .int64]))
  }

  /// The permutation of a node without input 1.
  private var fixed: [Int]?

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  private init(fixed: [Int]) { self.fixed = fixed }

  var layoutBehavior: LayoutBehavior { .transpose(self) }

  func permutation(_ node: NodeView) throws -> [Int]? {
    fixed == nil && !node.isConstant(1) ? nil : try resolvedPermutation(node)
  }

  func transposing(by permutation: [Int]) -> any Operator { Self(fixed: permutation) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    return [Shape(try resolvedPermutation(node).map { input.shape[$0] })]
  }

  private func resolvedPermutation(_ node: NodeView) throws -> [Int] {
    if let fixed { return fixed }
    let input = try node.input(0)
    let axes = try node.integers(1)
    let resolved = axes.compactMap { input.shape.resolvedAxis($0) }
    guard axes.count == input.shape.rank, Set(resolved).count == input.shape.rank else {
      throw node.invalid("\(axes.excerpt) is not a permutation of the \(input.shape.rank) axes of input \(input)")
    }
    return resolved
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let shape = try node.input(0).shape
    guard shape.elementCount > 0 else { return .empty }
    let permutation = try resolvedPermutation(node)
    // Axes of size 1 are irrelevant: if the other axes keep their order, the bytes do too.
    let moving = permutation.filter { shape[$0] > 1 }
    if zip(moving, moving.dropFirst()).allSatisfy({ $0 < $1 }) { return try .copy(context) }
    let strides = shape.strides
    let output = try node.output(0).shape
    let copy = StridedCopy(
      elementBytes: try node.elementBytes(ofInput: 0), counts: output.dimensions,
      sourceStrides: permutation.map { strides[$0] }, destinationStrides: output.strides)
    return try PreparedOperator(copy: copy, context)
  }
}
