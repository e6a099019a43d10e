public import Foundation
import SwiftletBase
public import SwiftletModelStore
@_spi(Facades) import SwiftletTracking

/// A model that is a file on this device: bundled with the app, or downloaded before.
///
/// The file is not accessed until the model is used, so a wrong path causes an error only then. A model from a
/// `ModelManager` protects its file: the file is not removed to make room for others as long as this object exists.
///
/// - Thread safety: callable concurrently.
public final class LocalModel: NSObject, Sendable {
  /// The absolute path of the `.tflite` or `.lite` file.
  public let path: String
  /// The path of the manifest that specifies the model.
  public let manifestPath: String?
  /// The class names from the manifest's label file, for models without labels.
  public let labels: [String]?
  /// Protects the file in the store as long as this object exists.
  private let installed: InstalledModel?

  /// Creates a model from a file.
  ///
  /// - Parameter path: The absolute path of the model file; `~` is not expanded.
  public convenience init(path: String) {
    self.init(path: path, manifestPath: nil, labels: nil, installed: nil)
  }

  /// Creates a model from a model in the store. This is an addition to ML Kit's API.
  ///
  /// - Parameter installed: The model. Its file is protected as long as this object exists.
  public convenience init(_ installed: InstalledModel) {
    self.init(path: installed.path, manifestPath: nil, labels: nil, installed: installed)
  }

  /// Creates a model from an AutoML Vision Edge export.
  ///
  /// - Parameter manifestPath: The absolute path of `manifest.json`, which names the files next to it.
  /// - Returns: `nil` if the manifest doesn't exist or is invalid, or names files that are missing or outside its
  ///   directory.
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

  /// Returns the path, after checking that the file exists.
  ///
  /// - Throws: `ModelStoreError.Code.invalidArgument` for a relative path, `.modelNotFound` if there is no file.
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

/// The `manifest.json` of an AutoML Vision Edge export, which names the model file and the label file.
struct LocalModelManifest: Sendable {
  let modelPath: String
  let labels: [String]?

  private struct Content: Decodable {
    var modelFile: String
    var labelsFile: String?
    var modelType: String?
  }

  /// The maximum size of a manifest: larger than any valid one.
  private static let longest = 1 << 20

  /// Reads a manifest; `nil` if it cannot be read or is invalid.
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

  /// Returns the path of a file in the manifest, which must exist and not be outside the directory.
  private static func file(_ name: String, in folder: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, !name.hasPrefix("/"), !name.utf8.contains(0), !parts.contains("..") else { return nil }
    let path = folder + "/" + name
    return PathKind.byteCount(of: path, followsLinks: true) == nil ? nil : path
  }
}
