import SwiftletEngine
import SwiftletSchema

/// Attention as several operators: BATCH_MATMUL, optionally MUL or DIV by a number, optionally ADD, SOFTMAX, BATCH_MATMUL.
/// The scores may be reshaped between them, if their rows stay the same.
///
/// Constant factors are left to BATCH_MATMUL, which multiplies them in reduced precision on request.
struct AttentionPattern: OperatorPattern {
  let roots: [any Operator.Type] = [BatchMatrixMultiplicationOperator.self]

  /// The maximum length of a chain of reshapes, so that many products of one long chain take little time. The pass
  /// doesn't replace as many nodes.
  private static let mostReshapes = 24

  func replacement(of root: PatternNode, in graph: PatternGraph) throws -> PatternReplacement? {
    guard let mixing = product(root, graph), let softmax = node(giving: mixing.left, graph),
      let function = softmax.operation as? SoftmaxOperator, let scores = softmax.inputs[0]
    else { return nil }
    let (sum, mask) = unmasked(scores, graph)
    let (unscaled, scale) = unscaled(sum, graph)
    guard let first = node(giving: unscaled, graph), let scoring = product(first, graph),
      haveSameRows(first.output, mixing.left, graph), haveSameRows(first.output, softmax.output, graph),
      mask.map({ haveSameRows(first.output, $0.sum, graph) && isRow($0.mask, of: $0.sum, graph) }) ?? true
    else { return nil }
    // No factor is broadcast.
    let matrices = graph.shape(root.output).matrixCount
    guard
      [scoring.left, scoring.right, first.output, mixing.left, mixing.right].allSatisfy({
        graph.shape($0).matrixCount == matrices
      })
    else { return nil }
    func leading(_ value: ValueID) -> [Int] { Array(graph.shape(value).dimensions.dropLast(2)) }
    let operation = AttentionOperator(
      areTransposed: (scoring.isTransposed, mixing.isTransposed), scale: scale, beta: function.beta,
      leading: mask.map { leading($0.sum) }, resultLeading: leading(root.output))
    return PatternReplacement(
      operation, ([scoring.left, scoring.right, mixing.right] + (mask.map { [$0.mask] } ?? [])).map { .value($0) })
  }

  private struct Product {
    var left: ValueID
    var right: ValueID
    var isTransposed: Bool
  }

  /// Returns a product of float32 values with ordered rows and computed columns.
  private func product(_ node: PatternNode, _ graph: PatternGraph) -> Product? {
    guard let operation = node.operation as? BatchMatrixMultiplicationOperator, !operation.isTransposed.left,
      let left = node.inputs[0], let right = node.inputs[1], graph.isFloat(left), graph.isFloat(right),
      !graph.isConstant(right)
    else { return nil }
    return Product(left: left, right: right, isTransposed: operation.isTransposed.right)
  }

  /// Returns the node that computes `value`, apart from reshapes.
  private func node(giving value: ValueID, _ graph: PatternGraph) -> PatternNode? {
    graph.node(giving: unreshaped(value, graph))
  }

  private func unreshaped(_ value: ValueID, _ graph: PatternGraph) -> ValueID {
    var value = value
    for _ in 0..<Self.mostReshapes {
      guard let node = graph.node(giving: value), node.operation is ReshapeOperator, let input = node.inputs[0] else {
        break
      }
      value = input
    }
    return value
  }

  /// Returns the scores without the mask, and the sum and the mask.
  private func unmasked(_ value: ValueID, _ graph: PatternGraph) -> (ValueID, (sum: ValueID, mask: ValueID)?) {
    let sum = unreshaped(value, graph)
    for (scores, mask) in bothOrders(graph.operands(AddOperator.self, giving: sum))
    where graph.shape(scores) == graph.shape(sum) {
      let (unscaled, _) = unscaled(scores, graph)
      if node(giving: unscaled, graph)?.operation is BatchMatrixMultiplicationOperator { return (scores, (sum, mask)) }
    }
    return (sum, nil)
  }

  /// Returns the scores before they are multiplied or divided by a number, and the number.
  private func unscaled(_ value: ValueID, _ graph: PatternGraph) -> (ValueID, AttentionOperator.Scale?) {
    let scaled = unreshaped(value, graph)
    if let (scores, factor) = graph.scaled(scaled), graph.shape(scores) == graph.shape(scaled) {
      return (scores, AttentionOperator.Scale(number: factor))
    }
    guard let (scores, divisor) = graph.operands(DivideOperator.self, giving: scaled),
      let number = graph.number(divisor), graph.shape(scores) == graph.shape(scaled)
    else { return (scaled, nil) }
    return (scores, AttentionOperator.Scale(number: number, isDivisor: true))
  }

  /// Returns whether the last two dimensions and the numbers of elements are equal.
  private func haveSameRows(_ first: ValueID, _ second: ValueID, _ graph: PatternGraph) -> Bool {
    let first = graph.shape(first), second = graph.shape(second)
    return first.rank >= 2 && second.rank >= 2 && first.dimensions.suffix(2) == second.dimensions.suffix(2)
      && first.elementCount == second.elementCount
  }

  /// Returns whether the rows of a mask have an element for each score. Other masks are rare.
  private func isRow(_ mask: ValueID, of scores: ValueID, _ graph: PatternGraph) -> Bool {
    let shape = graph.shape(mask)
    return shape.rank > 0 && shape.rank <= graph.shape(scores).rank && shape.innermost == graph.shape(scores).innermost
  }
}
