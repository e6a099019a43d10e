public import Foundation

// Names from the Task Library's first releases, which some apps still use.

extension ImageClassifier {
  /// Returns a classifier: the former name of `classifier(options:)`.
  public static func imageClassifier(options: ImageClassifierOptions) throws -> ImageClassifier {
    try classifier(options: options)
  }

  /// Classifies an image: the former name of `classify(mlImage:)`.
  public func classify(gmlImage image: MLImage) throws -> ClassificationResult { try classify(mlImage: image) }

  /// Classifies a part of an image: the former name of `classify(mlImage:regionOfInterest:)`.
  public func classify(gmlImage image: MLImage, regionOfInterest roi: CGRect) throws -> ClassificationResult {
    try classify(mlImage: image, regionOfInterest: roi)
  }
}

extension ObjectDetector {
  /// Returns a detector: the former name of `detector(options:)`.
  public static func objectDetector(options: ObjectDetectorOptions) throws -> ObjectDetector {
    try detector(options: options)
  }

  /// Detects objects: the former name of `detect(mlImage:)`.
  public func detect(gmlImage image: MLImage) throws -> DetectionResult { try detect(mlImage: image) }
}

extension ImageSegmenter {
  /// Returns a segmenter: the former name of `segmenter(options:)`.
  public static func imageSegmenter(options: ImageSegmenterOptions) throws -> ImageSegmenter {
    try segmenter(options: options)
  }

  /// Segments an image: the former name of `segment(mlImage:)`.
  public func segment(gmlImage image: MLImage) throws -> SegmentationResult { try segment(mlImage: image) }
}
