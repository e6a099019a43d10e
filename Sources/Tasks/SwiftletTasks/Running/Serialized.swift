import Foundation

/// A value that is used by one thread at a time.
///
/// Unchecked `Sendable` because the lock is what makes it so: the value is handed over at creation, and can only be
/// reached while the lock is held.
package final class Serialized<Value>: @unchecked Sendable {
  private var value: Value
  private let lock = NSLock()

  package init(_ value: sending Value) { self.value = value }

  package func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
