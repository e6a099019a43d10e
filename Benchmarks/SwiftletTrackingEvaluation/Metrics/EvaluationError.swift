/// Why a tracker's output, or a file of boxes, cannot be evaluated: what and where, and what was expected.
package struct EvaluationError: Error, Sendable, Hashable, CustomStringConvertible {
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
