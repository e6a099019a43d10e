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
