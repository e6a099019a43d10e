import Dispatch
import SwiftletBase

/// Rows of an image, divided among threads.
///
/// One caller at a time.
final class RowBands: Sendable {
  let rowCount: Int
  /// The number of bands, at least 1: no more than threads, and none of so few rows that a thread is not worth it.
  let count: Int
  /// The first error of a band.
  private let failure = Mutex<(any Error)?>(nil)

  init(rowCount: Int, threads: Int, leastRows: Int = 32) {
    self.rowCount = rowCount
    count = max(1, min(threads, rowCount / leastRows))
  }

  /// The rows of band `index`.
  func rows(_ index: Int) -> Range<Int> { rowCount * index / count..<rowCount * (index + 1) / count }

  /// Rows that are worked on between two looks at the deadline of the call.
  private static let rowsBetweenLooks = 256

  /// Calls `body` for every band, at the same time where there are several, and waits. A call that has a deadline works on
  /// some rows of a band after the other.
  ///
  /// - Parameter body: writes nothing but what belongs to its band or its rows.
  /// - Throws: the error of a band that failed first, and `CallEnded` after the deadline of the call.
  func forEach(_ body: (_ band: Int, _ rows: Range<Int>) throws -> Void) throws {
    let context = CallContext.current
    guard count > 1 else { return try run(0, in: context, body) }
    withoutActuallyEscaping(body) { body in
      // Not `Sendable`, as it holds pointers; what it writes through them is its own, and it is done before this
      // returns.
      nonisolated(unsafe) let body = body
      DispatchQueue.concurrentPerform(iterations: count) { band in
        do {
          try run(band, in: context, body)
        } catch {
          failure.withLock { if $0 == nil { $0 = error } }
        }
      }
    }
    let error = failure.withLock { failure in
      defer { failure = nil }
      return failure
    }
    if let error { throw error }
  }

  private func run(
    _ band: Int, in context: CallContext?, _ body: (_ band: Int, _ rows: Range<Int>) throws -> Void
  ) throws {
    let rows = rows(band)
    guard let context else { return try body(band, rows) }
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.rowsBetweenLooks) {
      try context.check()
      try body(band, start..<min(start + Self.rowsBetweenLooks, rows.upperBound))
    }
  }
}
