import SwiftletBase
import SwiftletSchema
import Testing

@testable import SwiftletText

@Suite("Vocabularies")
struct VocabularyTests {
  private func lines(_ text: String) throws -> Vocabulary {
    try Vocabulary(lines: ByteRegion(Array(text.utf8)), name: "v.txt")
  }

  private func numbered(_ text: String) throws -> Vocabulary {
    try Vocabulary(numberedLines: ByteRegion(Array(text.utf8)), name: "v.txt")
  }

  @Test("a word's ID is its line number without empty lines, and the last of equal words counts")
  func numbersOfLines() throws {
    let words = try lines("[PAD]\r\n\nthe\nnaïve\nthe\n##s\n\n")
    #expect(words["[PAD]"] == 0 && words["naïve"] == 2 && words["the"] == 3 && words["##s"] == 4)
    #expect(words["[pad]"] == nil && words[""] == nil && words["naïv"] == nil && words["a longer word than all"] == nil)
    #expect(words.maximumWord == 6)
  }

  @Test("IDs follow the words, in any order")
  func numbersInLines() throws {
    let words = try numbered("<PAD> 7\r\nthe 3\nthe 5 more\n 9\nlast 2147483647")
    #expect(words["<PAD>"] == 7 && words["the"] == 5 && words[""] == 9 && words["last"] == .max)
  }

  @Test(
    "rejects lines without a valid ID",
    arguments: ["the", "the\t1", "the one", "the -1", "the 2147483648", "the ", "ok 1\n\nx"])
  func refusesLines(text: String) {
    let error = taskError { try numbered(text) }
    #expect(error?.code == .invalidModel && error?.message.contains("of the vocabulary \"v.txt\"") == true)
  }

  @Test("reports malformed lines")
  func words() {
    let long = String(repeating: "x", count: 81)
    for (text, line, shown) in [
      ("the", 1, "the"), ("ok 1\nthe -1\n", 2, "the -1"), ("ok 1\n\nno x", 2, "no x"),
      (long, 1, String(long.dropLast())),
    ] {
      #expect(
        taskError { try numbered(text) }
          == TaskError(
            .invalidModel,
            "line \(line) of the vocabulary \"v.txt\" must be a word, a space and the word's number, got \"\(shown)\""
          ))
    }
    #expect(taskError { try lines("") } == TaskError(.invalidModel, "the vocabulary \"v.txt\" has no words"))
  }

  @Test("words end at line and file ends", arguments: ["a\nbc", "a\nbc\n", "a\r\nbc\r\n", "\na\n\nbc\n\n"])
  func ends(text: String) throws {
    let words = try lines(text)
    #expect(words["a"] == 0 && words["bc"] == 1 && words.maximumWord == 2)
    #expect(words["b"] == nil && words["c"] == nil && words["bcd"] == nil && words["\r"] == nil)
  }

  @Test("finds words in vocabularies of any size, around rehashing", arguments: [1, 2, 3, 4, 5, 8, 9, 16, 17])
  func slots(count: Int) throws {
    let names = (0..<count).map { "w\($0)" }
    let words = try Vocabulary(names)
    #expect(
      names.indices.allSatisfy { words[names[$0]] == Int32($0) } && words["w\(count)"] == nil && words["x"] == nil)
  }

  @Test("rejects files without words")
  func refusesEmpty() {
    for text in ["", "\n\n"] {
      #expect(taskError { try lines(text) }?.code == .invalidModel)
      #expect(taskError { try numbered(text) }?.code == .invalidModel)
    }
  }

  @Test("rejects files that are too large or have too many words")
  func refusesLarge() {
    let long = ByteRegion([UInt8](repeating: 0x61, count: LabelFile.longest + 1))
    #expect(taskError { try Vocabulary(lines: long, name: "v") }?.code == .limitExceeded)
    let many = ByteRegion((0..<2 * LabelFile.maximumLines + 2).map { $0 % 2 == 0 ? 0x61 : 0x0A })
    #expect(taskError { try Vocabulary(lines: many, name: "v") }?.code == .limitExceeded)
  }

  @Test("finds each of many words")
  func many() throws {
    let names = (0..<20_000).map { "word\($0)" }
    let words = try Vocabulary(names)
    #expect(names.indices.allSatisfy { words[names[$0]] == Int32($0) })
  }
}
