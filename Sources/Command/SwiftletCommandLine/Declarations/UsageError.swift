/// A command line that cannot be understood: exit status 2.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  package var message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
