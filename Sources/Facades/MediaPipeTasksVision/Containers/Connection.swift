public import Foundation
import SwiftletVision

/// Two points of a thing that a drawing of it joins.
#if canImport(ObjectiveC)
  @objc(MPPConnection) @objcMembers
#endif
open class Connection: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// The number of the point at which the line begins.
  public let start: UInt
  /// The number of the point at which the line ends.
  public let end: UInt

  /// A line between two points.
  public init(start: UInt, end: UInt) {
    self.start = start
    self.end = end
  }

  convenience init(_ value: LandmarkConnection) { self.init(start: UInt(value.start), end: UInt(value.end)) }
}
