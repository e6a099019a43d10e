/// A set of Unicode scalars, defined by ranges and general categories.
///
/// A lookup takes a binary search and one check of the scalar's category, regardless of the number of members.
struct ScalarSet: Sendable, Hashable {
  /// The scalars of some general categories, or all others.
  struct Categories: Sendable, Hashable {
    /// One bit for each category in the set.
    fileprivate(set) var bits: UInt32

    init(members: Set<Unicode.GeneralCategory>, isNegated: Bool) {
      let bits = members.reduce(0) { $0 | ScalarSet.bit(of: $1) }
      self.bits = isNegated ? ~bits : bits
    }
  }

  static let lastScalar: UInt32 = 0x10FFFF

  /// The ranges, sorted and not adjacent.
  private let ranges: [ClosedRange<UInt32>]
  /// One bit for each general category whose scalars are in the set.
  private let categories: UInt32
  private let isNegated: Bool
  /// The members among the first 128 scalars, as a bit set.
  private let ascii: (UInt64, UInt64)
  /// A hash of the members, which makes the comparison of sets fast.
  private let digest: Int

  init(_ ranges: [ClosedRange<UInt32>], categories: [Categories] = [], isNegated: Bool = false) {
    self.ranges = Self.merged(ranges)
    self.categories = categories.reduce(0) { $0 | $1.bits }
    self.isNegated = isNegated
    var bits: (UInt64, UInt64) = (0, 0)
    for value: UInt32 in 0..<128 {
      let isCategorized = self.categories != 0 && self.categories & Self.category(of: value) != 0
      guard (isCategorized || Self.contains(value, self.ranges)) != isNegated else { continue }
      if value < 64 { bits.0 |= 1 << UInt64(value) } else { bits.1 |= 1 << UInt64(value - 64) }
    }
    ascii = bits
    var hasher = Hasher()
    hasher.combine(self.ranges)
    hasher.combine(self.categories)
    hasher.combine(isNegated)
    digest = hasher.finalize()
  }

  func contains(_ value: UInt32) -> Bool {
    contains(value, category: value < 128 || categories == 0 ? 0 : Self.category(of: value))
  }

  /// Returns whether the set contains a scalar.
  ///
  /// - Parameter category: The category bit of the scalar, which is looked up once for all sets.
  func contains(_ value: UInt32, category: UInt32) -> Bool {
    if value < 64 { return ascii.0 >> UInt64(value) & 1 == 1 }
    if value < 128 { return ascii.1 >> UInt64(value - 64) & 1 == 1 }
    return (categories & category != 0 || Self.contains(value, ranges)) != isNegated
  }

  /// Returns the bit of a scalar's general category; 0 for a number that isn't a valid scalar.
  static func category(of value: UInt32) -> UInt32 {
    Unicode.Scalar(value).map { bit(of: $0.properties.generalCategory) } ?? 0
  }

  private static func contains(_ value: UInt32, _ ranges: [ClosedRange<UInt32>]) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }

  /// Returns the same scalars in ranges that are sorted and not adjacent.
  static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  /// Returns the scalars that are in none of these ranges.
  static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var rest: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in merged(ranges) {
      if range.lowerBound > next { rest.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= lastScalar { rest.append(next...lastScalar) }
    return rest
  }

  static func == (one: ScalarSet, other: ScalarSet) -> Bool {
    one.digest == other.digest && one.categories == other.categories && one.isNegated == other.isNegated
      && one.ranges == other.ranges
  }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension ScalarSet {
  static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
  /// The characters of `\s`: tab, line feed, form feed, carriage return, and space, but not vertical tab.
  static let spaces: [ClosedRange<UInt32>] = [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
  static let wordCharacters: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
  static let notDigits = complement(digits)
  static let notSpaces = complement(spaces)
  static let notWordCharacters = complement(wordCharacters)
  /// ``wordCharacters`` as a set.
  static let words = ScalarSet(wordCharacters)

  /// Returns the ASCII class with a name such as `alpha`; `nil` for an unknown name.
  static func named(_ name: String) -> [ClosedRange<UInt32>]? {
    let (upper, lower): (ClosedRange<UInt32>, ClosedRange<UInt32>) = (0x41...0x5A, 0x61...0x7A)
    return switch name {
    case "alnum": digits + [upper, lower]
    case "alpha": [upper, lower]
    case "ascii": [0...0x7F]
    case "blank": [0x09...0x09, 0x20...0x20]
    case "cntrl": [0...0x1F, 0x7F...0x7F]
    case "digit": digits
    case "graph": [0x21...0x7E]
    case "lower": [lower]
    case "print": [0x20...0x7E]
    case "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]
    case "space": [0x09...0x0D, 0x20...0x20]
    case "upper": [upper]
    case "word": wordCharacters
    case "xdigit": digits + [0x41...0x46, 0x61...0x66]
    default: nil
    }
  }

  /// Returns the general categories for a name such as `L` or `Lu`; `nil` for an unknown name.
  static func categories(_ name: String) -> Set<Unicode.GeneralCategory>? { categorySets[name] }

  /// The categories for every name, and for the first letter of the names.
  private static let categorySets: [String: Set<Unicode.GeneralCategory>] = {
    var sets: [String: Set<Unicode.GeneralCategory>] = [:]
    for (name, value) in categoryNames {
      sets[name] = [value]
      sets[String(name.prefix(1)), default: []].insert(value)
    }
    return sets
  }()

  private static let categoryNames: [(name: String, value: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter), ("Lm", .modifierLetter),
    ("Lo", .otherLetter), ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark),
    ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
    ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation), ("Pi", .initialPunctuation),
    ("Pf", .finalPunctuation), ("Po", .otherPunctuation), ("Sm", .mathSymbol), ("Sc", .currencySymbol),
    ("Sk", .modifierSymbol), ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator),
    ("Zp", .paragraphSeparator), ("Cc", .control), ("Cf", .format), ("Cs", .surrogate), ("Co", .privateUse),
  ]

  /// Returns the bit of a general category.
  fileprivate static func bit(of category: Unicode.GeneralCategory) -> UInt32 {
    let number: UInt32 =
      switch category {
      case .uppercaseLetter: 0
      case .lowercaseLetter: 1
      case .titlecaseLetter: 2
      case .modifierLetter: 3
      case .otherLetter: 4
      case .nonspacingMark: 5
      case .spacingMark: 6
      case .enclosingMark: 7
      case .decimalNumber: 8
      case .letterNumber: 9
      case .otherNumber: 10
      case .connectorPunctuation: 11
      case .dashPunctuation: 12
      case .openPunctuation: 13
      case .closePunctuation: 14
      case .initialPunctuation: 15
      case .finalPunctuation: 16
      case .otherPunctuation: 17
      case .mathSymbol: 18
      case .currencySymbol: 19
      case .modifierSymbol: 20
      case .otherSymbol: 21
      case .spaceSeparator: 22
      case .lineSeparator: 23
      case .paragraphSeparator: 24
      case .control: 25
      case .format: 26
      case .surrogate: 27
      case .privateUse: 28
      case .unassigned: 29
      @unknown default: 30
      }
    return 1 << number
  }
}

/// Decodes the Unicode scalars of UTF-8 text.
enum UTF8Scalars {
  /// Returns the scalar at a position, and its length in bytes. A byte that doesn't start a scalar counts as U+FFFD.
  ///
  /// - Parameter position: A valid index of `text`.
  @inline(__always)
  static func scalar(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> (value: UInt32, length: Int) {
    let first = text[position]
    if first < 0x80 { return (UInt32(first), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first <= 0xF4, position + length <= text.count else { return (0xFFFD, 1) }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for byte in text[position + 1..<position + length] {
      guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    return (value, length)
  }
}
