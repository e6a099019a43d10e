import Foundation
import SwiftletTestSupport

/// The model files of measured tasks: in the test data, or bundled from its parts.
final class TaskModelFiles {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the path of a model from ``MeasuredTask/models``.
  ///
  /// - Throws: If a bundle cannot be created or written.
  func path(_ model: String) throws -> String {
    for place in ["models/", "tasks/models/"] {
      let path = TestData.path(place + model)
      if FileManager.default.fileExists(atPath: path) { return path }
    }
    let path = folder.path(model)
    if !FileManager.default.fileExists(atPath: path) {
      try Data(try GoldenTask.modelBytes(model)).write(to: URL(fileURLWithPath: path))
    }
    return path
  }
}
