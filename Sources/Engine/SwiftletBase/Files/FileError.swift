/// Why a file could not be opened for reading.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: Sendable, Hashable {
    case notFound
    case notAFile
    case empty
    case permissionDenied
    case tooLarge
    case unreadable
  }

  package var code: Code
  /// What is wrong with which file, and what to do.
  package var message: String
  /// The path as the caller gave it.
  package var path: String

  package init(code: Code, message: String, path: String) {
    self.code = code
    self.message = message.shown
    self.path = path
  }

  package var description: String { message }
}
