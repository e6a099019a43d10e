public import Foundation

/// What the results of all tasks have in common.
///
/// Unchecked `Sendable` because the compiler checks only final classes: this one and all that derive from it, which
/// only this module can declare, have nothing but constants.
public class TaskResult: NSObject, NSCopying, @unchecked Sendable {
  /// The time the frame came with; in image mode a second per call: 0, 1000, 2000, …
  public let timestampInMilliseconds: Int

  /// A result of that time.
  public init(timestampInMilliseconds: Int) { self.timestampInMilliseconds = timestampInMilliseconds }

  /// The result itself, as results never change.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
