/// A set of Unicode scalars as a pattern writes it: ranges, and general categories.
struct ScalarSet: Sendable, Hashable {
  /// Scalars of some general categories, or of all others.
  struct Categories: Sendable, Hashable {
    var members: Set<Unicode.GeneralCategory>
    var isNegated: Bool

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      members.contains(scalar.properties.generalCategory) != isNegated
    }
  }

  static let lastScalar: UInt32 = 0x10FFFF

  /// In order, and none next to another.
  private let ranges: [ClosedRange<UInt32>]
  private let categories: [Categories]
  private let isNegated: Bool
  /// Which of the first 128 scalars are in the set.
  private let ascii: (UInt64, UInt64)

  init(_ ranges: [ClosedRange<UInt32>], categories: [Categories] = [], isNegated: Bool = false) {
    self.ranges = Self.merged(ranges)
    self.categories = categories
    self.isNegated = isNegated
    var bits: (UInt64, UInt64) = (0, 0)
    for value: UInt32 in 0..<128 where Self.contains(value, self.ranges, categories) != isNegated {
      if value < 64 { bits.0 |= 1 << UInt64(value) } else { bits.1 |= 1 << UInt64(value - 64) }
    }
    ascii = bits
  }

  func contains(_ value: UInt32) -> Bool {
    if value < 64 { return ascii.0 >> UInt64(value) & 1 == 1 }
    if value < 128 { return ascii.1 >> UInt64(value - 64) & 1 == 1 }
    return Self.contains(value, ranges, categories) != isNegated
  }

  private static func contains(
    _ value: UInt32, _ ranges: [ClosedRange<UInt32>], _ categories: [Categories]
  ) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    if low < ranges.count, ranges[low].contains(value) { return true }
    guard !categories.isEmpty, let scalar = Unicode.Scalar(value) else { return false }
    return categories.contains { $0.contains(scalar) }
  }

  private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
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

  /// The scalars that are in none of these ranges.
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
    one.ranges == other.ranges && one.categories == other.categories && one.isNegated == other.isNegated
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ranges)
    hasher.combine(categories)
    hasher.combine(isNegated)
  }
}

extension ScalarSet {
  static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
  /// The tab, the line feed, the form feed, the carriage return and the space: not the vertical tab.
  static let spaces: [ClosedRange<UInt32>] = [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
  static let wordCharacters: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]

  /// The ASCII class of a name such as `alpha`; `nil` for a name that is none.
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

  /// The general categories of a name such as `L` or `Lu`; `nil` for a name that is none.
  static func categories(_ name: String) -> Set<Unicode.GeneralCategory>? {
    let found = Set(categoryNames.filter { $0.name == name || name.count == 1 && $0.name.hasPrefix(name) }.map(\.value))
    return found.isEmpty ? nil : found
  }

  private static let categoryNames: [(name: String, value: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter), ("Lm", .modifierLetter),
    ("Lo", .otherLetter), ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark),
    ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
    ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation), ("Pi", .initialPunctuation),
    ("Pf", .finalPunctuation), ("Po", .otherPunctuation), ("Sm", .mathSymbol), ("Sc", .currencySymbol),
    ("Sk", .modifierSymbol), ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator),
    ("Zp", .paragraphSeparator), ("Cc", .control), ("Cf", .format), ("Cs", .surrogate), ("Co", .privateUse),
  ]
}
