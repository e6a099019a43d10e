public import Foundation
public import class MediaPipeTasksCommon.Classifications
public import class MediaPipeTasksCommon.ResultCategory
import SwiftletImage
import SwiftletVision

/// A detected object.
#if canImport(ObjectiveC)
  @objc(MPPDetection) @objcMembers
#endif
open class Detection: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The categories: usually one, or several if a model assigns several classes to the same box.
  public let categories: [ResultCategory]
  /// The bounding box in whole pixels of the stored image, with the origin at the top left.
  public let boundingBox: CGRect
  /// The keypoints; `nil` for models without keypoints.
  public let keypoints: [NormalizedKeypoint]?

  /// Creates a detected object.
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

/// A keypoint of a detected object. Two keypoints are equal if all of their values are.
#if canImport(ObjectiveC)
  @objc(MPPNormalizedKeypoint) @objcMembers
#endif
open class NormalizedKeypoint: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The position as fractions of the image's width and height, with the origin at the top left of the stored image.
  /// Not clamped: a point may lie outside 0…1.
  public let location: CGPoint
  /// The label of the keypoint, if the model has one.
  public let label: String?
  /// The score, 0 if the model has none.
  public let score: Float

  /// Creates a keypoint.
  public init(location: CGPoint, label: String?, score: Float) {
    self.location = location
    self.label = label
    self.score = score
  }

  convenience init(_ point: NormalizedPoint) {
    self.init(location: CGPoint(x: Double(point.x), y: Double(point.y)), label: nil, score: 0)
  }

  private struct Value: Hashable {
    var x: CGFloat
    var y: CGFloat
    var label: String?
    var score: Float
  }

  private var value: Value { Value(x: location.x, y: location.y, label: label, score: score) }

  /// A hash of the position, label, and score.
  open override var hash: Int { value.hashValue }

  /// Returns whether `object` is a keypoint with the same position, label, and score.
  open override func isEqual(_ object: Any?) -> Bool { (object as? NormalizedKeypoint)?.value == value }
}

// Conversions to MediaPipe's categories of values that have types of their own in Swiftlet's tasks.

extension ResultCategory {
  /// Creates a category for the handedness of a hand.
  convenience init(handednessOf hand: Hand) {
    let (index, name) = hand.handedness == .right ? (0, "Right") : (1, "Left")
    self.init(index: index, score: hand.handednessScore, categoryName: name, displayName: name)
  }

  /// Creates a category for a gesture, which has no index.
  convenience init(_ gesture: Gesture) {
    self.init(index: -1, score: gesture.score, categoryName: gesture.name, displayName: nil)
  }
}

extension Classifications {
  /// Creates the categories for the blendshapes of a face.
  convenience init(blendshapes: FaceBlendshapes) {
    self.init(
      headIndex: 0, headName: "",
      categories: FaceBlendshape.allCases.map {
        ResultCategory(index: $0.rawValue, score: blendshapes[$0], categoryName: $0.name, displayName: nil)
      })
  }
}
