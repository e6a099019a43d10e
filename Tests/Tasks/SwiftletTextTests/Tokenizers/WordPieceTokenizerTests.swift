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
    try text.withUTF8 { try tokenizer.append($0, limit: limit, to: &ids) }
    return ids.map { words[Int($0)] }
  }

  @Test(
    "are the longest in the vocabulary, from left to right",
    arguments: [
      ("unaffable", ["un", "##aff", "##able"]), ("UnAFFable hello!", ["un", "##aff", "##able", "hello", "!"]),
      ("naïve", ["na", "##ï", "##ve"]), ("unknown", ["[UNK]"]), ("unaffablex un", ["[UNK]", "un"]), ("", []),
      (" \t\n\r\u{C}", []), ("a!!a", ["a", "!", "!", "a"]), ("你你，a", ["你", "你", "，", "a"]), ("##a", ["#", "#", "a"]),
      ("aaa", ["a", "##a", "##a"]), ("a$", ["a", "$"]), ("好", ["[UNK]"]),
      // Only ASCII letters are lowercased, accents stay, and only ASCII white space separates words.
      ("É", ["É"]), ("é", ["[UNK]"]), ("e\u{301}", ["e", "##\u{301}"]), ("a\u{A0}a", ["[UNK]"]),
      ("a\u{3000}a", ["[UNK]"]),
      ("a\u{B}a", ["[UNK]"]), ("a\u{0}a", ["[UNK]"]), ("a\u{200B}", ["[UNK]"]), ("[CLS]", ["[UNK]", "[UNK]", "[UNK]"]),
    ] as [(String, [String])])
  func cut(text: String, expected: [String]) throws {
    #expect(try pieces(text) == expected)
  }

  @Test("every punctuation mark and every ideograph is a separate word")
  func singles() throws {
    for scalar: Unicode.Scalar in [
      "_", "‿", "-", "–", "(", "〈", ")", "»", "«", "・", "¿", "\u{2028}", "^", "`", "+", "~", "\u{3400}", "\u{4E00}",
      "\u{9FFF}", "\u{F900}", "\u{20000}", "\u{2A700}", "\u{2B740}", "\u{2CEAF}", "\u{2FA1F}",
    ] where scalar != "\u{2028}" {
      #expect(try pieces("a\(scalar)a") == ["a", "[UNK]", "a"], "U+\(String(scalar.value, radix: 16))")
    }
    // Separators, non-ASCII symbols, and syllables aren't ideographs.
    for scalar: Unicode.Scalar in ["\u{2028}", "€", "±", "あ", "ア", "가", "\u{3000}", "ー", "😀", "\u{2CEB0}"] {
      #expect(try pieces("a\(scalar)a") == ["[UNK]"], "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test("the first and last characters of each block of ideographs are words, and their neighbors aren't")
  func blocks() throws {
    for block: ClosedRange<UInt32> in [
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x2A6DF, 0x2A700...0x2CEAF, 0x2F800...0x2FA1F,
    ] {
      for (value, isWord) in [
        (block.lowerBound - 1, false), (block.lowerBound, true), (block.upperBound, true),
        (block.upperBound + 1, false),
      ] {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(
          try pieces("a\(scalar)a") == (isWord ? ["a", "[UNK]", "a"] : ["[UNK]"]), "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test("in ASCII, punctuation marks are words, five characters are whitespace, and letters are lowercased")
  func ascii() throws {
    let marks = (0x21...0x7E).map { String(UnicodeScalar(UInt8($0))) }
    let letters = (0x61...0x7A).map { "##" + String(UnicodeScalar(UInt8($0))) }
    let words = ["[UNK]"] + marks + letters
    for value in UInt8(0)..<128 {
      let character = String(UnicodeScalar(value))
      let found = try pieces("a\(character)a", words: words)
      if [9, 10, 12, 13, 32].contains(value) {
        #expect(found == ["a", "a"], "\(value)")
      } else if character.wholeMatch(of: /[!-\/:-@\[-`{-~]/) != nil {
        #expect(found == ["a", character, "a"], "\(value)")
      } else if character.wholeMatch(of: /[A-Za-z]/) != nil {
        #expect(found == ["a", "##" + character.lowercased(), "##a"], "\(value)")
      } else {
        #expect(found == ["[UNK]"], "\(value)")
      }
    }
  }

  @Test("the longest piece of the vocabulary is found")
  func maximumPiece() throws {
    let words = ["[UNK]", "abc", "abcd", "##de", "##d", "##e", "a", "##b"]
    #expect(try pieces("abcd", words: words) == ["abcd"])
    #expect(try pieces("abcde", words: words) == ["abcd", "##e"])
    #expect(try pieces("abcdd", words: words) == ["abcd", "##d"])
    #expect(try pieces("ab", words: words) == ["a", "##b"])
    #expect(try pieces("abde", words: words) == ["a", "##b", "##de"])
    #expect(try pieces("abd ab", words: words) == ["a", "##b", "##d", "a", "##b"])
    // A continuation piece needs its `##` prefix; the same letters without it are another piece.
    #expect(try pieces("aa", words: words) == ["[UNK]"])
  }

  @Test("a text with too many pieces is truncated inside its last word", arguments: 0...7)
  func exactLimit(limit: Int) throws {
    let all = ["hello", "un", "##aff", "##able", "!", "hello"]
    #expect(try pieces("hello unaffable! hello", limit: limit) == Array(all.prefix(limit)))
  }

  @Test("words of more than 100 bytes are unknown")
  func longWords() throws {
    #expect(try pieces(String(repeating: "a", count: 100), limit: 200).count == 100)
    #expect(try pieces(String(repeating: "a", count: 101), limit: 200) == ["[UNK]"])
  }

  @Test("are limited, even for a long text")
  func limit() throws {
    #expect(try pieces("unaffable hello", limit: 2) == ["un", "##aff"])
    #expect(try pieces("hello", limit: 0) == [] && pieces("hello", limit: -3) == [])
    #expect(try pieces(String(repeating: "hello ", count: 200_000), limit: 3) == ["hello", "hello", "hello"])
  }

  @Test("are between [CLS] and [SEP], with a mask, and padded with zeros")
  func inputs() throws {
    let model = WordModel(.wordPieces, length: 6, vocabulary: Self.words.joined(separator: "\n"))
    #expect(try outputs(model, "unaffable") == [[2, 4, 5, 6, 3, 0], [1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0]])
    #expect(try outputs(model, "hello hello hello hello hello")[0] == [2, 8, 8, 8, 8, 3])
    #expect(try outputs(model, "") == [[2, 3, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]])
    var turned = model
    turned.inputNames = ["segment_ids", "ids", "mask"]
    #expect(try outputs(turned, "a") == [[0, 0, 0, 0, 0, 0], [2, 17, 3, 0, 0, 0], [1, 1, 1, 0, 0, 0]])
  }

  @Test("models of dynamic length take all pieces, with inputs of the same length")
  func openLength() throws {
    var model = WordModel(.wordPieces, length: 1, vocabulary: Self.words.joined(separator: "\n"))
    model.hasOpenLength = true
    #expect(try outputs(model, "") == [[2, 3], [1, 1], [0, 0]])
    #expect(try outputs(model, "unaffable hello") == [[2, 4, 5, 6, 8, 3], [1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0]])
    let embedder = try TextEmbedder(.bytes(model.bytes))
    for text in ["hello hello hello", "a", "hello"] {
      let count = text.split(separator: " ").count + 2
      #expect(try embedder.embedding(of: text).values.floats?.count == count)
    }
    var half = model
    half.openInputCount = 2
    let error = taskError { try outputs(half, "") }
    #expect(error?.message.contains("some of the model's inputs have an open length and others do not") == true)
  }

  @Test("models of length two have no room for pieces")
  func shortest() throws {
    let model = WordModel(.wordPieces, length: 2, vocabulary: Self.words.joined(separator: "\n"))
    #expect(try outputs(model, "hello") == [[2, 3], [1, 1], [0, 0]])
  }

  @Test("special tokens that a vocabulary lacks are 0")
  func missing() throws {
    let model = WordModel(.wordPieces, length: 4, vocabulary: "x\na")
    #expect(try outputs(model, "a b") == [[0, 1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]])
  }

  @Test("models with ambiguous or too short inputs are rejected")
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
      (WordModel(.patterns, vocabulary: "a 1"), .unsupportedModel, "the first process unit of them must be a BERT"),
    ] as [(WordModel, TaskError.Code, String)] {
      let error = taskError { try outputs(model, "") }
      #expect(error?.code == code && error?.message.contains(hint) == true, "\(error?.message ?? "none")")
    }
  }
}
