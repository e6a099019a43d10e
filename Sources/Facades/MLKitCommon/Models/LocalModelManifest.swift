import Foundation
import SwiftletBase
import SwiftletSchema

/// The `manifest.json` of an AutoML Vision Edge export: which file is the model, and which has its labels.
struct LocalModelManifest: Sendable {
  let modelPath: String
  let labels: [String]?

  private struct Content: Decodable {
    var modelFile: String
    var labelsFile: String?
    var modelType: String?
  }

  /// More than any manifest has.
  private static let longest = 1 << 20

  /// `nil` for a manifest that cannot be read or used.
  init?(path: String) {
    guard path.hasPrefix("/"), !path.utf8.contains(0),
      let bytes = try? MappedFile.read(path, maximumByteCount: Self.longest),
      let content = try? JSONDecoder().decode(Content.self, from: Data(bytes.bytes)),
      content.modelType == nil || content.modelType == "IMAGE_LABELING"
    else { return nil }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard let modelPath = Self.file(content.modelFile, in: folder) else { return nil }
    self.modelPath = modelPath
    guard let labelsFile = content.labelsFile else {
      labels = nil
      return
    }
    guard let labelsPath = Self.file(labelsFile, in: folder),
      let text = try? MappedFile.read(labelsPath, maximumByteCount: LabelFile.longest),
      let lines = try? LabelFile.lines(text, name: labelsFile)
    else { return nil }
    labels = lines
  }

  /// The path of a file that the manifest names, which must be there, and not outside of the folder.
  private static func file(_ name: String, in folder: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, !name.hasPrefix("/"), !name.utf8.contains(0), !parts.contains("..") else { return nil }
    let path = folder + "/" + name
    return PathKind.byteCount(of: path, followsLinks: true) == nil ? nil : path
  }
}
