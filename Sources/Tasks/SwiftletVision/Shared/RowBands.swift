import Dispatch
import SwiftletBase

/// The rows of an image, divided among threads.
///
/// - Thread safety: one caller at a time.
final class RowBands: Sendable {
  let rowCount: Int
  /// The number of bands, at least 1: at most one per thread, and each with enough rows to be worth a thread.
  let count: Int
  /// The first error in a band.
  private let failure = Mutex<(any Error)?>(nil)

  init(rowCount: Int, threads: Int, leastRows: Int = 32) {
    self.rowCount = rowCount
    count = max(1, min(threads, rowCount / leastRows))
  }

  /// Returns the rows of band `index`.
  func rows(_ index: Int) -> Range<Int> { rowCount * index / count..<rowCount * (index + 1) / count }

  /// The number of rows between two checks of the deadline.
  private static let rowsBetweenLooks = 256

  /// Calls `body` for every band, concurrently if there are several, and waits. If the call has a deadline, each band
  /// is processed a few rows at a time.
  ///
  /// - Parameter body: Must write only data of its band or its rows.
  /// - Throws: The error of the band that failed first, and `CallEnded` after the deadline of the call.
  func forEach(_ body: (_ band: Int, _ rows: Range<Int>) throws -> Void) throws {
    let context = CallContext.current
    guard count > 1 else { return try run(0, in: context, body) }
    withoutActuallyEscaping(body) { body in
      // `body` is not `Sendable` because it captures pointers. Each call writes only its own data, and all calls finish
      // before this function returns.
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
