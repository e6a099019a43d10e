public import Foundation

/// What the results of all tasks have in common.
///
/// Unchecked `Sendable` because the compiler checks only final classes: this one and all that derive from it in this
/// package have nothing but constants. What a program derives from it has to keep that.
#if canImport(ObjectiveC)
  @objc(MPPTaskResult) @objcMembers
#endif
open class TaskResult: NSObject, NSCopying, @unchecked Sendable {
  /// The time the input came with; for single pictures a second per call: 0, 1000, 2000, …
  public let timestampInMilliseconds: Int

  /// A result of that time.
  public init(timestampInMilliseconds: Int) { self.timestampInMilliseconds = timestampInMilliseconds }

  /// The result itself, as results never change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
