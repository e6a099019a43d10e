import Foundation

/// A value that is used by one thread at a time.
///
/// Unchecked `Sendable` because the lock is what makes it so: the value is only reachable while it is held.
final class Serialized<Value>: @unchecked Sendable {
  private let value: Value
  private let lock = NSLock()

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(value)
  }
}

/// The made-up time of image mode: the first call is at 0, each further one a second later.
struct ImageModeClock {
  private var milliseconds = 0

  mutating func next() -> Int {
    defer { milliseconds += 1000 }
    return milliseconds
  }
}
