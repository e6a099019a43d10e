package import SwiftletEngine

/// What tasks demand of the types of their models' outputs.
package enum OutputRequirement {
  /// All float32, or all quantised.
  ///
  /// - Throws: `TaskError` that names the first output which does not fit.
  /// - Source: MediaPipe's rule; int8 is accepted besides uint8.
  package static func checkNumbersOfOneKind(_ outputs: [TensorSpec], task: String) throws(TaskError) {
    guard let first = outputs.first else { throw .invalidModel("the model has no outputs; it is not an \(task) model") }
    for output in outputs {
      guard RealOutput.isReal(output) else {
        throw .invalidModel(
          "the output \(output) of an \(task) model must be float32, bool, or uint8 or int8 with one scale and zero point"
        )
      }
      guard (output.elementType == .float32) == (first.elementType == .float32) else {
        throw .invalidModel(
          "the outputs of an \(task) model must all be float32 or all quantised, got \(first) and \(output)")
      }
    }
  }
}
