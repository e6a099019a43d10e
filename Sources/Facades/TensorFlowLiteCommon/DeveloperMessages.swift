import Foundation

/// What façades tell developers besides the errors that they throw: why something failed, and what is not as asked for.
package enum DeveloperMessages {
  package typealias Handler = @Sendable (String) -> Void

  private static let state = State()

  /// Unchecked `Sendable` because the lock is what makes it so.
  private final class State: @unchecked Sendable {
    let lock = NSLock()
    var handler: Handler? = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    var given: Set<String> = []
  }

  /// Receives each message; writes it to the standard error output unless another one is set. Setting it forgets which
  /// warnings were given.
  package static var handler: Handler? {
    get { state.lock.withLock { state.handler } }
    set {
      state.lock.withLock {
        state.handler = newValue
        state.given = []
      }
    }
  }

  package static func report(_ message: String) { handler?(message) }

  /// Reports a message unless it was reported before.
  package static func warnOnce(_ message: String) {
    let handler = state.lock.withLock { state.given.insert(message).inserted ? state.handler : nil }
    handler?(message)
  }

  /// Says once that something was asked to run elsewhere than on the processor.
  package static func warnOfProcessor(insteadOf name: String) {
    warnOnce("\(name) is accepted, but there is no such path here: the model runs on the processor")
  }
}
