import SwiftletEngine
import SwiftletSchema

/// aeq.hadamard_rotation: the Walsh–Hadamard transform of runs of the last dimension.
///
/// - Shapes: input of rank 2 or 3. The option `hadamard_size`, a power of two, is the length of a run. The rest of the
///   last dimension, counted over the whole tensor, is unchanged.
/// - Types: float32.
/// - Source: the custom operator of this name, scaled so that the transform is its own inverse.
struct HadamardRotationOperator: UnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.custom("aeq.hadamard_rotation"), versions: 1...1, types: .uniform([.float32]))
  }

  private let length: Int

  /// The layout behavior, which is fixed because runs are along the last dimension.
  var layoutBehavior: LayoutBehavior { .fixed }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    length = try node.description.customOptionValues()["hadamard_size"].intValue
    guard (1...FourierTransform.maximumLength).contains(length), length & (length - 1) == 0 else {
      throw node.invalid(
        "has runs of \(length) elements; it must be a power of two up to \(FourierTransform.maximumLength)")
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0)
    guard (2...3).contains(input.shape.rank) else {
      throw context.node.invalid("takes an input of rank 2 or 3, got \(input)")
    }
    let length = length
    guard input.shape.elementCount > 0 else { return .empty }
    let runs = input.shape.elementCount(0..<(input.shape.rank - 1)) * (input.shape.innermost / length)
    let destination = try context.outputSlot(0)
    let scale = 1 / Float(length).squareRoot()
    var prepared = try PreparedOperator.copy(context)
    // The copy is changed, so it must not share memory with the input.
    prepared.sharesMemoryWithInput = nil
    prepared.stages.append(
      PreparedOperator.Stage(items: runs, cost: Double(length) * Double(1 + length.trailingZeroBitCount) * 1.5) {
        run, items in
        for item in items {
          let values = run.pointer(destination, as: Float.self) + item &* length
          var half = 1
          while half < length {
            for start in stride(from: 0, to: length, by: 2 &* half) {
              for index in start..<(start &+ half) {
                let (left, right) = (values[index], values[index &+ half])
                values[index] = left + right
                values[index &+ half] = left - right
              }
            }
            half &*= 2
          }
          for index in 0..<length { values[index] *= scale }
        }
      })
    return prepared
  }
}
