import Foundation
import SwiftletBase

@testable import SwiftletModelStore

/// A directory that is deleted with the object, and a model's directory inside it.
final class TestFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-folder-" + UUID().uuidString)

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.path + "/" + name }

  func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path(name))) }

  /// The paths of all files and links in the directory, sorted.
  var files: [String] {
    let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
    return names.filter { if case .folder? = PathKind(of: path($0)) { false } else { true } }.sorted()
  }

  /// Returns the directory of the model with the given name, from a URL that is never requested.
  func model(_ name: String = "birds", address: String = "https://example.com/m.tflite") -> ModelFolder {
    let url = URL(string: address) ?? url
    return ModelFolder(RemoteModel(name: name, url: url), in: self.url)
  }
}
