import Foundation
import SwiftletEngine
import TensorFlowLiteCommon

/// A model file, read and verified.
///
/// The names and labels are TensorFlow Lite's. They aren't public there either, but its own tests use them.
final class Model {
  /// The engine's model.
  let cModel: SwiftletEngine.Model
  /// The data that the model was created from; `nil` for a file.
  let data: Data?

  /// Creates a model. Returns `nil` for a file that cannot be read or is not a model; the reason is reported.
  init?(filePath: String) {
    guard let model = Self.reporting({ try SwiftletEngine.Model(contentsOf: filePath) }) else { return nil }
    cModel = model
    data = nil
  }

  /// Creates a model. Returns `nil` for data that is not a model; the reason is reported.
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
  /// The TensorFlow Lite version whose API this is, followed by the name of the implementation: `2.17.0+swiftlet`.
  public static var version: String { "2.17.0+swiftlet" }

  /// The handler of messages for developers, in addition to thrown errors. It receives the reason of each failure, in
  /// the engine's words and as the description of `InterpreterError.tensorFlowLiteError`, and one warning for each
  /// delegate that is not used. The default handler writes to standard error; `nil` discards messages.
  ///
  /// This is an addition to TensorFlow Lite's API.
  public static var messageHandler: (@Sendable (String) -> Void)? {
    get { DeveloperMessages.handler }
    set { DeveloperMessages.handler = newValue }
  }

  /// Reports the reason of a failure whose error has no room for it.
  static func report(_ error: any Error) {
    DeveloperMessages.report("\(InterpreterError.tensorFlowLiteError("\(error)"))")
  }
}
