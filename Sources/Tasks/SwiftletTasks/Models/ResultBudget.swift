import SwiftletEngine

/// Counts what a call of a task returns, and what the task keeps for its calls, against
/// `RuntimeOptions.Limits.resultBytes`: everything that grows with what a model, a file, or a sound says is charged
/// before it is made.
///
/// The models of a pipeline have one budget together.
///
/// - Thread safety: one caller at a time.
package final class ResultBudget {
  private let limits: RuntimeOptions.Limits
  private var kept = 0
  private var returned = 0

  package init(_ limits: RuntimeOptions.Limits) { self.limits = limits }

  /// Begins a call, which has returned nothing yet.
  package func begin() { returned = 0 }

  /// Counts what a call is about to make.
  ///
  /// - Parameters:
  ///   - count: The number of values.
  ///   - size: The bytes of each.
  ///   - purpose: The name of the values, a plural, for a message.
  ///   - advice: What a caller can do to get fewer of them.
  /// - Throws: `TaskError` (`limitExceeded`) if there is no room for them; they then count for nothing.
  package func charge(
    _ count: Int, each size: Int = 1, for purpose: @autoclosure () -> String, advice: String? = nil
  ) throws(TaskError) {
    returned = try sum(count, size, advice, purpose) - kept
  }

  /// Counts what the task is about to keep for all its calls.
  ///
  /// - Throws: As `charge`.
  package func keep(
    _ count: Int, each size: Int = 1, for purpose: @autoclosure () -> String, advice: String? = nil
  ) throws(TaskError) {
    kept = try sum(count, size, advice, purpose) - returned
  }

  private func sum(
    _ count: Int, _ size: Int, _ advice: String?, _ purpose: () -> String
  ) throws(TaskError) -> Int {
    do {
      return try limits.checkResults(count, each: size, before: kept + returned, for: purpose(), advice: advice)
    } catch {
      throw TaskError(error)
    }
  }
}
