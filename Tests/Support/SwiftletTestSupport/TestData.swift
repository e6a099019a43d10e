import Foundation

/// Models, images, and expected results that aren't in the repository: `docs/internals/test-data.md` lists them.
///
/// The environment variable `SWIFTLET_TEST_DATA` selects the directory; the default is `../shared` next to the package.
/// Tests that need it have the trait `.enabled(if: TestData.has("models"), "\(TestData.skipReason)")`, so that all
/// skipped tests give the same reason.
package enum TestData {
  private static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SWIFTLET_TEST_DATA"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return packageFolder.deletingLastPathComponent().appendingPathComponent("shared", isDirectory: true)
  }()

  private static let packageFolder: URL = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  /// The path of the directory that contains `Package.swift`.
  package static var packagePath: String { packageFolder.path }

  /// Whether published models and images are available.
  package static var isAvailable: Bool { has("models", "images") }

  /// Returns whether the test data has all of these files and directories, such as `golden/manifest.json`.
  package static func has(_ relativePaths: String...) -> Bool {
    relativePaths.allSatisfy { FileManager.default.fileExists(atPath: path($0)) }
  }

  /// The reason that skipped tests give.
  ///
  /// A string rather than Testing's `Comment`: the benchmark and fuzzing programs link this module, and must not link
  /// Testing.
  package static let skipReason = "needs the test data: see docs/internals/test-data.md"

  /// Returns the path of a file in the test data, such as `models/face/face_blendshapes.tflite`.
  package static func path(_ relativePath: String) -> String {
    folder.appendingPathComponent(relativePath).path
  }

  /// All models in the test data, relative to `models`, in a stable order; empty without test data.
  package static let models: [String] = {
    let root = folder.appendingPathComponent("models").resolvingSymlinksInPath().path
    let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".tflite") }.sorted()
  }()
}
