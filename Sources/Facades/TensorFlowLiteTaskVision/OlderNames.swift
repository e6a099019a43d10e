public import Foundation

// Names of the original's first releases, which some apps still use.

extension ImageClassifier {
  /// The older name of `classifier(options:)`.
  public static func imageClassifier(options: ImageClassifierOptions) throws -> ImageClassifier {
    try classifier(options: options)
  }

  /// The older name of `classify(mlImage:)`.
  public func classify(gmlImage image: MLImage) throws -> ClassificationResult { try classify(mlImage: image) }

  /// The older name of `classify(mlImage:regionOfInterest:)`.
  public func classify(gmlImage image: MLImage, regionOfInterest roi: CGRect) throws -> ClassificationResult {
    try classify(mlImage: image, regionOfInterest: roi)
  }
}

extension ObjectDetector {
  /// The older name of `detector(options:)`.
  public static func objectDetector(options: ObjectDetectorOptions) throws -> ObjectDetector {
    try detector(options: options)
  }

  /// The older name of `detect(mlImage:)`.
  public func detect(gmlImage image: MLImage) throws -> DetectionResult { try detect(mlImage: image) }
}

extension ImageSegmenter {
  /// The older name of `segmenter(options:)`.
  public static func imageSegmenter(options: ImageSegmenterOptions) throws -> ImageSegmenter {
    try segmenter(options: options)
  }

  /// The older name of `segment(mlImage:)`.
  public func segment(gmlImage image: MLImage) throws -> SegmentationResult { try segment(mlImage: image) }
}
