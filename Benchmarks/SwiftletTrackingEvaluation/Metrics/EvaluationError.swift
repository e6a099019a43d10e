/// The reason why a tracker's output or a file of boxes cannot be evaluated: the problem, its position, and the
/// expected content.
package struct EvaluationError: Error, Sendable, Hashable, CustomStringConvertible {
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
