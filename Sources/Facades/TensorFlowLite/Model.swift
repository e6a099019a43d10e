import Foundation
import SwiftletEngine
import TensorFlowLiteCommon

/// A model file, read and checked.
///
/// The name and the labels are the original's, though it shows neither to apps: its own tests look at them.
final class Model {
  /// The model as the engine has it.
  let cModel: SwiftletEngine.Model
  /// What the model was read from, unless that was a file.
  let data: Data?

  /// `nil` for a file that cannot be read or is no model; the reason is reported.
  init?(filePath: String) {
    guard let model = Self.reporting({ try SwiftletEngine.Model(contentsOf: filePath) }) else { return nil }
    cModel = model
    data = nil
  }

  /// `nil` for bytes that are no model; the reason is reported.
  init?(modelData: Data) {
    guard let model = Self.reporting({ try SwiftletEngine.Model(bytes: [UInt8](modelData)) }) else { return nil }
    cModel = model
    data = modelData
  }

  private static func reporting(_ load: () throws -> SwiftletEngine.Model) -> SwiftletEngine.Model? {
    do {
      return try load()
    } catch {
      Runtime.report(error)
      return nil
    }
  }
}

/// The engine that runs the models.
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
