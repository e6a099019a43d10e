import SwiftletTestSupport
import Testing

@testable import SwiftletText

@Suite("Word pieces")
struct WordPieceTokenizerTests {
  private static let words = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "!", "hello", "##é", "na", "##ï", "##ve", "你", "，",
    "#",
    "##a", "a", "$", "É", "##\u{301}", "e",
  ]

  private func pieces(_ text: String, limit: Int = 50, words: [String] = words) throws -> [String] {
    let tokenizer = WordPieceTokenizer(vocabulary: try Vocabulary(words))
    var ids: [Int32] = []
    var text = text
    text.withUTF8 { tokenizer.append($0, limit: limit, to: &ids) }
    return ids.map { words[Int($0)] }
  }

  @Test(
    "are the longest that the vocabulary has, from left to right",
    arguments: [
      ("unaffable", ["un", "##aff", "##able"]), ("UnAFFable hello!", ["un", "##aff", "##able", "hello", "!"]),
      ("naïve", ["na", "##ï", "##ve"]), ("unknown", ["[UNK]"]), ("unaffablex un", ["[UNK]", "un"]), ("", []),
      (" \t\n\r\u{C}", []), ("a!!a", ["a", "!", "!", "a"]), ("你你，a", ["你", "你", "，", "a"]), ("##a", ["#", "#", "a"]),
      ("aaa", ["a", "##a", "##a"]), ("a$", ["a", "$"]), ("好", ["[UNK]"]),
      // Only ASCII letters become small ones, accents stay, and no space but ASCII's ends a word.
      ("É", ["É"]), ("é", ["[UNK]"]), ("e\u{301}", ["e", "##\u{301}"]), ("a\u{A0}a", ["[UNK]"]),
      ("a\u{3000}a", ["[UNK]"]),
      ("a\u{B}a", ["[UNK]"]), ("a\u{0}a", ["[UNK]"]), ("a\u{200B}", ["[UNK]"]), ("[CLS]", ["[UNK]", "[UNK]", "[UNK]"]),
    ] as [(String, [String])])
  func cut(text: String, expected: [String]) throws {
    #expect(try pieces(text) == expected)
  }

  @Test("punctuation of all kinds and ideographs of all blocks are words of their own")
  func singles() throws {
    for scalar: Unicode.Scalar in [
      "_", "‿", "-", "–", "(", "〈", ")", "»", "«", "・", "¿", "\u{2028}", "^", "`", "+", "~", "\u{3400}", "\u{4E00}",
      "\u{9FFF}", "\u{F900}", "\u{20000}", "\u{2A700}", "\u{2B740}", "\u{2CEAF}", "\u{2FA1F}",
    ] where scalar != "\u{2028}" {
      #expect(try pieces("a\(scalar)a") == ["a", "[UNK]", "a"], "U+\(String(scalar.value, radix: 16))")
    }
    // Separators, symbols beyond ASCII and syllables are none.
    for scalar: Unicode.Scalar in ["\u{2028}", "€", "±", "あ", "ア", "가", "\u{3000}", "ー", "😀", "\u{2CEB0}"] {
      #expect(try pieces("a\(scalar)a") == ["[UNK]"], "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test("words of more than 100 bytes are unknown")
  func longWords() throws {
    #expect(try pieces(String(repeating: "a", count: 100), limit: 200).count == 100)
    #expect(try pieces(String(repeating: "a", count: 101), limit: 200) == ["[UNK]"])
  }

  @Test("are no more than asked for, also of a long text")
  func limit() throws {
    #expect(try pieces("unaffable hello", limit: 2) == ["un", "##aff"])
    #expect(try pieces("hello", limit: 0) == [] && pieces("hello", limit: -3) == [])
    #expect(try pieces(String(repeating: "hello ", count: 200_000), limit: 3) == ["hello", "hello", "hello"])
  }

  @Test("stand between the class and the end, with a mask, and are filled up with zeros")
  func inputs() throws {
    let model = WordModel(.wordPieces, length: 6, vocabulary: Self.words.joined(separator: "\n"))
    #expect(try outputs(model, "unaffable") == [[2, 4, 5, 6, 3, 0], [1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0]])
    #expect(try outputs(model, "hello hello hello hello hello")[0] == [2, 8, 8, 8, 8, 3])
    #expect(try outputs(model, "") == [[2, 3, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]])
    var turned = model
    turned.inputNames = ["segment_ids", "ids", "mask"]
    #expect(try outputs(turned, "a") == [[0, 0, 0, 0, 0, 0], [2, 17, 3, 0, 0, 0], [1, 1, 1, 0, 0, 0]])
  }

  @Test("special words that a vocabulary lacks are 0")
  func missing() throws {
    let model = WordModel(.wordPieces, length: 4, vocabulary: "x\na")
    #expect(try outputs(model, "a b") == [[0, 1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]])
  }

  @Test("models whose inputs cannot be told apart, or are too short, are refused")
  func refuses() {
    let fine = WordModel(.wordPieces, vocabulary: "a")
    var unnamed = fine
    unnamed.inputNames = ["ids", "ids", "mask"]
    var short = fine
    short.length = 1
    var bare = fine
    bare.hasMetadata = false
    for (model, code, hint) in [
      (unnamed, .missingMetadata, "segment_ids"), (short, .invalidModel, "n of 2 or more"),
      (bare, .missingMetadata, "BERT tokenizer"), (WordModel(.sentencePieces), .unsupportedModel, "SentencePiece"),
    ] as [(WordModel, TaskError.Code, String)] {
      let error = taskError { try outputs(model, "") }
      #expect(error?.code == code && error?.message.contains(hint) == true, "\(error?.message ?? "none")")
    }
  }
}
