import Testing

@testable import SwiftletText

@Suite("Sets of characters")
struct ScalarSetTests {
  /// Returns the scalars below 0x180 in a set.
  private func members(_ pattern: String) throws -> [UInt32] {
    guard case .set(let set) = try PatternParser.parse(pattern) else {
      Issue.record("\(pattern) is a set")
      return []
    }
    return (0..<0x180).filter(set.contains)
  }

  private static func ascii(_ characters: String) -> [UInt32] { characters.unicodeScalars.map(\.value).sorted() }

  private static let digits = "0123456789"
  private static let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  private static let lower = "abcdefghijklmnopqrstuvwxyz"
  private static let marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

  /// ASCII classes as POSIX defines them, in the C locale.
  static let classes: [(name: String, members: [UInt32])] = [
    ("alnum", ascii(digits + upper + lower)), ("alpha", ascii(upper + lower)), ("ascii", Array(0..<128)),
    ("blank", ascii(" \t")), ("cntrl", Array(0..<32) + [127]), ("digit", ascii(digits)),
    ("graph", ascii(digits + upper + lower + marks)), ("lower", ascii(lower)),
    ("print", ascii(" " + digits + upper + lower + marks)), ("punct", ascii(marks)),
    ("space", ascii(" \t\n\u{B}\u{C}\r")), ("upper", ascii(upper)), ("word", ascii(digits + upper + lower + "_")),
    ("xdigit", ascii(digits + "ABCDEFabcdef")),
  ]

  @Test("have the members of their class, and all others if negated", arguments: classes.map(\.name))
  func named(name: String) throws {
    let expected = try #require(Self.classes.first { $0.name == name }).members
    let others = (0..<0x180).filter { !expected.contains($0) }
    #expect(try members("[[:\(name):]]") == expected && members("[^[:^\(name):]]") == expected)
    #expect(try members("[^[:\(name):]]") == others && members("[[:^\(name):]]") == others)
  }

  @Test(
    "for escapes are Perl's, limited to ASCII",
    arguments: [
      ("\\d", digits), ("\\s", " \t\n\u{C}\r"), ("\\w", digits + upper + lower + "_"), ("\\a", "\u{7}"), ("\\t", "\t"),
      ("\\n", "\n"), ("\\v", "\u{B}"), ("\\f", "\u{C}"), ("\\r", "\r"), ("\\x7e", "~"), ("\\x{7E}", "~"),
      ("\\x{a}", "\n"), ("\\\\", "\\"), ("\\-", "-"), ("[\\d_]", digits + "_"), ("[+--]", "+,-"), ("[a-]", "-a"),
      ("[]-_]", "]^_"), ("[a-c-e]", "abc-e"), ("[\\x41-\\x43]", "ABC"), ("[.]", "."),
      ("[b-d[:digit:]]", "bcd" + digits),
      ("[b-ba-a]", "ab"), ("[a-cb-d]", "abcd"), ("[a-db-c]", "abcd"), ("[a-bc-d]", "abcd"), ("[d-ea-b]", "abde"),
    ])
  func escapes(pattern: String, expected: String) throws {
    #expect(try members(pattern) == Self.ascii(expected))
  }

  @Test("contain all other characters if negated", arguments: [("\\D", digits), ("\\S", " \t\n\u{C}\r"), (".", "\n")])
  func negated(pattern: String, missing: String) throws {
    #expect(try members(pattern) == (0..<0x180).filter { !Self.ascii(missing).contains($0) })
  }

  @Test("complements have no gap and contain no member")
  func complements() {
    let last: UInt32 = 0x10FFFF
    #expect(ScalarSet.lastScalar == last)
    #expect(ScalarSet.complement([]) == [0...last] && ScalarSet.complement([0...last]) == [])
    #expect(ScalarSet.complement([5...9]) == [0...4, 10...last])
    #expect(ScalarSet.complement([0...4, 10...last]) == [5...9])
    #expect(ScalarSet.complement([1...1, 3...last - 1]) == [0...0, 2...2, last...last])
    #expect(ScalarSet.complement([7...8, 5...7, 9...9]) == [0...4, 10...last])
  }

  @Test("find each member among many ranges", arguments: [false, true])
  func ranges(isNegated: Bool) {
    // 16 of each 64 scalars, so that ranges also begin and end around 64 and 128.
    let set = ScalarSet((0..<10).map { $0 * 64 + 60...$0 * 64 + 75 }, isNegated: isNegated)
    for value: UInt32 in 0..<800 {
      let isMember = value >= 60 && (value - 60) % 64 < 16 && value < 60 + 640
      #expect(set.contains(value) == (isMember != isNegated), "\(value)")
    }
  }

  /// A character of each general category, and the category's names.
  static let categories: [(scalar: Unicode.Scalar, name: String)] = [
    ("A", "Lu"), ("a", "Ll"), ("\u{1C5}", "Lt"), ("\u{2B0}", "Lm"), ("\u{5D0}", "Lo"), ("\u{301}", "Mn"),
    ("\u{903}", "Mc"), ("\u{20DD}", "Me"), ("7", "Nd"), ("\u{2160}", "Nl"), ("\u{BD}", "No"), ("_", "Pc"), ("-", "Pd"),
    ("(", "Ps"), (")", "Pe"), ("\u{AB}", "Pi"), ("\u{BB}", "Pf"), ("!", "Po"), ("+", "Sm"), ("$", "Sc"), ("^", "Sk"),
    ("\u{A6}", "So"), (" ", "Zs"), ("\u{2028}", "Zl"), ("\u{2029}", "Zp"), ("\u{1}", "Cc"), ("\u{AD}", "Cf"),
    ("\u{E000}", "Co"),
  ]

  @Test("of general categories contain exactly their characters", arguments: categories.map(\.name))
  func category(name: String) throws {
    let major = String(name.prefix(1))
    for (pattern, expected) in [
      ("\\p{\(name)}", { (other: String) in other == name }), ("\\P{\(name)}", { $0 != name }),
      ("\\p{^\(name)}", { $0 != name }), ("\\P{^\(name)}", { $0 == name }), ("\\p\(major)", { $0.hasPrefix(major) }),
      ("\\P\(major)", { !$0.hasPrefix(major) }), ("[\\p{\(name)}]", { $0 == name }),
      ("[^\\p{\(name)}]", { $0 != name }),
    ] as [(String, (String) -> Bool)] {
      guard case .set(let set) = try PatternParser.parse(pattern) else {
        Issue.record("\(pattern) is a set")
        continue
      }
      for (scalar, other) in Self.categories {
        #expect(set.contains(scalar.value) == expected(other), "\(pattern) and \(other)")
      }
    }
    #expect(ScalarSet.categories(name)?.count == 1)
  }

  @Test("of unknown categories don't exist")
  func noCategory() {
    for name in ["", "X", "Lx", "l", "LU", "Letter"] { #expect(ScalarSet.categories(name) == nil, "\(name)") }
    #expect(ScalarSet.categories("Cs") == [.surrogate])
    for name in ["", "Alpha", "digits"] { #expect(ScalarSet.named(name) == nil) }
    // Surrogates cannot be looked up in a category.
    #expect(!ScalarSet([], categories: [.init(members: [.surrogate], isNegated: false)]).contains(0xD800))
    #expect(ScalarSet([], categories: [.init(members: [.control], isNegated: false)], isNegated: true).contains(0xD800))
  }

  @Test("are equal if they have the same ranges, categories, and sign")
  func equality() {
    let letters = ScalarSet.Categories(members: [.lowercaseLetter], isNegated: false)
    let sets = [
      ScalarSet([1...2]), ScalarSet([1...3]), ScalarSet([1...2], categories: [letters]),
      ScalarSet([1...2], isNegated: true),
    ]
    #expect(Set(sets).count == 4)
    #expect(ScalarSet([1...1, 2...2]) == sets[0] && ScalarSet([1...1, 2...2]).hashValue == sets[0].hashValue)
  }

  @Test("a hundred thousand members are deduplicated and found quickly")
  func manyMembers() throws {
    for (part, single) in [("\\pZ", "[\\pZ]"), ("\\W", "[\\W]"), ("a-cx", "[a-cx]"), ("\\PL", "[\\PL]")] {
      let pattern = "[" + String(repeating: part, count: 100_000) + "]"
      #expect(try PatternParser.parse(pattern) == PatternParser.parse(single))
    }
    // Every second character, from last to first.
    let scalars = stride(from: UInt32(0x9FFE), through: 0x4E00, by: -2).compactMap(Unicode.Scalar.init)
    guard case .set(let set) = try PatternParser.parse("[\(String(String.UnicodeScalarView(scalars)))]") else {
      Issue.record("it is a set")
      return
    }
    for value: UInt32 in 0x4D00...0xA100 {
      let isMember = (0x4E00...0x9FFE).contains(value) && value % 2 == 0
      if set.contains(value) != isMember { Issue.record("\(value)") }
    }
  }

  // MARK: UTF-8

  @Test("characters are read from UTF-8, each to its last byte")
  func scalars() {
    for value: UInt32 in [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x3FFFF, 0x10FFFF] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let bytes = Array(String(Character(scalar)).utf8)
      for text in [bytes, [0x41] + bytes, bytes + [0x80]] {
        let start = text.first == 0x41 && value != 0x41 ? 1 : 0
        let found = text.withUnsafeBufferPointer { UTF8Scalars.scalar(in: $0, at: start) }
        #expect(found.value == value && found.length == bytes.count, "\(text)")
      }
    }
  }

  @Test(
    "invalid bytes count as one unreadable character",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xC2, 0xC0], [0xE0, 0xA0], [0xE0, 0xA0, 0x41],
      [0xE0, 0x41, 0x80], [0xF0, 0x90, 0x80], [0xF0, 0x90, 0x80, 0x41], [0xF5, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func notScalars(bytes: [UInt8]) {
    let found = bytes.withUnsafeBufferPointer { UTF8Scalars.scalar(in: $0, at: 0) }
    #expect(found.value == 0xFFFD && found.length == 1)
  }
}
