import SwiftletBase

/// Cuts bytes that come in pieces into lines, which end with a line feed or with carriage return and line feed.
package struct LineSplitter: Sendable {
  /// A line that has no end within the bytes that a line may have.
  package struct LineTooLong: Error, Sendable, CustomStringConvertible {
    package let limit: Int

    package var description: String { "a line has more than the \(limit) bytes that it may have" }
  }

  private let longest: Int
  private var bytes: [UInt8] = []
  /// Where the next line begins, and up to where it has no end.
  private var start = 0
  private var searched = 0

  /// - Parameter longest: the most bytes of a line.
  package init(longest: Int) { self.longest = longest }

  /// Takes the next piece.
  package mutating func append(_ piece: [UInt8]) {
    bytes.removeFirst(start)
    searched -= start
    start = 0
    bytes += piece
  }

  /// The next line that is there whole, without its end. Bytes that are no UTF-8 become U+FFFD.
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

  /// What stands behind the last line's end, once no more pieces come; `nil` where nothing does.
  package mutating func rest() -> String? {
    guard start < bytes.count else { return nil }
    defer { start = bytes.count }
    return String(decoding: bytes[start...], as: UTF8.self)
  }
}

/// Says which file was probably meant by a path that leads nowhere.
package enum MissingFile {
  /// A folder with more names than this is not searched to its end.
  private static let maximumListing = 20_000

  /// Whether nothing is there, as opposed to something that cannot be reached.
  package static func isMissing(_ path: String) -> Bool {
    guard !path.utf8.contains(0) else { return true }
    return access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// `did you mean 'pictures/cat.jpg'?`, or `nil` for a path that leads somewhere, and where nothing like it is found.
  package static func hint(for path: String) -> String? {
    nearest(to: path).map { "did you mean '\($0)'?" }
  }

  /// The file or folder that `path` nearly names: its first part that is missing is looked for among its neighbors.
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
    // The order of a listing is the file system's.
    return names.sorted()
  }
}
