import SwiftletBase
package import SwiftletFlatBuffers

/// An error in a model file, its metadata, or a bundle.
package struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error. More kinds may be added.
  package struct Code: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The file is empty.
    package static let empty = Code(rawValue: "empty")
    /// The file is of another kind than requested: a bundle, a web page, or another format.
    package static let wrongFileType = Code(rawValue: "wrongFileType")
    /// The file is truncated, or damaged so that an offset is outside the file.
    package static let truncated = Code(rawValue: "truncated")
    /// The bytes violate the file format.
    package static let malformed = Code(rawValue: "malformed")
    /// The file is readable, but its contents are inconsistent.
    package static let invalid = Code(rawValue: "invalid")
    /// The file uses a feature that isn't supported.
    package static let unsupported = Code(rawValue: "unsupported")
    /// The file exceeds a limit that protects the reader.
    package static let limitExceeded = Code(rawValue: "limitExceeded")
    /// The archive has no member, or the model has no associated file, with the requested name.
    package static let missingMember = Code(rawValue: "missingMember")
    /// Reading the file didn't end before the deadline of the call.
    package static let deadlineExceeded = Code(rawValue: "deadlineExceeded")
    /// The task that awaits the file was cancelled.
    package static let cancelled = Code(rawValue: "cancelled")
  }

  package var code: Code
  /// A description of the problem: expected, got, and what to do.
  package var message: String
  /// The location in the model, such as `subgraphs[0].operators[3] (CONV_2D)`; empty for the whole file.
  package var location: String
  /// The byte position of the error in the file or nested buffer, if there is one.
  package var byteOffset: Int?

  package init(_ code: Code, _ message: String, location: String = "", byteOffset: Int? = nil) {
    self.code = code
    self.message = SanitizedText.excerpt(message, limit: Self.maximumMessage)
    self.location = SanitizedText.excerpt(location, limit: Self.maximumMessage)
    self.byteOffset = byteOffset
  }

  /// The maximum length of a message, so that several excerpts from a file can't flood a log.
  private static let maximumMessage = 2000

  /// Creates the same error in terms of the model file.
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

  /// Creates an error for a call that ended before reading was done.
  init(_ ended: CallEnded) {
    switch ended {
    case .deadlineExceeded: self.init(.deadlineExceeded, ended.description)
    case .cancelled: self.init(.cancelled, ended.description)
    }
  }

  /// Returns the same error with a location that starts one level further out.
  func located(in component: String) -> SchemaError {
    var error = self
    error.location = location.isEmpty ? component : component + "." + location
    return error
  }

  package var description: String {
    (location.isEmpty ? "" : location + ": ") + message + (byteOffset.map { " (byte \($0))" } ?? "")
  }
}

/// Runs `body`, and converts its error to a `SchemaError`.
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

/// Runs `body`, and prefixes the location of its error with `component`.
func locating<Value>(
  _ component: @autoclosure () -> String, _ body: () throws(SchemaError) -> Value
) throws(SchemaError) -> Value {
  do {
    return try body()
  } catch {
    throw error.located(in: component())
  }
}

/// Limits on the work and memory that a model file may cause.
package struct ModelLimits: Sendable, Hashable {
  /// The limits on depth, tables, and copied elements of the FlatBuffer.
  package var flatBuffer: FlatBufferLimits
  /// The maximum rank of a tensor.
  package var rank: Int
  /// The maximum depth of nested subgraph calls.
  package var callDepth: Int

  package init(flatBuffer: FlatBufferLimits = .default, rank: Int = 8, callDepth: Int = 64) {
    self.flatBuffer = flatBuffer
    self.rank = rank
    self.callDepth = callDepth
  }

  package static let `default` = ModelLimits()
}
