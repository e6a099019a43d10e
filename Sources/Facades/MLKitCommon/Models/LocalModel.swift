public import Foundation
import SwiftletBase
public import SwiftletModelStore
@_spi(Facades) import SwiftletTracking

/// A model that is a file on this device: part of the app, or downloaded before.
///
/// Nothing is looked at until the model is used, so a wrong path shows there. A model that a `ModelManager` gave holds
/// its file: it is not removed to make room for others while this object lives.
///
/// - Thread safety: callable concurrently.
public final class LocalModel: NSObject, Sendable {
  /// The absolute path of the `.tflite` or `.lite` file.
  public let path: String
  /// The path of the manifest that the model was found by.
  public let manifestPath: String?
  /// The names of the classes from the manifest's label file, for models that hold none themselves.
  public let labels: [String]?
  /// Keeps the file in the store while this object lives.
  private let installed: InstalledModel?

  /// - Parameter path: the absolute path of the model file; `~` is not expanded.
  public convenience init(path: String) {
    self.init(path: path, manifestPath: nil, labels: nil, installed: nil)
  }

  /// Creates a model from one of the model store: an addition to ML Kit's interface.
  ///
  /// - Parameter installed: The model. Its file is kept while this object lives.
  public convenience init(_ installed: InstalledModel) {
    self.init(path: installed.path, manifestPath: nil, labels: nil, installed: installed)
  }

  /// Creates the model of an AutoML Vision Edge export.
  ///
  /// - Parameter manifestPath: the absolute path of `manifest.json`, which names the files next to it.
  /// - Returns: `nil` when there is no manifest, or it is not valid, or names files that are missing or outside of its
  ///   folder.
  public convenience init?(manifestPath: String) {
    guard let manifest = LocalModelManifest(path: manifestPath) else { return nil }
    self.init(path: manifest.modelPath, manifestPath: manifestPath, labels: manifest.labels, installed: nil)
  }

  private init(path: String, manifestPath: String?, labels: [String]?, installed: InstalledModel?) {
    self.path = path
    self.manifestPath = manifestPath
    self.labels = labels
    self.installed = installed
  }

  /// The path, once it is certain that a file is there.
  ///
  /// - Throws: `ModelStoreError.Code.invalidArgument` for a relative path, `.modelNotFound` where there is no file.
  public func checkedPath() throws(ModelStoreError) -> String {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw ModelStoreError(
        .invalidArgument,
        "the path of a local model must be absolute, got '\(path.excerpt)'; ask the bundle for it, such as with Bundle.main.path(forResource:ofType:)"
      )
    }
    switch PathKind(of: path, followsLinks: true) {
    case .file: return path
    case .folder: throw ModelStoreError(.modelNotFound, "\(path.excerpt) is a folder, not a model file")
    case .other: throw ModelStoreError(.modelNotFound, "\(path.excerpt) is a pipe or a device, not a model file")
    case nil:
      throw ModelStoreError(.modelNotFound, "there is no model file at \(path.excerpt); is it part of the bundle?")
    }
  }
}

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
      let lines = ObjectClassifierOptions.labels(contentsOfFile: labelsPath)
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
