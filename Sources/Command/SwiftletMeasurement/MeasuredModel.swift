package import SwiftletEngine
import SwiftletOperators

/// A model that cannot be measured, and why.
package struct MeasurementFailure: Error, Sendable, CustomStringConvertible {
  package let file: String
  package let reason: String
  /// Whether the model is fine, and only has no result for the inputs that were made up.
  package let isForInput: Bool

  package init(file: String, reason: String, isForInput: Bool = false) {
    self.file = file
    self.reason = reason
    self.isForInput = isForInput
  }

  package var description: String { "\(file): \(reason)" }
}

/// A model loaded from a file and run once, ready to be measured. All times are in milliseconds.
package final class MeasuredModel {
  package let path: String
  package let model: Model
  package let compiled: CompiledModel
  package let session: Session
  /// From the path to a session that can be run.
  package let load: Double
  package let first: Double

  /// - Throws: `MeasurementFailure` for a model that cannot be read, compiled or run.
  package init(_ path: String, options: RuntimeOptions) throws {
    self.path = path
    var isLoaded = false
    do {
      let start = ContinuousClock.now
      model = try Model(contentsOf: path)
      compiled = try CompiledModel(model, options: options)
      session = try Session(compiled)
      load = milliseconds(since: start)
      isLoaded = true
      try SyntheticInput.fill(session)
      first = try Self.run(session)
    } catch let error as RuntimeError {
      // The messages about the file itself name it.
      let text = "\(error)"
      throw MeasurementFailure(
        file: path, reason: text.hasPrefix("\(path): ") ? String(text.dropFirst(path.count + 2)) : text,
        isForInput: isLoaded && error.code != .limitExceeded)
    }
  }

  /// One run.
  package func run() throws -> Double {
    do {
      return try Self.run(session)
    } catch let error as RuntimeError {
      throw MeasurementFailure(file: path, reason: "\(error)")
    }
  }

  private static func run(_ session: Session) throws -> Double {
    let start = ContinuousClock.now
    try session.run()
    return milliseconds(since: start)
  }
}

/// The time that has passed, in milliseconds.
package func milliseconds(since start: ContinuousClock.Instant) -> Double {
  (ContinuousClock.now - start) / .milliseconds(1)
}
