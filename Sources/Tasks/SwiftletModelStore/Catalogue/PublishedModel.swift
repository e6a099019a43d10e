public import Foundation
import SwiftletBase

/// A model, or a bundle of models, that others publish at an address of its own, and that a task of this package can run.
public struct PublishedModel: Sendable, Hashable {
  /// What a model is for.
  public enum Task: String, Sendable, Hashable, CaseIterable {
    /// Boxes of faces and their key points.
    case detectFaces = "detect-faces"
    /// Boxes of objects with categories.
    case detectObjects = "detect-objects"
    /// What every pixel belongs to.
    case segment
    /// Vectors by which pictures are compared.
    case embed
    /// What a picture shows.
    case classify
    /// 21 points of every hand.
    case landmarkHands = "landmark-hands"
    /// Points of hands, and their gestures.
    case recognizeGestures = "recognize-gestures"
    /// 478 points of every face, and expressions.
    case landmarkFaces = "landmark-faces"
    /// 33 points of every body.
    case landmarkPoses = "landmark-poses"
    /// Points of one person's body, hands and face.
    case landmarkHolistic = "landmark-holistic"

    /// Whether the task takes several models, in a `.task` bundle.
    public var takesBundles: Bool {
      switch self {
      case .detectFaces, .detectObjects, .segment, .embed, .classify: false
      case .landmarkHands, .recognizeGestures, .landmarkFaces, .landmarkPoses, .landmarkHolistic: true
      }
    }
  }

  /// The size and type of the pictures that a model takes; of a bundle, those of the model that looks first.
  public struct Input: Sendable, Hashable {
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// `float32` or `uint8`.
    public var type: String
    /// How that is known. A task reads size and type from the file itself.
    public var source: Source
  }

  /// How the size and type of a model's pictures are known.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// From the file of this SHA-256, which was looked into.
    case file
    /// From what the publisher writes about the model.
    case page
    /// From the network's name and from like models only.
    case assumed
  }

  /// What the catalogue calls it.
  public var name: String
  /// The task that takes the model.
  public var task: Task
  /// What it is, in a line.
  public var summary: String
  /// The input that the model takes.
  public var input: Input
  /// The licence that the model's card or the metadata in its file names, as an SPDX identifier; `nil` where neither is
  /// known to name one: then see `page`, and ask the publisher.
  public var licence: String?
  /// Where its publisher describes it: the model's card, which also says what the model is not for, or the page of its
  /// task.
  public var page: URL
  /// Where it is published.
  public var url: URL
  /// The SHA-256 of the file where its publisher names it, or where the file was looked into; `nil` where not.
  public var sha256: String?

  /// The model, to be downloaded.
  public var remoteModel: CustomRemoteModel {
    CustomRemoteModel(remoteModelSource: source)
  }

  private var source: URLModelSource { URLModelSource(name: name, url: url, sha256: sha256) }

  /// The same model, fetched from a copy of the published files: a folder of this device, or another server's.
  ///
  /// The file is looked for as `NAME.tflite`, a bundle as `NAME.task`, then by the path of its address, then by the last part of it, where no
  /// other model has the same. To the store it is the same model as the published one. On a server the copy has the
  /// path of the published address.
  ///
  /// - Parameter mirror: a file URL of a folder, or an `https` address.
  /// - Throws: `ModelStoreError.Code.notFound` when the folder has no such file.
  public func remoteModel(from mirror: URL) throws(ModelStoreError) -> CustomRemoteModel {
    CustomRemoteModel(remoteModelSource: MirrorModelSource(source, file: try file(in: mirror)))
  }

  private func file(in mirror: URL) throws(ModelStoreError) -> URL {
    let path = String(url.path.drop { $0 == "/" })
    guard mirror.isFileURL else { return mirror.appendingPathComponent(path) }
    var names = [name + (task.takesBundles ? ".task" : ".tflite"), path]
    let last = url.lastPathComponent
    if ModelCatalogue.models.count(where: { $0.url.lastPathComponent == last }) == 1 { names.append(last) }
    for name in names {
      let file = mirror.appendingPathComponent(name)
      if SystemCalls.byteCount(of: file.path, followsLinks: true) != nil { return file }
    }
    throw ModelStoreError(.notFound, "\(mirror.path.excerpt) has no file \(names.joined(separator: " or "))")
  }
}

/// A copy of a model that another source is the original of.
// Unchecked because its base class is: it has constants only.
private final class MirrorModelSource: RemoteModelSource, @unchecked Sendable {
  private let original: RemoteModelSource
  private let file: URL

  init(_ original: RemoteModelSource, file: URL) {
    self.original = original
    self.file = file
    super.init(name: original.name)
  }

  override var identity: String { original.identity }
  override var sha256: String? { original.sha256 }

  override func resolve(known: ModelRecord?) async throws -> Resolution {
    if let known, known.sha256 == sha256 { return .notModified }
    var copy = RemoteModelFile(url: file, sha256: sha256)
    copy.isLocalFileAllowed = true
    return .file(copy)
  }
}
