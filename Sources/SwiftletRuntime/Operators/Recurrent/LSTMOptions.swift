/// The options of a long short-term memory.
struct LSTMOptions: Sendable {
  let activation: FusedActivation
  /// The largest magnitude of cell values; 0 for any.
  let cellClip: Float
  /// The largest magnitude of projected values; 0 for any.
  let projectionClip: Float
  let isAsymmetric: Bool

  /// - Parameter asymmetric: the field that asks for zero points when activations are quantised in the run.
  init(_ node: NodeReader, asymmetric: Int) throws {
    activation = try FusedActivation(
      node, field: 0, allowed: [.none, .relu, .reluN1To1, .relu6, .tanh, .signBit])
    cellClip = try node.options.float(1)
    projectionClip = try node.options.float(2)
    guard cellClip >= 0, projectionClip >= 0, cellClip.isFinite, projectionClip.isFinite else {
      throw node.invalid("clips at \(cellClip) and \(projectionClip), which must not be negative")
    }
    isAsymmetric = try node.options.bool(asymmetric)
  }
}

/// Activations of whole vectors, as recurrent operators apply them between their products.
enum VectorActivation {
  static func sigmoid(_ values: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count { values[index] = 1 / (1 + MathLibrary.exponential(-values[index])) }
  }

  static func apply(
    _ activation: FusedActivation, _ values: UnsafePointer<Float>, count: Int, into results: UnsafeMutablePointer<Float>
  ) {
    switch activation {
    case .tanh: for index in 0..<count { results[index] = MathLibrary.hyperbolicTangent(values[index]) }
    case .signBit: for index in 0..<count { results[index] = values[index].sign == .minus ? 1 : 0 }
    case .none, .relu, .reluN1To1, .relu6:
      let (lower, upper) = activation.floatRange
      for index in 0..<count {
        let raised = values[index] < lower ? lower : values[index]
        results[index] = raised > upper ? upper : raised
      }
    }
  }

  /// Keeps magnitudes within `limit`, when that is above 0.
  static func clip(_ values: UnsafeMutablePointer<Float>, count: Int, limit: Float) {
    guard limit > 0 else { return }
    for index in 0..<count {
      let raised = values[index] < -limit ? -limit : values[index]
      values[index] = raised > limit ? limit : raised
    }
  }
}
