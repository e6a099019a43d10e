public import Foundation
public import class MediaPipeTasksCommon.ResultCategory
import SwiftletVision

/// An object found in a picture.
#if canImport(ObjectiveC)
  @objc(MPPDetection) @objcMembers
#endif
open class Detection: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// Usually one; several where a model gives the same box several classes.
  public let categories: [ResultCategory]
  /// In pixels of the picture as it is stored, origin at the top left; whole numbers.
  public let boundingBox: CGRect
  /// `nil` for models without keypoints.
  public let keypoints: [NormalizedKeypoint]?

  /// An object of these values.
  public init(categories: [ResultCategory], boundingBox: CGRect, keypoints: [NormalizedKeypoint]?) {
    self.categories = categories
    self.boundingBox = boundingBox
    self.keypoints = keypoints
  }

  convenience init(_ value: SwiftletVision.Detection) {
    self.init(
      categories: value.categories.map { ResultCategory($0) }, boundingBox: value.boundingBox,
      keypoints: value.keypoints?.map { NormalizedKeypoint($0) })
  }
}
