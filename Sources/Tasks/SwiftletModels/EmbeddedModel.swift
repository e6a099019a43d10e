import CSwiftletModels
public import SwiftletVision

/// The package's own models, as a part of the program: one for each task, to try the library without a file and without
/// a network.
///
/// They were trained on synthetic images and are not meant for photographs; `Models/` holds them as files, with a card
/// for each that says how good they are. They have the license of the package.
/// ```swift
/// let detector = try FaceDetector(.embedded(.faceDetector))
/// ```
/// A program has them only if it links the product `SwiftletModels`, or those with ML Kit's names, whose detectors and
/// labelers use them where a program names no model: no other product contains them.
///
/// - Thread safety: callable concurrently.
public enum EmbeddedModel: String, Sendable, Hashable, CaseIterable {
  /// Faces with six keypoints, for `FaceDetector`.
  case faceDetector = "face_detector"
  /// Balls, cubes, cones, cylinders, rings, stars, hearts and mugs, for `ObjectDetector` and the localizer of
  /// `ObjectTracker`.
  case objectDetector = "object_detector"
  /// The category of every pixel, for `ImageSegmenter`.
  case imageSegmenter = "image_segmenter"
  /// The category of an image, for `ImageClassifier` and the classifier of `ObjectTracker`.
  case imageClassifier = "image_classifier"
  /// A vector by which images of the same thing are known, for `ImageEmbedder`.
  case imageEmbedder = "image_embedder"

  /// The model file in `Models/` that is embedded.
  public var fileName: String { rawValue + "_int8.tflite" }

  /// A copy of the model file.
  public var bytes: [UInt8] { withUnsafeBytes(Array.init) }

  /// Calls `body` with the model file where it lies in the program: at a multiple of 64, for as long as the program
  /// runs.
  ///
  /// - Throws: what `body` throws.
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let model = stored
    return try body(UnsafeRawBufferPointer(start: model.bytes, count: model.size))
  }

  private var stored: swiftlet_model {
    switch self {
    case .faceDetector: swiftlet_face_detector()
    case .objectDetector: swiftlet_object_detector()
    case .imageSegmenter: swiftlet_image_segmenter()
    case .imageClassifier: swiftlet_image_classifier()
    case .imageEmbedder: swiftlet_image_embedder()
    }
  }
}

extension ModelSource {
  /// One of the package's own models. It is read where it lies in the program, without a copy.
  public static func embedded(_ model: EmbeddedModel) -> ModelSource {
    // The memory is a constant of the program, so its address is good for longer than the call.
    model.withUnsafeBytes { .program(ProgramMemory($0, name: "the package's own \(model.fileName)")) }
  }
}
