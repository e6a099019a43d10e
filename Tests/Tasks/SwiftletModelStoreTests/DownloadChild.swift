import Foundation

/// Another process that downloads a model, named `victim`, from an address into a store.
enum DownloadChild {
  struct End: Sendable {
    /// 0 when the model was installed, 1 when it was not, a signal's number when it ended by that.
    var status: Int32
    /// What it said of the failure.
    var error: String
  }

  /// Next to the test bundle, where SwiftPM puts it.
  static var path: String {
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" } ?? Bundle.main.bundleURL
    let folders = [
      bundle.deletingLastPathComponent(), Bundle.main.bundleURL,
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    return folders.map { $0.appendingPathComponent("ModelDownloadChild").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "ModelDownloadChild"
  }

  /// - Parameters:
  ///   - step: after which it kills itself, once so many bytes are there.
  ///   - shell: a script that starts it as `"$@"`; without one it is started directly.
  static func run(_ folder: URL, _ url: URL, step: String = "none", count: Int = 0, shell: String? = nil) async throws
    -> End
  {
    let words = [path, folder.path, url.absoluteString, step, String(count)]
    return try await run(shell.map { ["/bin/sh", "-c", $0, "sh"] + words } ?? words)
  }

  /// Runs any program, whose name is the first word.
  static func run(_ words: [String]) async throws -> End {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-child-" + UUID().uuidString)
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    process.standardError = try FileHandle(forWritingTo: output)
    let status: Int32 = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do {
        try process.run()
      } catch {
        continuation.resume(throwing: error)
      }
    }
    return End(status: status, error: String(decoding: try Data(contentsOf: output), as: UTF8.self))
  }
}
