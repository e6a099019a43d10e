public import Foundation
import SwiftletBase

/// A model, or a bundle of models, that others publish at an address of its own, and that a task of this package can run.
public struct PublishedModel: Sendable, Hashable {
  /// The task of a model.
  public enum Task: String, Sendable, Hashable, CaseIterable {
    /// Boxes of faces and their keypoints.
    case detectFaces = "detect-faces"
    /// Boxes of objects with categories.
    case detectObjects = "detect-objects"
    /// Segmentation: the category of every pixel.
    case segment
    /// Vectors by which images are compared.
    case embed
    /// Classification: the content of an image.
    case classify
    /// 21 landmarks of every hand.
    case landmarkHands = "landmark-hands"
    /// Hand landmarks and gestures.
    case recognizeGestures = "recognize-gestures"
    /// 478 landmarks of every face, and expressions.
    case landmarkFaces = "landmark-faces"
    /// 33 landmarks of every body.
    case landmarkPoses = "landmark-poses"
    /// Points of one person's body, hands and face.
    case landmarkHolistic = "landmark-holistic"

    /// A Boolean value that indicates whether the task takes several models, in a `.task` bundle.
    public var takesBundles: Bool {
      switch self {
      case .detectFaces, .detectObjects, .segment, .embed, .classify: false
      case .landmarkHands, .recognizeGestures, .landmarkFaces, .landmarkPoses, .landmarkHolistic: true
      }
    }
  }

  /// The size and type of the images that a model takes; of a bundle, those of the model that looks first.
  public struct Input: Sendable, Hashable {
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// `float32` or `uint8`.
    public var type: String
    /// The source of size and type. A task reads size and type from the file itself.
    public var source: Source
  }

  /// The source of the size and type of a model's images.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// From the file of this SHA-256, which was looked into.
    case file
    /// From what the publisher writes about the model.
    case page
    /// From the network's name and from like models only.
    case assumed
  }

  /// The name in the catalog.
  public var name: String
  /// The task that takes the model.
  public var task: Task
  /// A description in one line.
  public var summary: String
  /// The input that the model takes.
  public var input: Input
  /// The license that the model's card or the metadata in its file names, as an SPDX identifier; `nil` where neither is
  /// known to name one: then see `page`, and ask the publisher.
  public var license: String?
  /// The URL of the publisher's description: the model's card, which also says what the model is not for, or the page
  /// of its task.
  public var page: URL
  /// The URL of the file.
  public var url: URL
  /// The SHA-256 of the file where its publisher names it, or where the file was looked into; `nil` where not.
  public var sha256: String?

  /// The model, to be downloaded.
  public var remoteModel: RemoteModel { RemoteModel(name: name, url: url, sha256: sha256) }

  /// The same model, fetched from a copy of the published files: a folder of this device, or another server's.
  ///
  /// The file is looked for as `NAME.tflite`, a bundle as `NAME.task`, then by the path of its address, then by the last part of it, where no
  /// other model has the same. To the store it is the same model as the published one. On a server the copy has the
  /// path of the published address.
  ///
  /// - Parameter mirror: a file URL of a folder, or an `https` address.
  /// - Throws: `ModelStoreError.Code.notFound` when the folder has no such file.
  public func remoteModel(from mirror: URL) throws(ModelStoreError) -> RemoteModel {
    let source = MirrorModelSource(identity: remoteModel.source.identity, url: try file(in: mirror))
    return RemoteModel(name: name, source: source, sha256: sha256)
  }

  private func file(in mirror: URL) throws(ModelStoreError) -> URL {
    let path = String(url.path.drop { $0 == "/" })
    guard mirror.isFileURL else { return mirror.appendingPathComponent(path) }
    var names = [name + (task.takesBundles ? ".task" : ".tflite"), path]
    let last = url.lastPathComponent
    if ModelCatalog.models.count(where: { $0.url.lastPathComponent == last }) == 1 { names.append(last) }
    for name in names {
      let file = mirror.appendingPathComponent(name)
      if PathKind.byteCount(of: file.path, followsLinks: true) != nil { return file }
    }
    throw ModelStoreError(.notFound, "\(mirror.path.excerpt) has no file \(names.joined(separator: " or "))")
  }
}
