package import SwiftletSchema

/// A tensor as stored in a golden file: an element type, a shape, and row-major little-endian bytes.
///
/// It's independent of the engine's tensor type, so that the comparison also works on the tensors of other engines.
package struct GoldenTensor: Sendable, Equatable {
  package let elementType: ElementType
  package let shape: [Int]
  package let bytes: [UInt8]

  /// Creates a tensor after checking that the number of bytes matches type and shape.
  ///
  /// - Throws: `GoldenError.wrongSize` if it doesn't match, or if the shape is negative or its element count overflows;
  ///   `GoldenError.malformed` for a string tensor whose offsets don't fit its bytes.
  package init(elementType: ElementType, shape: [Int], bytes: [UInt8]) throws(GoldenError) {
    self.elementType = elementType
    self.shape = shape
    self.bytes = bytes
    let count = try Self.elementCount(of: shape)
    if elementType == .string {
      let strings = try StringTensorBytes.decode(bytes)
      guard strings.count == count else {
        throw GoldenError(
          .wrongSize, "a string tensor of shape \(shape) needs \(count) strings, the bytes hold \(strings.count)")
      }
      return
    }
    guard let needed = elementType.byteCount(elements: count) else {
      throw GoldenError(.unsupported, "a tensor of type \(elementType.name) has no fixed size")
    }
    guard needed == bytes.count else {
      throw GoldenError(
        .wrongSize, "\(elementType.name) of shape \(shape) takes \(needed) bytes, got \(bytes.count)")
    }
  }

  /// Returns the product of the dimensions, or throws for a negative dimension or an overflow.
  package static func elementCount(of shape: [Int]) throws(GoldenError) -> Int {
    var count = 1
    for dimension in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: dimension)
      guard dimension >= 0, !overflow else {
        throw GoldenError(.wrongSize, "shape \(shape) is negative or has more elements than can be counted")
      }
      count = product
    }
    return count
  }

  package var elementCount: Int {
    var count = 1
    for dimension in shape { count *= dimension }
    return count
  }

  /// The elements as numbers, with two per complex element, or `nil` if the type isn't floating point.
  package var floatingPointValues: [Double]? {
    switch elementType {
    case .float32, .complex64:
      littleEndianWords(UInt32.self).map { Double(Float(bitPattern: $0)) }
    case .float64, .complex128:
      littleEndianWords(UInt64.self).map { Double(bitPattern: $0) }
    case .float16:
      littleEndianWords(UInt16.self).map { Double(HalfPrecision.value(bitPattern: $0)) }
    case .bfloat16:
      littleEndianWords(UInt16.self).map { Double(Float(bitPattern: UInt32($0) << 16)) }
    default: nil
    }
  }

  /// The elements as integers, with booleans as 0 and 1, or `nil` for other types.
  ///
  /// Unsigned 64-bit elements keep their bit pattern: equality is preserved, and their order doesn't matter here.
  package var integerValues: [Int64]? {
    switch elementType {
    case .int8: bytes.map { Int64(Int8(bitPattern: $0)) }
    case .uint8: bytes.map { Int64($0) }
    case .bool: bytes.map { $0 == 0 ? 0 : 1 }
    case .int16: littleEndianWords(UInt16.self).map { Int64(Int16(bitPattern: $0)) }
    case .uint16: littleEndianWords(UInt16.self).map { Int64($0) }
    case .int32: littleEndianWords(UInt32.self).map { Int64(Int32(bitPattern: $0)) }
    case .uint32: littleEndianWords(UInt32.self).map { Int64($0) }
    case .int64, .uint64: littleEndianWords(UInt64.self).map { Int64(bitPattern: $0) }
    default: nil
    }
  }

  /// The elements as text, or `nil` unless the type is `string`.
  package var stringValues: [[UInt8]]? {
    guard elementType == .string else { return nil }
    return try? StringTensorBytes.decode(bytes)
  }

  private func littleEndianWords<Word: FixedWidthInteger>(_: Word.Type) -> [Word] {
    let width = MemoryLayout<Word>.size
    return bytes.withUnsafeBytes { raw in
      (0..<(raw.count / width)).map {
        Word(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * width, as: Word.self))
      }
    }
  }
}

/// The model format's encoding of a string tensor: a count, `count + 1` offsets, and the text, all integers as Int32.
package enum StringTensorBytes {
  package static func decode(_ bytes: [UInt8]) throws(GoldenError) -> [[UInt8]] {
    func word(_ index: Int) -> Int? {
      let start = 4 * index
      guard index >= 0, start <= bytes.count - 4 else { return nil }
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
      return Int(Int32(bitPattern: bits))
    }
    guard let count = word(0), count >= 0, count <= bytes.count / 4 else {
      throw GoldenError(.malformed, "a string tensor needs a count of strings in its first four bytes")
    }
    var strings: [[UInt8]] = []
    for index in 0..<count {
      guard let start = word(index + 1), let end = word(index + 2), start >= 4 * (count + 2), start <= end,
        end <= bytes.count
      else {
        throw GoldenError(.malformed, "string \(index) of \(count) does not lie inside the tensor's bytes")
      }
      strings.append(Array(bytes[start..<end]))
    }
    return strings
  }

  package static func encode(_ strings: [[UInt8]]) -> [UInt8] {
    var words = [Int32(clamping: strings.count)]
    var offset = 4 * (strings.count + 2)
    words.append(Int32(clamping: offset))
    for string in strings {
      offset += string.count
      words.append(Int32(clamping: offset))
    }
    return words.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * Int32($0))) }
    } + strings.joined()
  }
}

/// NumPy names of the element types that golden tensors and `.npy` files use.
extension ElementType {
  /// Creates the type with the given NumPy name (`float32`, `bool`, …), or `nil` for a name that no golden tensor uses.
  package init?(numpyName: String) {
    guard let type = Self.numpyTypes.first(where: { $0.numpyName == numpyName }) else { return nil }
    self = type
  }

  /// The NumPy name of the type, which is also the `dtype` in a manifest.
  package var numpyName: String { name }

  /// The types with a NumPy counterpart, plus strings, which a manifest stores in the encoding of the model file.
  private static let numpyTypes: [ElementType] = [
    .float32, .float16, .float64, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64, .bool, .complex64,
    .complex128,
    .string,
  ]

  /// The type's letter and size in a `.npy` header, without the byte order: `f4`, `i8`, `b1`.
  package var npyDescriptor: String? {
    switch self {
    case .float16: "f2"
    case .float32: "f4"
    case .float64: "f8"
    case .int8: "i1"
    case .uint8: "u1"
    case .int16: "i2"
    case .uint16: "u2"
    case .int32: "i4"
    case .uint32: "u4"
    case .int64: "i8"
    case .uint64: "u8"
    case .bool: "b1"
    case .complex64: "c8"
    case .complex128: "c16"
    default: nil
    }
  }

  /// Creates the type for a descriptor in a `.npy` header, or `nil`.
  package init?(npyDescriptor descriptor: some StringProtocol) {
    guard let type = Self.numpyTypes.first(where: { $0.npyDescriptor.map { $0 == descriptor } ?? false }) else {
      return nil
    }
    self = type
  }

  /// The distance between neighboring values relative to their magnitude, for types whose precision is coarser than the
  /// usual errors; 0 for others.
  var relativeStep: Double {
    switch self {
    case .float16: 0x1p-10
    case .bfloat16: 0x1p-7
    default: 0
    }
  }
}

/// IEEE 754 half precision, converted bit by bit because `Float16` doesn't exist on every supported platform.
package enum HalfPrecision {
  /// Returns the exact value of a half-precision number.
  package static func value(bitPattern: UInt16) -> Float {
    let sign = UInt32(bitPattern & 0x8000) << 16
    let exponent = UInt32(bitPattern >> 10) & 0x1F
    let fraction = UInt32(bitPattern & 0x3FF)
    switch exponent {
    case 0:
      let magnitude = Float(fraction) * 0x1p-24
      return sign == 0 ? magnitude : -magnitude
    case 0x1F:
      return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default:
      return Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }
}
