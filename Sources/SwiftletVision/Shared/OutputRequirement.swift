import SwiftletRuntime

/// What a task demands of the types of its model's outputs.
///
/// - Source: MediaPipe's rule that all outputs are float32 or all quantised; int8 is accepted besides uint8.
enum OutputRequirement {
  /// All float32, or all quantised.
  case numbersOfOneKind

  /// - Throws: `VisionTaskError` that names the first output which does not fit.
  func check(_ outputs: [TensorSpec], task: String) throws(VisionTaskError) {
    guard let first = outputs.first else { throw .invalid("the model has no outputs; it is not an \(task) model") }
    for output in outputs {
      guard RealOutput.isReal(output) else {
        throw .invalid(
          "the output \(output) of an \(task) model must be float32, bool, or uint8 or int8 with one scale and zero point")
      }
      guard (output.elementType == .float32) == (first.elementType == .float32) else {
        throw .invalid("the outputs of an \(task) model must all be float32 or all quantised, got \(first) and \(output)")
      }
    }
  }
}
