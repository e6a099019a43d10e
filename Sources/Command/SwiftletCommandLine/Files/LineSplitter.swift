import SwiftletBase

/// Splits bytes that arrive in pieces into lines, which end with LF or CRLF.
package struct LineSplitter: Sendable {
  /// An error for a line that exceeds the maximum length.
  package struct LineTooLong: Error, Sendable, CustomStringConvertible {
    package let limit: Int

    package var description: String { "a line has more than the \(limit) bytes that it may have" }
  }

  private let longest: Int
  private var bytes: [UInt8] = []
  /// The start of the next line, and the index up to which no line end was found.
  private var start = 0
  private var searched = 0

  /// - Parameter longest: The maximum number of bytes in a line.
  package init(longest: Int) { self.longest = longest }

  /// Appends the next piece.
  package mutating func append(_ piece: [UInt8]) {
    bytes.removeFirst(start)
    searched -= start
    start = 0
    bytes += piece
  }

  /// Returns the next complete line without its end. Invalid UTF-8 is replaced by U+FFFD.
  ///
  /// - Throws: `LineTooLong` as soon as a line is known to be too long.
  package mutating func next() throws(LineTooLong) -> String? {
    let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    guard (end ?? bytes.count) - start <= longest else { throw LineTooLong(limit: longest) }
    guard let end else {
      searched = bytes.count
      return nil
    }
    var line = bytes[start..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    start = end + 1
    searched = start
    return String(decoding: line, as: UTF8.self)
  }

  /// Returns the bytes after the last line end, once no more pieces arrive; `nil` if there are none.
  package mutating func rest() -> String? {
    guard start < bytes.count else { return nil }
    defer { start = bytes.count }
    return String(decoding: bytes[start...], as: UTF8.self)
  }
}

/// Suggests the file that was probably meant by a path that doesn't exist.
package enum MissingFile {
  /// The maximum number of names in a directory that is searched completely.
  private static let maximumListing = 20_000

  /// Whether nothing exists at the path, as opposed to an entry that cannot be accessed.
  package static func isMissing(_ path: String) -> Bool {
    guard !path.utf8.contains(0) else { return true }
    return access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// Returns `did you mean 'images/cat.jpg'?`, or `nil` if the path exists or no similar path is found.
  package static func hint(for path: String) -> String? {
    nearest(to: path).map { "did you mean '\($0)'?" }
  }

  /// Returns the file or directory whose path is nearest to `path`: the first missing component is searched among the
  /// entries of its parent.
  static func nearest(to path: String) -> String? {
    guard !path.isEmpty, path.utf8.count < 4096, !path.utf8.contains(0), !exists(path) else { return nil }
    var folder = path.hasPrefix("/") ? "/" : ""
    var parts = path.split(separator: "/").map(String.init)[...]
    while let part = parts.popFirst() {
      if exists(folder + part) {
        folder += part + "/"
        continue
      }
      guard
        let near = Suggestion.nearest(
          to: part, in: names(in: folder.isEmpty ? "." : folder, hidden: part.hasPrefix(".")))
      else { return nil }
      let whole = ([folder + near] + parts).joined(separator: "/")
      return exists(whole) ? whole : folder + near
    }
    return nil
  }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func names(in folder: String, hidden: Bool) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < maximumListing, let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != "..", hidden || !name.hasPrefix(".") { names.append(name) }
    }
    // The file system lists entries in its own order.
    return names.sorted()
  }
}
