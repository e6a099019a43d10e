import Foundation

/// Settings of the entire process. Tests that change them, or need them unset, run one after the other.
package enum ProcessSettings {
  private static let lock = NSLock()

  package static func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
