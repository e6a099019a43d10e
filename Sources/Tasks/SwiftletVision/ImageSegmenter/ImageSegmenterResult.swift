/// The masks of one picture.
public struct ImageSegmenterResult: Sendable, Equatable {
  /// One per class, in the order of the labels, of floats; `nil` unless asked for. Of a model with one output channel,
  /// one.
  public var confidenceMasks: [Mask]?
  /// The class of every pixel, as bytes; `nil` unless asked for. Of a model with one output channel, 0 for the
  /// foreground and 255 for the rest.
  public var categoryMask: Mask?
  /// How good the model thinks each confidence mask is; all 1 for models that do not say.
  public var qualityScores: [Float]
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  /// The masks of a picture.
  public init(
    confidenceMasks: [Mask]?, categoryMask: Mask?, qualityScores: [Float], timestamp: Duration
  ) {
    self.confidenceMasks = confidenceMasks
    self.categoryMask = categoryMask
    self.qualityScores = qualityScores
    self.timestamp = timestamp
  }
}
