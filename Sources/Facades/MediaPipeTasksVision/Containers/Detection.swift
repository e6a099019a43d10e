public import Foundation
public import class MediaPipeTasksCommon.Classifications
public import class MediaPipeTasksCommon.ResultCategory
import SwiftletImage
import SwiftletVision

/// An object found in an image.
#if canImport(ObjectiveC)
  @objc(MPPDetection) @objcMembers
#endif
open class Detection: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// Usually one; several where a model gives the same box several classes.
  public let categories: [ResultCategory]
  /// In pixels of the image as it is stored, origin at the top left; whole numbers.
  public let boundingBox: CGRect
  /// `nil` for models without keypoints.
  public let keypoints: [NormalizedKeypoint]?

  /// Creates an object of these values.
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

/// A point of a detected object. Two are equal when all of their values are.
#if canImport(ObjectiveC)
  @objc(MPPNormalizedKeypoint) @objcMembers
#endif
open class NormalizedKeypoint: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// Position as fractions of the image's width and height, origin at the top left of the image as it is stored.
  /// Not clamped: a point may lie outside 0…1.
  public let location: CGPoint
  /// The label of the keypoint, if the model has one.
  public let label: String?
  /// The confidence of the model, 0 if it has none.
  public let score: Float

  /// Creates a point of these values.
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

  /// Creates a detection of a box, a label and a score.
  open override var hash: Int { value.hashValue }

  /// Whether `object` is a keypoint with the same place, label and score.
  open override func isEqual(_ object: Any?) -> Bool { (object as? NormalizedKeypoint)?.value == value }
}

// MediaPipe's categories of what has types of its own in the native tasks.

extension ResultCategory {
  /// Creates the handedness of a hand.
  convenience init(handednessOf hand: Hand) {
    let (index, name) = hand.handedness == .right ? (0, "Right") : (1, "Left")
    self.init(index: index, score: hand.handednessScore, categoryName: name, displayName: name)
  }

  /// Creates a gesture; gestures have no number.
  convenience init(_ gesture: Gesture) {
    self.init(index: -1, score: gesture.score, categoryName: gesture.name, displayName: nil)
  }
}

extension Classifications {
  /// Creates the blendshapes of a face.
  convenience init(blendshapes: FaceBlendshapes) {
    self.init(
      headIndex: 0, headName: "",
      categories: FaceBlendshape.allCases.map {
        ResultCategory(index: $0.rawValue, score: blendshapes[$0], categoryName: $0.name, displayName: nil)
      })
  }
}
