import TensorFlowLiteCommon

/// What runs the models.
public enum Runtime {
  /// The version of TensorFlow Lite whose interface this is, and after it who stands in for it: `2.17.0+swiftlet`.
  public static var version: String { "2.17.0+swiftlet" }

  /// Receives what is told to developers besides the errors that are thrown: why a call failed, in the engine's words
  /// and as the description of `InterpreterError.tensorFlowLiteError`, and once for each delegate that the model runs
  /// on the processor. By default it is written to the standard error output; `nil` for silence.
  ///
  /// An addition to the original's interface.
  public static var messageHandler: (@Sendable (String) -> Void)? {
    get { DeveloperMessages.handler }
    set { DeveloperMessages.handler = newValue }
  }

  /// Tells why a call failed whose error has no room for it.
  static func report(_ error: any Error) {
    DeveloperMessages.report("\(InterpreterError.tensorFlowLiteError("\(error)"))")
  }
}
