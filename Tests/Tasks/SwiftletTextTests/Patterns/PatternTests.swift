import SwiftletBase
import Testing

@testable import SwiftletText

@Suite("Patterns")
struct PatternTests {
  /// Returns the parts of a text between the matches of a pattern.
  private func words(
    _ pattern: String, _ text: String, maximumSteps: Int = PatternMatcher.maximumSteps
  ) throws -> [String] {
    let delimiter = try Delimiter(pattern, maximumSteps: maximumSteps)
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

  /// Returns all matches of a pattern in a text.
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
    "separates words, and returns no empty words between adjacent delimiters",
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
    "rejects invalid syntax with its position",
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

  @Test(
    "reports unsupported syntax",
    arguments: [
      ("(", "the group is not ended"), ("(a", "the group is not ended"), ("a)", "unmatched )"),
      ("[a", "the class is not ended"), ("[", "the class is not ended"), ("[]", "the class is not ended"),
      ("a**", "a repetition follows a repetition; use a group"),
      ("a+{2}", "a repetition follows a repetition; use a group"), ("*", "there is nothing to repeat"),
      ("|+", "there is nothing to repeat"), ("(?)", "flags and lookarounds are not supported"),
      ("(?i:a)", "flags and lookarounds are not supported"), ("(?=a)", "flags and lookarounds are not supported"),
      ("(?<=a)", "flags and lookarounds are not supported"), ("(?<!a)", "flags and lookarounds are not supported"),
      ("(?P=a)", "flags and lookarounds are not supported"), ("(?<>a)", "invalid group name"),
      ("(?<a", "invalid group name"), ("(?<a-b>c)", "invalid group name"),
      ("(?<é>c)", "invalid group name"), ("\\", "it ends with a backslash"),
      ("[\\", "it ends with a backslash"), ("\\é", "\\é has no meaning here"), ("\\_", "\\_ has no meaning here"),
      ("\\Z", "\\Z has no meaning here"), ("[\\b]", "\\b has no meaning here"),
      ("\\p{Xx}", "\"Xx\" is not a general category; scripts are not supported"),
      ("\\p", "\"\" is not a general category; scripts are not supported"),
      ("\\p{Lu", "\"\" is not a general category; scripts are not supported"),
      ("[b-a]", "the range must end with a character after its first one"),
      ("[a-\\w]", "the range must end with a character after its first one"),
      ("[[:x:]]", "invalid class name"), ("[[:alpha]", "invalid class name"),
      ("a{1001}", "a number of repetitions must be at most 1000, and the least not more than the most"),
      ("a{1,1001}", "a number of repetitions must be at most 1000, and the least not more than the most"),
      ("a{1001,}", "a number of repetitions must be at most 1000, and the least not more than the most"),
      ("a{2,1}", "a number of repetitions must be at most 1000, and the least not more than the most"),
      ("\\x{110000}", "\\x takes two hexadecimal digits, or some in braces, up to 10FFFF"),
      ("\\x{}", "\\x takes two hexadecimal digits, or some in braces, up to 10FFFF"),
      ("\\x{1", "\\x takes two hexadecimal digits, or some in braces, up to 10FFFF"),
      ("\\x{1g}", "\\x takes two hexadecimal digits, or some in braces, up to 10FFFF"),
      ("\\xg1", "\\x takes two hexadecimal digits, or some in braces, up to 10FFFF"),
      ("\\x4", "\\x takes two hexadecimal digits, or some in braces, up to 10FFFF"),
    ])
  func says(pattern: String, words: String) {
    let error = taskError { try PatternParser.parse(pattern) }
    let start = "the tokenizer's pattern \"\(pattern)\" cannot be read at character "
    #expect(error?.code == .invalidModel)
    #expect(
      error?.message.hasPrefix(start) == true && error?.message.hasSuffix(": " + words) == true,
      "\(error?.message ?? "no error")")
  }

  @Test("accepts patterns at the limits")
  func limits() throws {
    #expect(try matches("a{1000}", String(repeating: "a", count: 1000)).count == 1)
    #expect(try matches("\\x{10FFFF}", "\u{10FFFF}") == ["\u{10FFFF}"])
    for (depth, isRead) in [(100, true), (101, false)] {
      let pattern = String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
      let error = taskError { try PatternParser.parse(pattern) }
      #expect((error == nil) == isRead)
      if !isRead { #expect(error?.message.hasSuffix("groups are nested more than 100 deep") == true) }
    }
    // Consecutive groups aren't nested.
    _ = try PatternParser.parse(String(repeating: "(a)", count: 200))
  }

  @Test("compiles programs of up to 10,000 instructions")
  func programLimit() throws {
    #expect(PatternProgram.longest == 10_000)
    let program = try PatternProgram(try PatternParser.parse("(?:a{1000}){9}a{999}"))
    #expect(program.instructions.count == 10_000 && program.instructions.last == .match && program.sets.count == 1)
    let error = taskError { try PatternProgram(try PatternParser.parse("(?:a{1000}){10}")) }
    #expect(
      error
        == TaskError(
          .invalidModel,
          "the tokenizer's pattern has more than 10000 instructions: it has too many characters, or repetitions that multiply"
        ))
  }

  @Test("reads up to 10,000 characters and classes, and rejects one more before reading the rest")
  func atomLimit() throws {
    for (atom, end) in [("a", ""), ("[bc]", ""), ("\\b", ""), (".", "(")] {
      let most = String(repeating: atom, count: 10_000)
      // The syntax error comes after the part that exceeds the limit, so it isn't reached.
      #expect(taskError { try PatternParser.parse(most + end) } == nil || !end.isEmpty)
      #expect(taskError { try PatternParser.parse(most + atom + end) } == PatternProgram.tooLong)
    }
    let program = try PatternProgram(try PatternParser.parse(String(repeating: "a", count: 9999)))
    #expect(program.instructions.count == 10_000)
    #expect(
      taskError { try PatternProgram(try PatternParser.parse(String(repeating: "a", count: 10_000))) }
        == PatternProgram.tooLong)
  }

  @Test(
    "omits parts that take no instruction, however often they are repeated",
    arguments: [
      ("(?:(?:(?:(?:(?:){1000}){1000}){1000}){1000}){1000}x", "x"), ("(?:x(?:){1000}){3}", "x{3}"),
      ("((((y{0}){1000}){1000}){1000}){1000}x", "x"), ("(?:){1000}|x", "|x"), ("(?:(?:(?:)*)+)?x", "x"),
      ("(?:(?:a{0}){0,5}x){2,}", "x{2,}"),
    ])
  func emptyRepetitions(pattern: String, same: String) throws {
    #expect(try PatternParser.parse(pattern) == PatternParser.parse(same))
  }

  @Test("repeating a group of many empty groups costs nothing")
  func manyEmptyGroups() throws {
    let empties = String(repeating: "(?:)", count: 50_000)
    let program = try PatternProgram(try PatternParser.parse("(?:x\(empties)){1000}"))
    #expect(program.instructions.count == 1001)
  }

  @Test("compiles the program of Thompson's construction")
  func program() throws {
    func instructions(_ pattern: String) throws -> [PatternProgram.Instruction] {
      try PatternProgram(try PatternParser.parse(pattern)).instructions
    }
    #expect(try instructions("aba") == [.scalar(set: 0), .scalar(set: 1), .scalar(set: 0), .match])
    #expect(
      try instructions("a|b") == [.fork(first: 1, second: 3), .scalar(set: 0), .jump(to: 4), .scalar(set: 1), .match])
    #expect(try instructions("a*") == [.fork(first: 1, second: 3), .scalar(set: 0), .jump(to: 0), .match])
    #expect(try instructions("a*?") == [.fork(first: 3, second: 1), .scalar(set: 0), .jump(to: 0), .match])
    #expect(
      try instructions("a{1,2}") == [.scalar(set: 0), .fork(first: 2, second: 3), .scalar(set: 0), .match])
    #expect(try instructions("^\\b$") == [.assertion(.start), .assertion(.wordBoundary), .assertion(.end), .match])
    #expect(try instructions("") == [.match])
  }

  @Test("ends a search that exceeds the step limit")
  func steps() throws {
    // One step at the first character, and one at the end.
    for (most, isEnough) in [(2, true), (1, false)] {
      let matcher = PatternMatcher(try PatternProgram(try PatternParser.parse("ab")), maximumSteps: most)
      var steps = 0
      let error = taskError {
        try [UInt8]([0x78]).withUnsafeBufferPointer { try matcher.firstMatch(in: $0, from: 0, steps: &steps) }
      }
      let words =
        "tokenizing the text takes more than 1 steps; shorten the text, or simplify the tokenizer's pattern"
      #expect(steps == 2 && error == (isEnough ? nil : TaskError(.limitExceeded, words)))
    }
    #expect(PatternMatcher.maximumSteps == 268_435_456)
  }

  @Test("matches word boundaries")
  func assertions() {
    let (letter, digit, mark, space) = (UInt32(0x61), UInt32(0x30), UInt32(0x5F), UInt32(0x20))
    for (before, after, isBoundary) in [
      (nil, nil, false), (nil, letter, true), (letter, nil, true), (nil, space, false), (space, nil, false),
      (letter, digit, false), (digit, mark, false), (mark, space, true), (space, letter, true), (space, space, false),
      (0xE9, letter, true),
    ] as [(UInt32?, UInt32?, Bool)] {
      #expect(PatternAssertion.wordBoundary.holds(before: before, after: after) == isBoundary)
      #expect(PatternAssertion.notWordBoundary.holds(before: before, after: after) != isBoundary)
      #expect(PatternAssertion.start.holds(before: before, after: after) == (before == nil))
      #expect(PatternAssertion.end.holds(before: before, after: after) == (after == nil))
    }
  }

  @Test("stops when no more words are requested", arguments: ["[ ]", " ", " +", " +x?", "  ?"])
  func stops(pattern: String) throws {
    for wanted in 1...4 {
      var words: [String] = []
      try Array("a b c d".utf8).withUnsafeBufferPointer { text in
        try Delimiter(pattern).forEachWord(of: text) {
          words.append(String(decoding: $0, as: UTF8.self))
          return words.count < wanted
        }
      }
      #expect(words == Array(["a", "b", "c", "d"].prefix(wanted)))
    }
  }

  @Test("braces without numbers are literals", arguments: ["a{", "a{}", "a{x}", "a{1", "a{1,x}", "a{,1}"])
  func braces(pattern: String) throws {
    #expect(try matches(pattern, "-" + pattern + "-") == [pattern])
  }

  @Test(
    "rejects patterns with empty matches",
    arguments: ["", "a*", "a?|b", "\\b", "^", "(?:)", "(a|)", "a{0}", "(a*){2}", "(a|)+", "(\\b)+"])
  func refusesNothing(pattern: String) {
    let error = taskError { try Delimiter(pattern) }
    #expect(error?.code == .invalidModel && error?.message.contains("matches no characters") == true)
  }

  @Test("rejects repetitions that exceed the program limit, and groups that nest too deeply")
  func refusesTooMuch() {
    for pattern in ["((a{1000}){1000}){1000}", String(repeating: "(", count: 200) + "a"] {
      #expect(taskError { try Delimiter(pattern) }?.code == .invalidModel)
    }
  }

  @Test("takes linear time if backtracking would be exponential")
  func bounded() throws {
    let text = String(repeating: "a", count: 3000)
    #expect(try matches("(a*)*b|(a|a)*c", text) == [])
    // Every search scans the rest of the text, and matches one letter of it.
    let error = taskError { try words("a.*b|a", text, maximumSteps: 100_000) }
    #expect(error?.code == .limitExceeded && error?.message.contains("shorten the text") == true)
  }

  // MARK: Deadlines

  private func late(_ body: () throws -> Void) -> TaskError.Code? {
    CallContext(timeout: .zero - .seconds(1)).carry { taskError { try body() }?.code }
  }

  @Test("parsing and compiling a long pattern end at the deadline of the call")
  func readingDeadline() throws {
    for (start, part, end) in [("", "a", ""), ("[", "\\pZ", "]"), ("(?<", "n", ">a)")] {
      func pattern(_ count: Int) -> String { start + String(repeating: part, count: count) + end }
      #expect(late { _ = try PatternParser.parse(pattern(1000)) } == nil)
      #expect(late { _ = try PatternParser.parse(pattern(2000)) } == .deadlineExceeded)
      #expect(taskError { try PatternParser.parse(pattern(2000)) } == nil)
    }
    let node = try PatternParser.parse("a{1000}b{100}")
    #expect(late { _ = try PatternProgram(node) } == .deadlineExceeded)
    #expect(try PatternProgram(node).instructions.count == 1101)
  }

  @Test("tokenizing a text ends at the deadline of the call", arguments: ["[ ]", " +x?", "y|x.*z"])
  func cuttingDeadline(pattern: String) throws {
    let delimiter = try Delimiter(pattern)
    for (text, isLong) in [("a b", false), (String(repeating: "xa ", count: 10_000), true)] {
      let code = late {
        try Array(text.utf8).withUnsafeBufferPointer { try delimiter.forEachWord(of: $0) { _ in true } }
      }
      #expect(code == (isLong ? .deadlineExceeded : nil))
    }
  }
}
