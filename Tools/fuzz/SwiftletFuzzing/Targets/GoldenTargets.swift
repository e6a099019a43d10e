import Foundation
import SwiftletGolden

/// The files of golden tensors.
enum GoldenTargets {
  static let all: [FuzzTarget] = [
    FuzzTarget("npy", seeds: { SeedFiles.arrays }) { bytes in
      guard let tensor = try? NPYFile.decode([UInt8](bytes)) else { return }
      _ = (tensor.elementCount, tensor.floatingPointValues)
      _ = try? NPYFile.encode(tensor)
    },
    FuzzTarget("golden-manifest", seeds: { SeedFiles.goldenManifests }) { bytes in
      let folder = TrialFolder.shared
      let path = folder.write(bytes, to: "manifest.json")
      folder.writeOnce([UInt8](repeating: 1, count: 4096), to: "tensors.bin")
      folder.writeOnce([UInt8](repeating: 1, count: 4096), to: "models.bin")
      guard let suite = try? GoldenSuite(manifestPath: path, modelsFolder: folder.path) else { return }
      _ = suite.manifest.models(forOperator: "ADD")
      for model in suite.manifest.models.prefix(8) {
        _ = try? suite.modelPath(of: model)
        _ = try? suite.modelBytes(of: model)
        for run in model.cases.prefix(8) {
          for input in run.inputs.prefix(8) { _ = try? suite.tensor(for: input) }
          for output in run.outputs.prefix(8) { _ = try? suite.expectation(for: output) }
        }
      }
    },
  ]
}

/// A directory of this process, for parsers that only accept paths.
struct TrialFolder: Sendable {
  static let shared = TrialFolder()

  let path: String

  private init() {
    path = NSTemporaryDirectory() + "/swiftlet-fuzz-\(getpid())"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // Tests have no end at which they could remove the directory.
    atexit { TrialFolder.clean() }
  }

  /// Writes a file.
  ///
  /// - Returns: The path of the file.
  @discardableResult
  func write(_ bytes: UnsafeRawBufferPointer, to name: String) -> String {
    let file = path + "/" + name
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { return file }
    _ = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
    close(descriptor)
    return file
  }

  func writeOnce(_ bytes: [UInt8], to name: String) {
    guard access(path + "/" + name, F_OK) != 0 else { return }
    bytes.withUnsafeBytes { _ = write($0, to: name) }
  }

  func remove(_ name: String) { unlink(path + "/" + name) }

  /// Removes the directory at the end of the process.
  static func clean() { try? FileManager.default.removeItem(atPath: shared.path) }
}
