// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's module where there is none; it locks, so that what stands on it can be run.
import Foundation

public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  private let mutex = NSLock()

  public init() where State == Void {}

  @available(*, noasync)
  public func lock() where State == Void { mutex.lock() }

  @available(*, noasync)
  public func unlock() where State == Void { mutex.unlock() }
}
