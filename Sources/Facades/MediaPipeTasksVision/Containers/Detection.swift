public import Foundation
public import class MediaPipeTasksCommon.ResultCategory
import SwiftletImage
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

  convenience init(_ face: FaceDetection) {
    self.init(
      [ResultCategory(index: 0, score: face.score, categoryName: nil, displayName: nil)], face.box, face.keypoints)
  }

  convenience init(_ object: ObjectDetection) {
    self.init(object.categories.map { ResultCategory($0) }, object.box, object.keypoints)
  }

  private convenience init(_ categories: [ResultCategory], _ box: PixelRect, _ keypoints: [NormalizedPoint]) {
    self.init(
      categories: categories, boundingBox: CGRect(x: box.x, y: box.y, width: box.width, height: box.height),
      keypoints: keypoints.isEmpty ? nil : keypoints.map { NormalizedKeypoint($0) })
  }
}
