public import Foundation
import SwiftletBase

/// A third-party model, or bundle of models, that is published at a URL and that a task of this package can run.
public struct PublishedModel: Sendable, Hashable {
  /// The task of a model.
  public enum Task: String, Sendable, Hashable, CaseIterable {
    /// Face detection: boxes and keypoints.
    case detectFaces = "detect-faces"
    /// Object detection: boxes with categories.
    case detectObjects = "detect-objects"
    /// Image segmentation: the category of every pixel.
    case segment
    /// Image embedding: feature vectors for comparing images.
    case embed
    /// Image classification.
    case classify
    /// Hand landmarks: 21 per hand.
    case landmarkHands = "landmark-hands"
    /// Gesture recognition, with hand landmarks.
    case recognizeGestures = "recognize-gestures"
    /// Face landmarks: 478 per face, and blendshapes.
    case landmarkFaces = "landmark-faces"
    /// Pose landmarks: 33 per pose.
    case landmarkPoses = "landmark-poses"
    /// Holistic landmarks: the body, hands, and face of one person.
    case landmarkHolistic = "landmark-holistic"

    /// A Boolean value that indicates whether the task requires a `.task` bundle of several models.
    public var takesBundles: Bool {
      switch self {
      case .detectFaces, .detectObjects, .segment, .embed, .classify: false
      case .landmarkHands, .recognizeGestures, .landmarkFaces, .landmarkPoses, .landmarkHolistic: true
      }
    }
  }

  /// The size and type of a model's input images. For a bundle, those of the model that runs first.
  public struct Input: Sendable, Hashable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The element type: `float32` or `uint8`.
    public var type: String
    /// The source of this information. A task reads the size and type from the file itself.
    public var source: Source
  }

  /// The source of the size and type of a model's input images.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The file with this SHA-256, which was inspected.
    case file
    /// The publisher's documentation.
    case page
    /// An assumption from the network's name and from similar models.
    case assumed
  }

  /// The name in the catalog.
  public var name: String
  /// The task that runs the model.
  public var task: Task
  /// A one-line description.
  public var summary: String
  /// The input of the model.
  public var input: Input
  /// The license as an SPDX identifier, from the model card or the metadata in the file; `nil` if neither is known to
  /// specify a license. In this case, see `page` and ask the publisher.
  public var license: String?
  /// The URL of the publisher's description: the model card, which also lists unsuitable uses, or the page of the task.
  public var page: URL
  /// The URL of the file.
  public var url: URL
  /// The SHA-256 of the file, if the publisher specifies it or the file was inspected; otherwise `nil`.
  public var sha256: String?

  /// The model as a remote model for a ``ModelStore``.
  public var remoteModel: RemoteModel { RemoteModel(name: name, url: url, sha256: sha256) }

  /// Returns the same model, downloaded from a mirror of the published files: a directory on this device, or another
  /// server.
  ///
  /// In a directory, the file is looked up by three names: `NAME.tflite`, or `NAME.task` for a bundle; the path of the
  /// published URL; and the last component of this path if no other model has the same. On a server, the mirror has the
  /// path of the published URL. The store treats the result as the same model as the published one.
  ///
  /// - Parameter mirror: A file URL of a directory, or an `https` URL.
  /// - Throws: `ModelStoreError.Code.notFound` if the directory has no such file.
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
