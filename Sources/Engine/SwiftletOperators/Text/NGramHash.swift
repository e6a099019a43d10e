import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// NGramHash: hashes of all n-grams of characters in a text.
///
/// Letters are lowercased, and all other characters become spaces. `^` is inserted before the text and `$` after it. An
/// output is the hash of an n-gram's UTF-8 bytes modulo the vocabulary size, plus 1. N-grams near the end are shorter.
///
/// - Shapes: a text in one string, or in the first of several; output `[1, lengths, characters]`.
/// - Types: string to int32.
/// - Throws: `limitExceeded` in a run if the n-grams exceed the work limit of the run.
/// - Source: the MediaPipe operator of this name. Its options are a map: `seed`, `ngram_lengths`, `vocab_sizes`,
///   `max_splits` (128 characters, including `^` and `$`), and `lowercase_input` (true). MediaPipe reads as many bytes
///   of the lowercased text as the original text has, and so reads past the end if the lowercased text is shorter. This
///   operator reads exactly the lowercased text.
struct NGramHashOperator: ControlOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.custom("NGramHash"), versions: 1...1, types: .one(.string, to: .int32))
  }

  private struct Lengths: Sendable {
    var characters: Int
    var vocabulary: UInt64
  }

  private let seed: UInt64
  private let lengths: [Lengths]
  private let maximumCharacters: Int
  private let lowersCase: Bool

  /// The time to hash a byte in nanoseconds.
  private static let workPerByte = 1.0

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    let options = try node.description.customOptionValues()
    seed = UInt64(bitPattern: Int64(options["seed"].intValue))
    let lengths = options["ngram_lengths"].elements.map(\.intValue)
    let sizes = options["vocab_sizes"].elements.map(\.intValue)
    // The largest output is the size itself.
    guard !lengths.isEmpty, lengths.count == sizes.count, lengths.allSatisfy({ (1...Int(Int32.max)).contains($0) }),
      sizes.allSatisfy({ (1...Int(Int32.max)).contains($0) })
    else {
      throw node.invalid(
        "requires ngram_lengths and the same number of vocab_sizes, all positive, got \(lengths.excerpt) and \(sizes.excerpt)"
      )
    }
    self.lengths = zip(lengths, sizes).map { Lengths(characters: $0, vocabulary: UInt64($1)) }
    maximumCharacters = options["max_splits"].isNull ? 128 : options["max_splits"].intValue
    guard maximumCharacters > 0 else { throw node.invalid("has max_splits \(maximumCharacters); it must be positive") }
    lowersCase = options["lowercase_input"].isNull ? true : options["lowercase_input"].boolValue
  }

  func evaluate(_ call: ControlCall) throws -> [TensorView] {
    guard let text = try call.firstString(try call.arguments()[0]) else {
      throw call.invalid("takes a text, got none")
    }
    let characters = Characters(of: text, most: maximumCharacters, lowersCase: lowersCase)
    let bytes = lengths.reduce(0.0) { $0 + Double(min($1.characters, characters.count)) * 4 }
    try call.spend(Double(characters.count) * (bytes + Double(8 * lengths.count)) * Self.workPerByte)
    var numbers: [Int32] = []
    for length in lengths {
      try call.check()
      for start in 0..<characters.count {
        let end = min(length.characters, characters.count - start) + start
        let hash = MurmurHash.of(characters.bytes[characters.starts[start]..<characters.starts[end]], seed: seed)
        numbers.append(Int32(truncatingIfNeeded: hash % length.vocabulary) + 1)
      }
    }
    return [try call.result(0, shape: [1, lengths.count, characters.count], numbers)]
  }
}

/// A text in the form that the operator hashes.
private struct Characters {
  private(set) var bytes: [UInt8] = []
  /// The start of each character, and the end of the text.
  private(set) var starts: [Int] = []

  var count: Int { starts.count - 1 }

  init(of text: [UInt8], most: Int, lowersCase: Bool) {
    append("^")
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      guard starts.count + 1 < most else { break }
      append(LetterCase.isLetter(scalar) ? (lowersCase ? LetterCase.lowercased(scalar) : scalar) : " ")
    }
    append("$")
    starts.append(bytes.count)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    starts.append(bytes.count)
    bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
  }
}

/// Letters and their cases according to Unicode 6.2, whose tables models were created with.
enum LetterCase {
  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) }
    switch scalar.value {
    // Letters that later versions classify as marks, and marks that they classify as letters.
    case 0x1885...0x1886: return true
    case 0x19B0...0x19C0, 0x19C8...0x19C9, 0x1CF2...0x1CF3: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return isOld(scalar)
    default: return false
    }
  }

  static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard let small = scalar.properties.lowercaseMapping.unicodeScalars.first, isOld(small) else { return scalar }
    return small
  }

  private static func isOld(_ scalar: Unicode.Scalar) -> Bool {
    guard let age = scalar.properties.age else { return false }
    return age.major < 6 || age.major == 6 && age.minor <= 2
  }
}

/// A hash of bytes.
///
/// - Source: MurmurHash 2, the 64-bit version.
enum MurmurHash {
  private static let factor: UInt64 = 0xC6A4_A793_5BD1_E995

  static func of(_ bytes: ArraySlice<UInt8>, seed: UInt64) -> UInt64 {
    var hash = seed ^ UInt64(bytes.count) &* factor
    var rest = bytes
    while rest.count >= 8 {
      let word = mixed(word(rest.prefix(8)) &* factor) &* factor
      hash = (hash ^ word) &* factor
      rest = rest.dropFirst(8)
    }
    if !rest.isEmpty { hash = (hash ^ word(rest)) &* factor }
    return mixed(mixed(hash) &* factor)
  }

  private static func mixed(_ value: UInt64) -> UInt64 { value ^ value >> 47 }

  /// Returns up to eight bytes as a number, with the first byte lowest.
  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
