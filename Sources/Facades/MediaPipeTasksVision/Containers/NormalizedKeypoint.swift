public import Foundation
import SwiftletImage

/// A point of a detected object. Two are equal when all of their values are.
#if canImport(ObjectiveC)
  @objc(MPPNormalizedKeypoint) @objcMembers
#endif
open class NormalizedKeypoint: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// Position as fractions of the picture's width and height, origin at the top left of the picture as it is stored.
  /// Not clamped: a point may lie outside 0…1.
  public let location: CGPoint
  /// What the point is, if the model says so.
  public let label: String?
  /// How sure the model is, 0 where it does not say.
  public let score: Float

  /// A point of these values.
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

  /// Of place, label and score.
  open override var hash: Int { value.hashValue }

  /// Whether `object` is a key point with the same place, label and score.
  open override func isEqual(_ object: Any?) -> Bool { (object as? NormalizedKeypoint)?.value == value }
}
