import SwiftletBase

/// A parser for regular expressions.
///
/// - Source: the documented syntax of RE2. Flags, script names, `\Q…\E`, and `\C` are rejected.
struct PatternParser {
  /// The maximum nesting depth of groups, which bounds the depth of the tree.
  private static let deepest = 100
  /// The number of ranges of a class that are collected before they are merged, because a class may repeat ranges.
  private static let rangesBeforeMerging = 4096
  /// The maximum number in braces.
  private static let maximumRepetitions = 1000

  private let pattern: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  /// The number of characters, classes, and assertions so far, each of which becomes an instruction.
  private var atomCount = 0
  private var steps = StepCounter(every: 1024)

  private init(_ pattern: String) { self.pattern = Array(pattern.unicodeScalars) }

  /// Returns the tree of a pattern.
  ///
  /// - Throws: `TaskError` with the position of a syntax error, or if the pattern exceeds the size of a program; and
  ///   after the deadline of the call.
  static func parse(_ pattern: String) throws(TaskError) -> PatternNode {
    var parser = PatternParser(pattern)
    let node = try parser.choice()
    guard parser.position == parser.pattern.count else { throw parser.error("unmatched )") }
    return node
  }

  // MARK: Characters

  private var next: Unicode.Scalar? { position < pattern.count ? pattern[position] : nil }

  private mutating func take(_ text: String) -> Bool {
    var end = position
    for scalar in text.unicodeScalars {
      guard end < pattern.count, pattern[end] == scalar else { return false }
      end += 1
    }
    position = end
    return true
  }

  /// Consumes the text up to and including `end`, and returns it without `end`; `nil` if there is no such end.
  private mutating func takeText(upTo end: String) throws(TaskError) -> String? {
    var text = ""
    while let scalar = next {
      try steps.step()
      if take(end) { return text }
      text.unicodeScalars.append(scalar)
      position += 1
    }
    return nil
  }

  private func error(_ what: String) -> TaskError {
    .invalidModel(
      "the tokenizer's pattern \"\(String(String.UnicodeScalarView(pattern)).excerpt)\" cannot be read at character \(position + 1): \(what)"
    )
  }

  // MARK: Structure

  private mutating func choice() throws(TaskError) -> PatternNode {
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(TaskError) -> PatternNode {
    var parts: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      try steps.step()
      let part = try repetition(of: try atom())
      // Skip empty parts: they become no instructions, so repetitions of them could grow without limit.
      if part != .empty { parts.append(part) }
    }
    return parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func atom() throws(TaskError) -> PatternNode {
    guard let scalar = next else { throw error("it ends too early") }
    if scalar != "(" {
      atomCount += 1
      guard atomCount <= PatternProgram.longest else { throw PatternProgram.tooLong }
    }
    switch scalar {
    case "(": return try group()
    case "[": return .set(try bracketed())
    case "\\": return try escaped()
    case "*", "+", "?": throw error("there is nothing to repeat")
    default: break
    }
    position += 1
    switch scalar {
    case ".": return .set(ScalarSet([0x0A...0x0A], isNegated: true))
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    default: return .set(ScalarSet([scalar.value...scalar.value]))
    }
  }

  private mutating func group() throws(TaskError) -> PatternNode {
    let start = position
    guard depth < Self.deepest else { throw error("groups are nested more than \(Self.deepest) deep") }
    _ = take("(")
    let isLookbehind =
      pattern[position...].starts(with: ["?", "<", "="] as [Unicode.Scalar])
      || pattern[position...].starts(with: ["?", "<", "!"] as [Unicode.Scalar])
    if !isLookbehind, take("?P<") || take("?<") {
      guard let name = try takeText(upTo: ">"), !name.isEmpty,
        name.unicodeScalars.allSatisfy({ ScalarSet.words.contains($0.value) })
      else { throw error("invalid group name") }
    } else if !take("?:"), next == "?" {
      throw error("flags and lookarounds are not supported")
    }
    depth += 1
    let node = try choice()
    depth -= 1
    guard take(")") else {
      position = start
      throw error("the group is not ended")
    }
    return node
  }

  private mutating func repetition(of atom: PatternNode) throws(TaskError) -> PatternNode {
    var node = atom
    var isRepeated = false
    while let (least, most) = try counts() {
      guard !isRepeated else { throw error("a repetition follows a repetition; use a group") }
      let isGreedy = !take("?")
      node = node == .empty || most == 0 ? .empty : .repetition(node, least: least, most: most, isGreedy: isGreedy)
      isRepeated = true
    }
    return node
  }

  /// Parses the repetition of the last atom; returns `nil` if there is none.
  private mutating func counts() throws(TaskError) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = position
    guard take("{"), let least = number() else {
      position = start
      return nil
    }
    var most: Int? = least
    if take(",") { most = next == "}" ? nil : number() ?? -1 }
    // A brace that doesn't start a repetition is a literal.
    guard take("}"), most != -1 else {
      position = start
      return nil
    }
    guard least <= Self.maximumRepetitions, (most ?? least) <= Self.maximumRepetitions, least <= most ?? least else {
      throw error(
        "a number of repetitions must be at most \(Self.maximumRepetitions), and the least not more than the most")
    }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let digit = next, (0x30...0x39).contains(digit.value) {
      // Cap the value above the accepted maximum, but low enough not to overflow.
      value = min((value ?? 0) * 10 + Int(digit.value - 0x30), 1_000_000)
      position += 1
    }
    return value
  }
}

// MARK: - Escapes and classes

extension PatternParser {
  /// An element of a class.
  private enum Element {
    case scalar(UInt32)
    case ranges([ClosedRange<UInt32>])
    case categories(ScalarSet.Categories)
  }

  private mutating func escaped() throws(TaskError) -> PatternNode {
    let start = position
    _ = take("\\")
    if let assertion = takeAssertion() { return .assertion(assertion) }
    position = start
    switch try escapedElement() {
    case .scalar(let value): return .set(ScalarSet([value...value]))
    case .ranges(let ranges): return .set(ScalarSet(ranges))
    case .categories(let categories): return .set(ScalarSet([], categories: [categories]))
    }
  }

  private mutating func takeAssertion() -> PatternAssertion? {
    if take("b") { return .wordBoundary }
    if take("B") { return .notWordBoundary }
    if take("A") { return .start }
    return take("z") ? .end : nil
  }

  private mutating func escapedElement() throws(TaskError) -> Element {
    _ = take("\\")
    guard let scalar = next else { throw error("it ends with a backslash") }
    position += 1
    switch scalar {
    case "d": return .ranges(ScalarSet.digits)
    case "D": return .ranges(ScalarSet.notDigits)
    case "s": return .ranges(ScalarSet.spaces)
    case "S": return .ranges(ScalarSet.notSpaces)
    case "w": return .ranges(ScalarSet.wordCharacters)
    case "W": return .ranges(ScalarSet.notWordCharacters)
    case "a": return .scalar(0x07)
    case "t": return .scalar(0x09)
    case "n": return .scalar(0x0A)
    case "v": return .scalar(0x0B)
    case "f": return .scalar(0x0C)
    case "r": return .scalar(0x0D)
    case "x": return .scalar(try hexadecimal())
    case "p", "P": return try categories(isNegated: scalar == "P")
    default:
      guard scalar.value < 0x80, !ScalarSet.words.contains(scalar.value) else {
        position -= 1
        throw error("\\\(scalar) has no meaning here")
      }
      return .scalar(scalar.value)
    }
  }

  private mutating func hexadecimal() throws(TaskError) -> UInt32 {
    let digits: String
    if take("{") {
      digits = try takeText(upTo: "}") ?? ""
    } else {
      digits = String(String.UnicodeScalarView(pattern[position...].prefix(2)))
      position += digits.unicodeScalars.count
    }
    guard digits.count >= 2 || digits.count == 1 && pattern[position - 1] == "}", digits.allSatisfy(\.isHexDigit),
      let value = UInt32(digits, radix: 16), value <= ScalarSet.lastScalar
    else { throw error("\\x takes two hexadecimal digits, or some in braces, up to 10FFFF") }
    return value
  }

  private mutating func categories(isNegated: Bool) throws(TaskError) -> Element {
    var name = ""
    if take("{") {
      name = try takeText(upTo: "}") ?? ""
    } else if let letter = next {
      position += 1
      name = String(letter)
    }
    let isTurned = name.hasPrefix("^")
    if isTurned { name.removeFirst() }
    guard let members = ScalarSet.categories(name) else {
      throw error("\"\(name.excerpt)\" is not a general category; scripts are not supported")
    }
    return .categories(ScalarSet.Categories(members: members, isNegated: isNegated != isTurned))
  }

  private mutating func bracketed() throws(TaskError) -> ScalarSet {
    let start = position
    _ = take("[")
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    var categories: [ScalarSet.Categories] = []
    var isFirst = true
    var roomForRanges = Self.rangesBeforeMerging
    while isFirst || next != "]" {
      isFirst = false
      try steps.step()
      guard next != nil else {
        position = start
        throw error("the class is not ended")
      }
      switch try classElement() {
      case .scalar(let value): ranges.append(try range(from: value))
      case .ranges(let some): ranges += some
      case .categories(let some): if !categories.contains(some) { categories.append(some) }
      }
      if ranges.count > roomForRanges {
        ranges = ScalarSet.merged(ranges)
        roomForRanges = max(Self.rangesBeforeMerging, 2 * ranges.count)
      }
    }
    _ = take("]")
    return ScalarSet(ranges, categories: categories, isNegated: isNegated)
  }

  private mutating func classElement() throws(TaskError) -> Element {
    if take("[:") {
      let isNegated = take("^")
      guard let name = try takeText(upTo: ":]"), let ranges = ScalarSet.named(name) else {
        throw error("invalid class name")
      }
      return .ranges(isNegated ? ScalarSet.complement(ranges) : ranges)
    }
    if next == "\\" { return try escapedElement() }
    let scalar = pattern[position]
    position += 1
    return .scalar(scalar.value)
  }

  /// Parses a range if a hyphen follows its first scalar; otherwise returns the scalar alone.
  private mutating func range(from first: UInt32) throws(TaskError) -> ClosedRange<UInt32> {
    let start = position
    guard take("-"), let end = next, end != "]" else {
      position = start
      return first...first
    }
    guard case .scalar(let last) = try classElement(), last >= first else {
      throw error("the range must end with a character after its first one")
    }
    return first...last
  }
}
