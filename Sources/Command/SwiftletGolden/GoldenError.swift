import SwiftletBase

/// Why a manifest, a golden tensor or a `.npy` file could not be used.
///
/// The message is one line that names the file, what was expected, what was found and what to do.
package struct GoldenError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; a struct so that new kinds do not break exhaustive switches.
  package struct Code: Sendable, Hashable {
    package let name: String

    /// The file is missing, a folder, or cannot be read.
    package static let unreadable = Code(name: "unreadable")
    /// The bytes do not follow the format they claim to have.
    package static let malformed = Code(name: "malformed")
    /// The format is valid but this version or feature is not supported.
    package static let unsupported = Code(name: "unsupported")
    /// A path inside a manifest leaves the folder it belongs to.
    package static let unsafePath = Code(name: "unsafePath")
    /// A file or tensor has another size than its description says.
    package static let wrongSize = Code(name: "wrongSize")
  }

  package let code: Code
  /// The file the error is about, or `nil` when the bytes came from memory.
  package let file: String?
  package let message: String

  package init(_ code: Code, file: String? = nil, _ message: String) {
    self.code = code
    self.file = file
    self.message = message
  }

  package var description: String {
    guard let file else { return message }
    return "\(file.excerpt): \(message)"
  }
}
