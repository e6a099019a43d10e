import SwiftletBase
package import SwiftletFlatBuffers

/// Why a model file, its metadata or a bundle cannot be used.
package struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of fault; more may be added.
  package struct Code: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// There are no bytes.
    package static let empty = Code(rawValue: "empty")
    /// The bytes are something else than what was asked for: a bundle, a web page, another format.
    package static let wrongFileType = Code(rawValue: "wrongFileType")
    /// The file ends too early, or is damaged so that something points outside it.
    package static let truncated = Code(rawValue: "truncated")
    /// The bytes break the file format.
    package static let malformed = Code(rawValue: "malformed")
    /// The file is readable but describes something contradictory.
    package static let invalid = Code(rawValue: "invalid")
    /// The file uses a feature that is not supported.
    package static let unsupported = Code(rawValue: "unsupported")
    /// The file exceeds a limit that protects the reader.
    package static let limitExceeded = Code(rawValue: "limitExceeded")
    /// The archive has no member, or the model no associated file, of the name asked for.
    package static let missingMember = Code(rawValue: "missingMember")
    /// The call that reads the file did not end before its deadline.
    package static let deadlineExceeded = Code(rawValue: "deadlineExceeded")
    /// The task that waits for the file to be read was cancelled.
    package static let cancelled = Code(rawValue: "cancelled")
  }

  package var code: Code
  /// What is wrong: expected, got, and what to do.
  package var message: String
  /// Where in the model, such as `subgraphs[0].operators[3] (CONV_2D)`; empty if it concerns the whole file.
  package var location: String
  /// The byte in the file or nested buffer at which the fault was seen, when it has one.
  package var byteOffset: Int?

  package init(_ code: Code, _ message: String, location: String = "", byteOffset: Int? = nil) {
    self.code = code
    self.message = SanitizedText.excerpt(message, limit: Self.maximumMessage)
    self.location = SanitizedText.excerpt(location, limit: Self.maximumMessage)
    self.byteOffset = byteOffset
  }

  /// A message of several excerpts from a file must not flood a log either.
  private static let maximumMessage = 2000

  /// The same fault in terms of the model file.
  init(_ error: FlatBufferError) {
    switch error.kind {
    case .outOfBounds:
      self.init(
        .truncated, error.what + "; the file is cut off or damaged, fetch it again", location: error.path,
        byteOffset: error.position)
    case .malformed:
      self.init(
        .malformed, error.what + "; the file is damaged or not made by a correct writer", location: error.path,
        byteOffset: error.position)
    case .limitExceeded:
      self.init(.limitExceeded, error.what, location: error.path, byteOffset: error.position)
    case .ended(let reason): self.init(reason)
    }
  }

  /// Creates the reading ended before it was done.
  init(_ ended: CallEnded) {
    switch ended {
    case .deadlineExceeded: self.init(.deadlineExceeded, ended.description)
    case .cancelled: self.init(.cancelled, ended.description)
    }
  }

  /// Returns the same error seen from one level further out.
  func located(in component: String) -> SchemaError {
    var error = self
    error.location = location.isEmpty ? component : component + "." + location
    return error
  }

  package var description: String {
    (location.isEmpty ? "" : location + ": ") + message + (byteOffset.map { " (byte \($0))" } ?? "")
  }
}

/// Runs `body`, turning its fault into a `SchemaError`.
func reading<Value>(_ body: () throws(FlatBufferError) -> Value) throws(SchemaError) -> Value {
  do {
    return try body()
  } catch {
    throw SchemaError(error)
  }
}

extension StepCounter {
  /// Counts steps as `count` does.
  ///
  /// - Throws: `SchemaError` after the deadline of the call.
  mutating func step(_ steps: Int = 1) throws(SchemaError) {
    do {
      try count(steps)
    } catch {
      throw SchemaError(error)
    }
  }
}

/// Runs `body`, adding `component` to the location of its error.
func locating<Value>(
  _ component: @autoclosure () -> String, _ body: () throws(SchemaError) -> Value
) throws(SchemaError) -> Value {
  do {
    return try body()
  } catch {
    throw error.located(in: component())
  }
}

/// How much a model file may ask of its reader.
package struct ModelLimits: Sendable, Hashable {
  /// Depth, table count and copied elements of the FlatBuffer.
  package var flatBuffer: FlatBufferLimits
  /// The most dimensions a tensor may have.
  package var rank: Int
  /// The most levels of subgraphs that call one another.
  package var callDepth: Int

  package init(flatBuffer: FlatBufferLimits = .default, rank: Int = 8, callDepth: Int = 64) {
    self.flatBuffer = flatBuffer
    self.rank = rank
    self.callDepth = callDepth
  }

  package static let `default` = ModelLimits()
}
