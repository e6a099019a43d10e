import Foundation
import SwiftletBase

@testable import SwiftletModelStore

/// A folder that goes away with the value, and the folder of one model in it.
final class TestFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-folder-" + UUID().uuidString)

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.path + "/" + name }

  func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path(name))) }

  /// The paths of all files and links below the folder, sorted.
  var files: [String] {
    let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
    return names.filter { if case .folder? = PathKind(of: path($0)) { false } else { true } }.sorted()
  }

  /// The folder of the model of that name, from an address on a server that is never asked.
  func model(_ name: String = "birds", address: String = "https://example.com/m.tflite") -> ModelFolder {
    let url = URL(string: address) ?? url
    return ModelFolder(RemoteModel(name: name, url: url), in: self.url)
  }
}
