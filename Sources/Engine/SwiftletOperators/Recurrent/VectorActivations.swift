import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// Activations of whole vectors, as recurrent operators apply them between their products.
///
/// In bit-exact numerics they are the C library's functions, as in the reference runtime; in fast numerics the
/// kernels'.
struct VectorActivations: Sendable {
  /// `nil` in bit-exact numerics.
  private let kernels: ElementwiseKernels?

  init(_ context: PrepareContext) {
    kernels = context.options.numerics == .fast ? context.kernels.elementwise : nil
  }

  func sigmoid(_ values: UnsafeMutablePointer<Float>, count: Int) {
    if let kernels { return kernels.apply(.logistic, count: count, input: values, output: values) }
    for index in 0..<count { values[index] = 1 / (1 + expf(-values[index])) }
  }

  /// - Parameter results: may be `values`.
  func apply(
    _ activation: FusedActivation, _ values: UnsafePointer<Float>, count: Int, into results: UnsafeMutablePointer<Float>
  ) {
    switch activation {
    case .tanh:
      if let kernels { return kernels.apply(.hyperbolicTangent, count: count, input: values, output: results) }
      for index in 0..<count { results[index] = tanhf(values[index]) }
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
