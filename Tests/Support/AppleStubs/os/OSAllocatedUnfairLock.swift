// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stub of Apple's module for other platforms. It's a working lock, so that code that uses it can run.
import Foundation

public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  private let mutex = NSLock()

  public init() where State == Void {}

  @available(*, noasync)
  public func lock() where State == Void { mutex.lock() }

  @available(*, noasync)
  public func unlock() where State == Void { mutex.unlock() }
}
