package import SwiftletBase

/// Why bytes could not be read as a FlatBuffer or a FlexBuffer.
package struct FlatBufferError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of fault, for code that wants to react rather than report.
  package enum Kind: Sendable, Hashable {
    /// Something points, or reaches, outside the bytes: the data is cut off or damaged.
    case outOfBounds
    /// The bytes break a rule of the format.
    case malformed
    /// The bytes keep to the format but exceed a limit that protects the reader.
    case limitExceeded
    /// The call that reads the bytes has ended.
    case ended(CallEnded)
  }

  package var kind: Kind
  /// What is wrong: expected, got.
  package var what: String
  /// The byte at which the fault was seen, counted from the start of the buffer.
  package var position: Int
  /// The fields that lead there from the root, such as `subgraphs[0].tensors[3].shape`; empty for the root.
  package var path: String

  package init(_ kind: Kind, _ what: String, position: Int, path: String = "") {
    self.kind = kind
    self.what = what
    self.position = position
    self.path = path
  }

  /// The same error seen from one table further out.
  package func prefixed(by component: String) -> FlatBufferError {
    var error = self
    error.path = path.isEmpty ? component : component + "." + path
    return error
  }

  package var description: String {
    (path.isEmpty ? "" : path + ": ") + what + " (byte \(position))"
  }
}
