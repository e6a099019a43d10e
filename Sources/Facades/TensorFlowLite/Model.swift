import Foundation
import SwiftletEngine

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
