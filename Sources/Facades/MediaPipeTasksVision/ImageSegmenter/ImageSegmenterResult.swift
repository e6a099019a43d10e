public import Foundation
import SwiftletVision

// Unchecked because its base class is: it has constants only.

/// The masks of one picture.
#if canImport(ObjectiveC)
  @objc(MPPImageSegmenterResult) @objcMembers
#endif
open class ImageSegmenterResult: TaskResult, @unchecked Sendable {
  /// One per class, in the order of the labels, of floats; `nil` unless asked for. Of a model with one output channel,
  /// one.
  public let confidenceMasks: [Mask]?
  /// The class of every pixel, as bytes; `nil` unless asked for. Of a model with one output channel, 0 for the
  /// foreground and 255 for the rest.
  public let categoryMask: Mask?
  /// How good the model thinks each confidence mask is; all 1 for models that do not say.
  public let qualityScores: [NSNumber]?

  /// A result of these masks.
  public init(
    confidenceMasks: [Mask]?, categoryMask: Mask?, qualityScores: [NSNumber]?, timestampInMilliseconds: Int
  ) {
    self.confidenceMasks = confidenceMasks
    self.categoryMask = categoryMask
    self.qualityScores = qualityScores
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: Segmentation, time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: Segmentation, at time: Duration) {
    self.init(
      confidenceMasks: value.confidenceMasks.isEmpty ? nil : value.confidenceMasks.map { Mask($0) },
      categoryMask: value.categoryMask.map { Mask($0) },
      qualityScores: value.qualityScores.map { NSNumber(value: $0) },
      timestampInMilliseconds: time.inMilliseconds)
  }
}
