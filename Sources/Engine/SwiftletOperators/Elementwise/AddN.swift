import SwiftletEngine
import SwiftletSchema

/// ADD_N: the sum of two or more tensors of one shape, from left to right.
///
/// - Shapes: all inputs of one shape, which is the output's.
/// - Types: float32, int32.
/// - Source: operator 106 of the model format.
struct AddNOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.addN, versions: 1...1, types: .uniform([.float32, .int32]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...Int.max) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let first = try node.input(0)
    for index in 1..<node.inputCount {
      let other = try node.input(index)
      guard other.shape == first.shape else {
        throw node.invalid("input \(index) \(other) must have the shape of input 0 \(first)")
      }
    }
    return [first.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try context.node.input(0).elementType == .int32
      ? try prepare(context, Int32.self) { $0 &+ $1 } : try prepare(context, Float.self) { $0 + $1 }
  }

  @inline(__always)
  private func prepare<Element: BitwiseCopyable>(
    _ context: PrepareContext, _ type: Element.Type, _ add: @escaping @Sendable (Element, Element) -> Element
  ) throws -> PreparedOperator {
    let sources = try (0..<context.node.inputCount).map { try context.inputSlot($0) }
    let destination = try context.outputSlot(0)
    let count = try context.node.output(0).shape.elementCount
    return PreparedOperator(items: count, cost: 0.2 * Double(sources.count)) { run, range in
      let output = run.pointer(destination, as: type)
      let first = run.pointer(sources[0], as: type)
      let second = run.pointer(sources[1], as: type)
      for index in range { output[index] = add(first[index], second[index]) }
      for source in sources.dropFirst(2) {
        let input = run.pointer(source, as: type)
        for index in range { output[index] = add(output[index], input[index]) }
      }
    }
  }
}
