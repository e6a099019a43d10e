package import SwiftletBase

/// Limits on the work and memory that an untrusted buffer may cause.
///
/// Offsets may share targets, so a small file can describe an enormous tree. These limits bound the work and the memory
/// for any offsets.
package struct FlatBufferLimits: Sendable, Hashable {
  /// The maximum nesting depth of tables.
  package var depth: Int
  /// The maximum number of visited tables, if the buffer is large enough for them. A table reached twice counts twice.
  package var tables: Int
  /// The maximum number of elements and text bytes copied from vectors and strings.
  package var elements: Int

  package init(depth: Int = 64, tables: Int = 1_000_000, elements: Int = 1 << 28) {
    self.depth = depth
    self.tables = tables
    self.elements = elements
  }

  package static let `default` = FlatBufferLimits()
}

/// The remaining limits while one buffer is read.
package struct FlatBufferBudget: Sendable {
  package let limits: FlatBufferLimits
  package private(set) var remainingTables: Int
  package private(set) var remainingElements: Int
  private var steps = StepCounter()

  /// Creates a fresh budget for a buffer of `byteCount` bytes.
  ///
  /// A buffer without sharing can't contain more elements than bytes. Four times the byte count leaves room for writers
  /// that deduplicate, and keeps the memory proportional to the file size.
  package init(limits: FlatBufferLimits = .default, byteCount: Int) {
    self.limits = limits
    // A table that is referenced only once takes eight bytes with its offset, and a hundred or more in memory.
    remainingTables = min(limits.tables, max(byteCount / 2, 1 << 14))
    let (scaled, overflow) = byteCount.multipliedReportingOverflow(by: 4)
    let proportional = overflow ? Int.max : max(scaled, 1 << 20)
    remainingElements = min(limits.elements, proportional)
  }

  mutating func takeTables(_ count: Int, position: Int) throws(FlatBufferError) {
    guard count <= remainingTables else {
      throw FlatBufferError(
        .limitExceeded,
        "the buffer has more tables than the limit of \(limits.tables), or than a buffer of its size can hold",
        position: position)
    }
    remainingTables -= count
    try countSteps(count, position: position)
  }

  mutating func takeElements(_ count: Int, position: Int) throws(FlatBufferError) {
    guard count <= remainingElements else {
      throw FlatBufferError(
        .limitExceeded,
        """
        the vectors and strings read so far, and \(count) more elements here, exceed the limit for a buffer of this \
        size
        """,
        position: position)
    }
    remainingElements -= count
    // Copying is faster than reading tables.
    try countSteps(count / 64, position: position)
  }

  private mutating func countSteps(_ count: Int, position: Int) throws(FlatBufferError) {
    do {
      try steps.count(count)
    } catch {
      throw FlatBufferError(.ended(error), error.description, position: position)
    }
  }
}

/// An error that occurred while bytes were read as a FlatBuffer or a FlexBuffer.
package struct FlatBufferError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error, for code that handles the error instead of reporting it.
  package enum Kind: Sendable, Hashable {
    /// An offset or an extent is outside the bytes: the data is truncated or damaged.
    case outOfBounds
    /// The bytes violate a rule of the format.
    case malformed
    /// The bytes conform to the format but exceed a limit that protects the reader.
    case limitExceeded
    /// The call that reads the bytes has ended.
    case ended(CallEnded)
  }

  package var kind: Kind
  /// A description of the error: expected, got.
  package var what: String
  /// The byte position of the error, counted from the start of the buffer.
  package var position: Int
  /// The field path from the root to the error, such as `subgraphs[0].tensors[3].shape`; empty for the root.
  package var path: String

  package init(_ kind: Kind, _ what: String, position: Int, path: String = "") {
    self.kind = kind
    self.what = what
    self.position = position
    self.path = path
  }

  /// Returns the same error with a path that starts one table further out.
  package func prefixed(by component: String) -> FlatBufferError {
    var error = self
    error.path = path.isEmpty ? component : component + "." + path
    return error
  }

  package var description: String {
    (path.isEmpty ? "" : path + ": ") + what + " (byte \(position))"
  }
}
