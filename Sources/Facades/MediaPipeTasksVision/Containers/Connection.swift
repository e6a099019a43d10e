public import Foundation
import SwiftletVision

/// Two points of a thing that a drawing of it joins.
public final class Connection: NSObject, Sendable {
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
