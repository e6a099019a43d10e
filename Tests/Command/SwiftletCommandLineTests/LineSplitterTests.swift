import Testing

@testable import SwiftletCommandLine

@Suite("Lines of standard input")
struct LineSplitterTests {
  /// Returns the lines of a text that arrives in pieces of the given size.
  private func lines(_ bytes: [UInt8], pieces: Int, longest: Int = 100) throws -> [String] {
    var splitter = LineSplitter(longest: longest)
    var lines: [String] = []
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      splitter.append(Array(bytes[start..<min(start + pieces, bytes.count)]))
      while let line = try splitter.next() { lines.append(line) }
    }
    return lines + [splitter.rest()].compactMap(\.self)
  }

  @Test("are the same for any chunks of bytes", arguments: [1, 2, 3, 100])
  func pieces(size: Int) throws {
    #expect(try lines(Array("a\n\nbc\r\n\u{0}é\rf\nend".utf8), pieces: size) == ["a", "", "bc", "\u{0}é\rf", "end"])
    #expect(try lines(Array("one\n".utf8), pieces: size) == ["one"])
    #expect(try lines([0xFF, 0x0A], pieces: size) == ["\u{FFFD}"])
    #expect(try lines([], pieces: size).isEmpty)
  }

  @Test("have a maximum length, and longer lines are rejected immediately", arguments: [1, 4, 100])
  func limit(size: Int) throws {
    let text = Array("12345\n1234".utf8)
    #expect(try lines(text, pieces: size, longest: 5) == ["12345", "1234"])
    #expect(throws: LineSplitter.LineTooLong.self) { try lines(text, pieces: size, longest: 4) }
    #expect(throws: LineSplitter.LineTooLong.self) {
      try lines(Array("1234567".utf8), pieces: size, longest: 4)
    }
  }
}
