import Foundation

/// Admits a limited number of callers at a time, in the order of their arrival. A limited number of others can wait.
///
/// Unchecked `Sendable` because all variables are protected by the lock.
final class Turnstile: @unchecked Sendable {
  private let maximumWaiting: Int
  private let lock = NSLock()
  private var free: Int
  private var waiting: [DispatchSemaphore] = []

  init(capacity: Int, maximumWaiting: Int) {
    free = capacity
    self.maximumWaiting = maximumWaiting
  }

  /// Returns the result of `body`, or `nil` if too many callers are waiting.
  func pass<Value>(_ body: () throws -> Value) rethrows -> Value? {
    guard enter() else { return nil }
    defer { leave() }
    return try body()
  }

  func enter() -> Bool {
    lock.lock()
    if free > 0 {
      free -= 1
      lock.unlock()
      return true
    }
    guard waiting.count < maximumWaiting else {
      lock.unlock()
      return false
    }
    let turn = DispatchSemaphore(value: 0)
    waiting.append(turn)
    lock.unlock()
    turn.wait()
    return true
  }

  /// Gives the place to the caller that has waited longest. If the place were free for a moment, a new caller could take
  /// it, and some would wait several times as long as others.
  func leave() {
    lock.lock()
    let next = waiting.isEmpty ? nil : waiting.removeFirst()
    if next == nil { free += 1 }
    lock.unlock()
    next?.signal()
  }
}
