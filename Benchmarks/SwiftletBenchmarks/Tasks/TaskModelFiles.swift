import Foundation
import SwiftletTestSupport

/// Where the models of measured tasks lie: in the test data, or put together from its parts.
final class TaskModelFiles {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The path of a model as ``MeasuredTask/models`` names it.
  ///
  /// - Throws: when a bundle cannot be put together or written.
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
