import Foundation

/// Admits a limited number of callers at a time, lets a limited number wait, and rejects all others.
///
/// It's unchecked `Sendable` because a lock protects its state.
final class Turnstile: @unchecked Sendable {
  private let capacity: Int
  private let maximumWaiting: Int
  private let condition = NSCondition()
  private var inside = 0
  private var waiting = 0

  init(capacity: Int, maximumWaiting: Int) {
    self.capacity = capacity
    self.maximumWaiting = maximumWaiting
  }

  /// Returns the result of `body`, or `nil` if too many callers are waiting.
  func pass<Value>(_ body: () throws -> Value) rethrows -> Value? {
    guard enter() else { return nil }
    defer { leave() }
    return try body()
  }

  func enter() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if inside == capacity {
      guard waiting < maximumWaiting else { return false }
      waiting += 1
      while inside == capacity { condition.wait() }
      waiting -= 1
    }
    inside += 1
    return true
  }

  func leave() {
    condition.lock()
    inside -= 1
    condition.unlock()
    condition.signal()
  }
}
