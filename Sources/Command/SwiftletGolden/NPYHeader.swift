import SwiftletBase

/// The header of a `.npy` file: a Python dictionary with three keys, written as text.
struct NPYHeader {
  private(set) var descriptor = ""
  private(set) var isFortranOrder = false
  private(set) var shape: [Int] = []

  /// NumPy's own limit of dimensions.
  private static let rankLimit = 64

  /// Parses the dictionary; unknown, repeated and missing keys are errors, as in NumPy.
  init(_ bytes: ArraySlice<UInt8>) throws(GoldenError) {
    var reader = PythonLiteralReader(bytes)
    var seen: Set<String> = []
    try reader.expect("{")
    while !reader.skip("}") {
      let key = try reader.string()
      guard seen.insert(key).inserted else { throw Self.malformed("the key '\(key.excerpt)' is there twice") }
      try reader.expect(":")
      switch key {
      case "descr":
        guard reader.isAtString else {
          throw GoldenError(.unsupported, "structured arrays are not supported; save a single field of the array")
        }
        descriptor = try reader.string()
      case "fortran_order": isFortranOrder = try reader.boolean()
      case "shape": shape = try reader.tuple(limit: Self.rankLimit)
      default: throw Self.malformed("unknown key '\(key.excerpt)'")
      }
      if !reader.skip(",") {
        try reader.expect("}")
        break
      }
    }
    guard reader.isAtEnd else { throw Self.malformed("there is something after the closing brace") }
    for key in ["descr", "fortran_order", "shape"] where !seen.contains(key) {
      throw Self.malformed("the key '\(key.excerpt)' is missing")
    }
  }

  fileprivate static func malformed(_ reason: String) -> GoldenError {
    GoldenError(.malformed, "the .npy header cannot be read: \(reason)")
  }
}

/// Reads the few kinds of Python literals that a header holds.
private struct PythonLiteralReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return rest.isEmpty
    }
  }

  var isAtString: Bool {
    mutating get {
      skipSpace()
      return rest.first == UInt8(ascii: "'") || rest.first == UInt8(ascii: "\"")
    }
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t") }
  }

  /// Takes `character` if it comes next.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws(GoldenError) {
    guard skip(character) else { throw NPYHeader.malformed("expected '\(character)' \(place)") }
  }

  private var place: String {
    guard let next = rest.first else { return "at its end" }
    return "before '\(Unicode.Scalar(next))'"
  }

  /// A string without escapes.
  mutating func string() throws(GoldenError) -> String {
    skipSpace()
    guard isAtString, let quote = rest.popFirst(), let end = rest.firstIndex(of: quote) else {
      throw NPYHeader.malformed("expected a string \(place)")
    }
    let text = rest[..<end]
    rest = rest[(end + 1)...]
    guard text.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }) else {
      throw NPYHeader.malformed("a string holds characters that are not plain")
    }
    return String(decoding: text, as: UTF8.self)
  }

  mutating func boolean() throws(GoldenError) -> Bool {
    skipSpace()
    for (word, value) in [("True", true), ("False", false)] where rest.starts(with: word.utf8) {
      rest = rest.dropFirst(word.utf8.count)
      return value
    }
    throw NPYHeader.malformed("expected True or False \(place)")
  }

  /// A tuple of whole numbers: `()`, `(3,)`, `(3, 4)`.
  mutating func tuple(limit: Int) throws(GoldenError) -> [Int] {
    var numbers: [Int] = []
    try expect("(")
    while !skip(")") {
      guard numbers.count < limit else { throw NPYHeader.malformed("more than \(limit) dimensions") }
      numbers.append(try number())
      if !skip(",") {
        try expect(")")
        break
      }
    }
    return numbers
  }

  private mutating func number() throws(GoldenError) -> Int {
    skipSpace()
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let value = Int(String(decoding: digits, as: UTF8.self)) else {
      throw NPYHeader.malformed("expected a dimension \(place)")
    }
    rest = rest.dropFirst(digits.count)
    return value
  }
}
