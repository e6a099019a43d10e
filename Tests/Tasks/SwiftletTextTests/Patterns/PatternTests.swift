import Testing

@testable import SwiftletText

@Suite("Patterns")
struct PatternTests {
  /// The parts of a text between the matches of a pattern.
  private func words(
    _ pattern: String, _ text: String, mostSteps: Int = PatternMatcher.mostSteps
  ) throws -> [String] {
    let delimiter = try Delimiter(pattern, mostSteps: mostSteps)
    var words: [String] = []
    var text = text
    try text.withUTF8 {
      try delimiter.forEachWord(of: $0) {
        words.append(String(decoding: $0, as: UTF8.self))
        return true
      }
    }
    return words
  }

  /// All matches of a pattern in a text.
  private func matches(_ pattern: String, _ text: String) throws -> [String] {
    let matcher = PatternMatcher(try PatternProgram(try PatternParser.parse(pattern)))
    var found: [String] = []
    var text = text
    try text.withUTF8 { bytes in
      var (start, steps) = (0, 0)
      while let match = try matcher.firstMatch(in: bytes, from: start, steps: &steps), !match.isEmpty {
        found.append(String(decoding: bytes[match], as: UTF8.self))
        start = match.upperBound
      }
    }
    return found
  }

  @Test(
    "separates words, and gives none between delimiters that touch",
    arguments: [
      ("[^\\w']+", "It's GOOD,  isn't it?", ["It's", "GOOD", "isn't", "it"]),
      ("[^\\w']", "a,, b", ["a", "b"]), ("[^\\w\\']+", "naïve", ["na", "ve"]),
      ("\\s+", " a\tb\u{0B}c\u{A0}d\n", ["a", "b\u{0B}c\u{A0}d"]),
      (",|;", "a,b;c", ["a", "b", "c"]), ("ab|a", "xabxax", ["x", "x", "x"]), ("a|ab", "xabx", ["x", "bx"]),
      (" +", "", []), (" +", "   ", []), (" +", "one", ["one"]), ("x", "\u{0}x\u{0}", ["\u{0}", "\u{0}"]),
      ("\\p{P}+", "你好，世界。", ["你好", "世界"]), ("[\\P{L}]+", "é1é", ["é", "é"]),
    ] as [(String, String, [String])])
  func separates(pattern: String, text: String, expected: [String]) throws {
    #expect(try words(pattern, text) == expected)
  }

  @Test(
    "finds what a backtracking search would find first",
    arguments: [
      ("a+", "caaat", ["aaa"]), ("a+?", "aa", ["a", "a"]), ("(?:a|ab)(?:c|bcd)", "abcd", ["abcd"]),
      ("x{2,3}", "xxxxx", ["xxx", "xx"]), ("x{2,3}?", "xxxxx", ["xx", "xx"]), ("x{2}", "xxxxx", ["xx", "xx"]),
      ("x{2,}", "xxxxx", ["xxxxx"]), ("a.c", "a\nc abc", ["abc"]), ("^a", "aab", ["a", "a"]), ("b$", "bab", ["b"]),
      ("\\bword\\b", "sword word words", ["word"]), ("\\Bord", "word ord", ["ord"]), ("\\Aa\\z", "a", ["a"]),
      ("(a*)*b", "aaab", ["aaab"]), ("(?P<first>a)(?<second>b)", "ab", ["ab"]), ("é", "éé", ["é", "é"]),
      ("[a-c\\-]+", "a-d", ["a-"]), ("[]a]+", "]a]", ["]a]"]), ("[^]a]+", "]b]", ["b"]), ("[a-]+", "-a", ["-a"]),
      ("[[:alpha:]]+", "ab1", ["ab"]), ("[[:^digit:]]+", "ab1", ["ab"]), ("[^[:space:]\\d]+", "a 1b", ["a", "b"]),
      ("\\x41\\x{e9}", "Aé", ["Aé"]), ("\\.\\*\\\\", ".*\\", [".*\\"]), ("\\pL\\PL", "é1", ["é1"]),
      ("\\p{^Lu}+", "Aé", ["é"]), ("\\d\\D\\w\\W\\s\\S", "1aa- x", ["1aa- x"]), ("a{,2}", "a{,2}", ["a{,2}"]),
      ("\\t\\n\\r\\f\\v\\a", "\t\n\r\u{C}\u{B}\u{7}", ["\t\n\r\u{C}\u{B}\u{7}"]),
      ("(a|b)+|c", "abcab", ["ab", "c", "ab"]),
      ("[\\x{1F600}-\\x{1F64F}]", "😀x", ["😀"]), ("a?b", "aab", ["ab"]), ("(|a)b", "ab", ["ab"]),
    ] as [(String, String, [String])])
  func finds(pattern: String, text: String, expected: [String]) throws {
    #expect(try matches(pattern, text) == expected)
  }

  @Test(
    "refuses what it cannot read, and says where",
    arguments: [
      ("(", 1), ("a)", 2), ("[a", 1), ("a**", 4), ("*a", 1), ("a|+", 3), ("(?i)a", 2), ("(?=a)", 2), ("(?<=a)b", 2),
      ("(?<!a)b", 2), ("(?P<>a)", 6),
      ("\\", 2), ("\\1", 2), ("\\q", 2), ("\\p{Greek}", 10), ("[b-a]", 5), ("[a-\\d]", 6), ("a{1001}", 8),
      ("a{3,2}", 7), ("\\x{110000}", 11), ("\\x1", 4), ("[[:word]]", 10), ("\\Qa\\E", 2), ("[\\p]]", 5),
    ] as [(String, Int)])
  func refuses(pattern: String, place: Int) {
    let error = taskError { try Delimiter(pattern) }
    #expect(
      error?.code == .invalidModel && error?.message.contains("at character \(place):") == true,
      "\(error?.message ?? "no error")")
  }

  @Test("refuses patterns that also match nothing", arguments: ["", "a*", "a?|b", "\\b", "^", "(?:)", "(a|)", "a{0}"])
  func refusesNothing(pattern: String) {
    let error = taskError { try Delimiter(pattern) }
    #expect(error?.code == .invalidModel && error?.message.contains("matches no characters") == true)
  }

  @Test("refuses repetitions that multiply to more than a program may have, and groups that are too deep")
  func refusesTooMuch() {
    for pattern in ["((a{1000}){1000}){1000}", String(repeating: "(", count: 200) + "a"] {
      #expect(taskError { try Delimiter(pattern) }?.code == .invalidModel)
    }
  }

  @Test("takes time in proportion to the text where backtracking would take forever, and ends where it cannot")
  func bounded() throws {
    let text = String(repeating: "a", count: 3000)
    #expect(try matches("(a*)*b|(a|a)*c", text) == [])
    // Every search looks at the whole rest, and takes one letter of it.
    let error = taskError { try words("a.*b|a", text, mostSteps: 100_000) }
    #expect(error?.code == .limitExceeded && error?.message.contains("shorter text") == true)
  }
}
