/// The masks of an image.
public struct Segmentation: Sendable, Equatable {
  /// The category of every pixel; `nil` unless requested.
  public var categoryMask: CategoryMask?
  /// The confidences of each category, in the order of the labels; empty unless requested. A model with one output channel
  /// gives one mask.
  public var confidenceMasks: [ConfidenceMask]
  /// The model's estimate of the quality of each confidence mask; all 1 for models that give none.
  public var qualityScores: [Float]

  /// Creates the masks of an image.
  public init(categoryMask: CategoryMask?, confidenceMasks: [ConfidenceMask], qualityScores: [Float]) {
    self.categoryMask = categoryMask
    self.confidenceMasks = confidenceMasks
    self.qualityScores = qualityScores
  }
}

/// The masks that a segmenter makes.
public struct SegmentationOutputs: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: Int

  /// Creates a set from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The category of every pixel.
  public static let categoryMask = SegmentationOutputs(rawValue: 1)
  /// The confidences of each category.
  public static let confidenceMasks = SegmentationOutputs(rawValue: 2)
}

/// The size of the masks that a segmenter makes.
public enum MaskResolution: Sendable, Hashable {
  /// The size of the image, as in MediaPipe.
  case image
  /// The size of the model's output. It holds all the information there is, and takes much less time and memory.
  case model
}
