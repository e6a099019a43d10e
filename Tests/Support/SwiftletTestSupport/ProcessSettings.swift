import Foundation

/// Settings that hold for the whole process: tests that change them, or need them unset, take turns.
package enum ProcessSettings {
  private static let lock = NSLock()

  package static func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
