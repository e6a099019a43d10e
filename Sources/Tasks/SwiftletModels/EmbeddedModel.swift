import CSwiftletModels
public import SwiftletVision

/// The bundled models, embedded in the program: one for each task, to try the library without a file and without a
/// network.
///
/// They were trained on synthetic images and don't generalize to photos. `Models/` contains them as files, with a card
/// for each that reports its accuracy. They have the license of the package.
/// ```swift
/// let detector = try FaceDetector(.embedded(.faceDetector))
/// ```
/// A program contains the models only if it links the product `SwiftletModels` or the products with ML Kit's names. ML
/// Kit's detectors and labelers use them if the program names no model. No other product contains them.
///
/// - Thread safety: callable concurrently.
public enum EmbeddedModel: String, Sendable, Hashable, CaseIterable {
  /// Face detection with six keypoints, for `FaceDetector`.
  case faceDetector = "face_detector"
  /// Detection of balls, cubes, cones, cylinders, rings, stars, hearts, and mugs, for `ObjectDetector` and the
  /// localizer of `ObjectTracker`.
  case objectDetector = "object_detector"
  /// Segmentation into categories, for `ImageSegmenter`.
  case imageSegmenter = "image_segmenter"
  /// Classification of images, for `ImageClassifier` and the classifier of `ObjectTracker`.
  case imageClassifier = "image_classifier"
  /// Feature vectors for image similarity, for `ImageEmbedder`.
  case imageEmbedder = "image_embedder"

  /// The name of the embedded model file in `Models/`.
  public var fileName: String { rawValue + "_int8.tflite" }

  /// A copy of the model file.
  public var bytes: [UInt8] { withUnsafeBytes(Array.init) }

  /// Calls `body` with the model file in the memory of the program. The memory is 64-byte aligned and valid for as long
  /// as the program runs.
  ///
  /// - Throws: The errors of `body`.
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
  /// Returns a source for a bundled model. The model is used in place, without a copy.
  public static func embedded(_ model: EmbeddedModel) -> ModelSource {
    // The memory is a constant of the program, so its address is valid for longer than the call.
    model.withUnsafeBytes { .program(ProgramMemory($0, name: "the package's own \(model.fileName)")) }
  }
}
