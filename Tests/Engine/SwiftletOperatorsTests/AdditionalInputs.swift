import Foundation
import SwiftletGolden
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

/// The expected outputs of golden models for inputs that aren't stored, but generated here in the same way as in
/// `Tools/golden`.
struct AdditionalInputs: Sendable {
  /// A kind of inputs.
  enum Style: String, CaseIterable, Sendable { case any, negative, extremes }

  /// The reference result for one output.
  enum Output: Sendable {
    /// The FNV-1a hash of the elements, with zeros without their sign.
    case checksum(UInt64)
    /// The offset of the float32 elements in their file.
    case elements(Int)
  }

  private let lines: [String: [(style: Style, outputs: [Output])]]
  private let elements: [UInt8]

  init(textPath: String, elementsPath: String) throws {
    elements = [UInt8](try Data(contentsOf: URL(fileURLWithPath: elementsPath)))
    var lines: [String: [(style: Style, outputs: [Output])]] = [:]
    for line in try String(contentsOfFile: textPath, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      lines[String(words[0])] = try words.dropFirst().map { word in
        let parts = word.split(separator: "=")
        let style = try #require(Style(rawValue: String(parts[0])))
        return (style, try parts[1].split(separator: ",").map(Self.output))
      }
    }
    self.lines = lines
  }

  var modelNames: Set<String> { Set(lines.keys) }

  /// Returns the kinds of inputs that a model has results for.
  func cases(of model: String) -> [(style: Style, outputs: [Output])] { lines[model] ?? [] }

  /// Returns the stored elements of a float32 output.
  func elements(at offset: Int, shape: [Int]) throws -> GoldenTensor {
    let count = shape.reduce(1, *) * 4
    return try GoldenTensor(elementType: .float32, shape: shape, bytes: Array(elements[offset..<offset + count]))
  }

  private static func output(_ text: Substring) throws -> Output {
    text.count == 16
      ? .checksum(try #require(UInt64(text, radix: 16))) : .elements(try #require(Int(text)))
  }

  /// Returns the checksum of an output.
  static func checksum(_ tensor: GoldenTensor) -> UInt64 {
    var bytes = tensor.bytes
    if let format = FloatFormat(tensor.elementType) { format.normalize(&bytes) }
    return fingerprint(bytes)
  }

  private static func fingerprint(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns an input of a style, derived from the golden input.
  static func input(_ golden: GoldenTensor, zeroPoint: Int?, style: Style, seed: String) throws -> GoldenTensor {
    var numbers = Numbers(state: fingerprint(seed.utf8))
    let count = golden.elementCount
    guard count > 0 else { return golden }
    if let zeroPoint, let range = codes(golden.elementType) {
      let codes: [Int] =
        switch style {
        case .any: Array(range)
        case .negative: Array(range.lowerBound...zeroPoint)
        case .extremes: [range.lowerBound, range.upperBound, zeroPoint]
        }
      let width = golden.bytes.count / count
      let bytes = (0..<count).flatMap { _ in
        let code = codes[Int(numbers.next() % UInt64(codes.count))]
        return (0..<width).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) }
      }
      return try GoldenTensor(elementType: golden.elementType, shape: golden.shape, bytes: bytes)
    }
    if golden.elementType == .float32, let values = golden.floatingPointValues {
      let bytes = floats(values, style, &numbers).flatMap { value in
        (0..<4).map { UInt8(truncatingIfNeeded: Float(value).bitPattern >> UInt32(8 * $0)) }
      }
      return try GoldenTensor(elementType: .float32, shape: golden.shape, bytes: bytes)
    }
    let shift = Int(numbers.next() % UInt64(count)) * (golden.bytes.count / count)
    return try GoldenTensor(
      elementType: golden.elementType, shape: golden.shape,
      bytes: Array(golden.bytes[shift...] + golden.bytes[..<shift]))
  }

  private static func codes(_ type: ElementType) -> ClosedRange<Int>? {
    switch type {
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32767...32767
    default: nil
    }
  }

  private static func floats(_ golden: [Double], _ style: Style, _ numbers: inout Numbers) -> [Double] {
    let lowest = golden.min() ?? 0, highest = golden.max() ?? 0
    let isUsual = golden.allSatisfy(\.isFinite) && max(abs(lowest), abs(highest)) <= 1e6
    let (low, high) = isUsual ? (lowest, highest) : (-2, 2)
    let fixed = [low, high, 0, 1, -1, 2 * low, 2 * high, 0.5]
    return golden.map { _ in
      let number = numbers.next()
      let value = low + (high - low) * (Double(number >> 40) / Double(1 << 24))
      return switch style {
      case .any: value
      case .negative: -abs(value)
      case .extremes: fixed[Int(number % 8)]
      }
    }
  }

  /// The SplitMix64 generator.
  private struct Numbers {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }
}

/// The bit layout of a floating-point type.
private struct FloatFormat {
  let bytes: Int
  let quietNaN: UInt64
  let infinity: UInt64

  init?(_ type: ElementType) {
    switch type {
    case .float16: (bytes, quietNaN, infinity) = (2, 0x7E00, 0x7C00)
    case .float32: (bytes, quietNaN, infinity) = (4, 0x7FC0_0000, 0x7F80_0000)
    case .float64: (bytes, quietNaN, infinity) = (8, 0x7FF8_0000_0000_0000, 0x7FF0_0000_0000_0000)
    default: return nil
    }
  }

  /// Removes the sign of zeros, and makes all NaNs equal.
  func normalize(_ data: inout [UInt8]) {
    let sign: UInt64 = 1 << (8 * UInt64(bytes) - 1)
    for start in stride(from: 0, to: data.count, by: bytes) {
      var bits: UInt64 = 0
      for place in 0..<bytes { bits |= UInt64(data[start + place]) << (8 * UInt64(place)) }
      let magnitude = bits & ~sign
      let normal = magnitude == 0 ? 0 : magnitude > infinity ? quietNaN : bits
      for place in 0..<bytes { data[start + place] = UInt8(truncatingIfNeeded: normal >> (8 * UInt64(place))) }
    }
  }
}
