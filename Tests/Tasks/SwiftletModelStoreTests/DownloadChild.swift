import Foundation

/// A process that downloads a model, named `victim`, from a URL into a store.
enum DownloadChild {
  struct End: Sendable {
    /// 0 if the model was installed, 1 if it wasn't, or the number of the signal that terminated the process.
    var status: Int32
    /// The error message.
    var error: String
  }

  /// The path of the program next to the test bundle, where SwiftPM puts it.
  static var path: String {
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" } ?? Bundle.main.bundleURL
    let folders = [
      bundle.deletingLastPathComponent(), Bundle.main.bundleURL,
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    return folders.map { $0.appendingPathComponent("ModelDownloadChild").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "ModelDownloadChild"
  }

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - step: The step after which the process kills itself, once `count` bytes have arrived.
  ///   - shell: A shell script that starts the program as `"$@"`; without it, the program is started directly.
  static func run(_ folder: URL, _ url: URL, step: String = "none", count: Int = 0, shell: String? = nil) async throws
    -> End
  {
    let words = [path, folder.path, url.absoluteString, step, String(count)]
    return try await run(shell.map { ["/bin/sh", "-c", $0, "sh"] + words } ?? words)
  }

  /// Runs the program that the first word names.
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
