package import SwiftletBase

/// How much a hostile buffer may make its reader do.
///
/// Offsets may share targets, so a small file can describe an enormous tree; these limits bound the work and the
/// memory no matter what the offsets say.
package struct FlatBufferLimits: Sendable, Hashable {
  /// The deepest nesting of tables.
  package var depth: Int
  /// The most tables that may be visited, if the buffer is large enough for them; a table reached twice counts twice.
  package var tables: Int
  /// The most elements and text bytes that may be copied out of vectors and strings.
  package var elements: Int

  package init(depth: Int = 64, tables: Int = 1_000_000, elements: Int = 1 << 28) {
    self.depth = depth
    self.tables = tables
    self.elements = elements
  }

  package static let `default` = FlatBufferLimits()
}

/// What is left of the limits while one buffer is read.
package struct FlatBufferBudget: Sendable {
  package let limits: FlatBufferLimits
  package private(set) var remainingTables: Int
  package private(set) var remainingElements: Int
  private var steps = StepCounter()

  /// Creates a fresh budget for a buffer of `byteCount` bytes.
  ///
  /// A buffer that shares nothing cannot hold more elements than bytes; four times that leaves room for writers
  /// that deduplicate, and keeps the memory proportional to the file.
  package init(limits: FlatBufferLimits = .default, byteCount: Int) {
    self.limits = limits
    // A table that nothing else refers to takes eight bytes with its offset, and becomes some hundred in memory.
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

  /// Returns the same error seen from one table further out.
  package func prefixed(by component: String) -> FlatBufferError {
    var error = self
    error.path = path.isEmpty ? component : component + "." + path
    return error
  }

  package var description: String {
    (path.isEmpty ? "" : path + ": ") + what + " (byte \(position))"
  }
}
