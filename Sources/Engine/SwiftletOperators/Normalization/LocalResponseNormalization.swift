import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// LOCAL_RESPONSE_NORMALIZATION: divides every element by a power of the squares around it, along the last dimension.
///
/// - Shapes: rank 4; the output has the input's shape.
/// - Types: float32.
/// - Source: operator 13 of the model format. The window is `radius` elements to both sides, as in the original
///   definition and the reference runtime's default kernel (its plain kernel leaves the last one out).
struct LocalResponseNormalizationOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .localResponseNormalization, versions: 1...1, floatError: 1e-6, types: .uniform([.float32]))
  }

  private let function: ResponseNormalization

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    let radius = try node.options[LocalResponseNormalizationOptions.radius]
    guard radius >= 0 else { throw node.invalid("has a radius of \(radius), it must not be negative") }
    function = ResponseNormalization(
      radius: radius, bias: try node.options[LocalResponseNormalizationOptions.bias],
      alpha: try node.options[LocalResponseNormalizationOptions.alpha],
      beta: try node.options[LocalResponseNormalizationOptions.beta]
    )
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    guard input.shape.rank == 4 else { throw node.invalid("takes an input of rank 4, got \(input)") }
    return [input.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let shape = try context.node.input(0).shape
    let (source, destination) = (try context.inputSlot(0), try context.outputSlot(0))
    let channels = shape.innermost
    // Wide windows are most of the work.
    let window = min(Double(channels), 2 * Double(function.radius) + 1)
    return PreparedOperator(items: shape.elementCount, cost: 20 + window) { [function] run, elements in
      function.apply(
        run.pointer(source, as: Float.self), run.pointer(destination, as: Float.self), channels: channels,
        elements: elements)
    }
  }
}

private struct ResponseNormalization: Sendable {
  let radius: Int
  let bias: Float
  let alpha: Float
  let beta: Float

  /// Some elements of rows of `channels`.
  func apply(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, channels: Int, elements: Range<Int>)
  {
    var channel = elements.lowerBound % max(1, channels)
    for index in elements {
      var sum: Float = 0
      for neighbour in index &- min(radius, channel)...index &+ min(radius, channels &- 1 &- channel) {
        sum += input[neighbour] * input[neighbour]
      }
      output[index] = input[index] * powf(bias + alpha * sum, -beta)
      channel = channel &+ 1 == channels ? 0 : channel &+ 1
    }
  }
}
