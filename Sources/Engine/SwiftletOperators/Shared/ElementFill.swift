import SwiftletEngine

/// Writes one element over and over.
struct ElementFill: Sendable {
  private let elementBytes: Int
  private let low: UInt64
  private let high: UInt64

  /// - Parameters:
  ///   - element: one element's bytes.
  ///   - elementBytes: 1, 2, 4, 8 or 16.
  init(_ element: UnsafeRawPointer, elementBytes: Int) {
    self.elementBytes = elementBytes
    switch elementBytes {
    case 1: low = UInt64(element.load(as: UInt8.self)) &* 0x0101_0101_0101_0101
    case 2: low = UInt64(element.loadUnaligned(as: UInt16.self)) &* 0x0001_0001_0001_0001
    case 4: low = UInt64(element.loadUnaligned(as: UInt32.self)) &* 0x0000_0001_0000_0001
    default: low = element.loadUnaligned(as: UInt64.self)
    }
    high = elementBytes == 16 ? element.loadUnaligned(fromByteOffset: 8, as: UInt64.self) : low
  }

  /// The element whose lowest bytes are `value`, little-endian, and whose other bytes are zero or sign.
  init(_ value: Int64, elementBytes: Int) {
    let words = (value, elementBytes == 16 ? 0 : value)
    self = withUnsafeBytes(of: words) { bytes in
      // The tuple's sixteen bytes are always there.
      ElementFill(bytes.baseAddress.unsafelyUnwrapped, elementBytes: elementBytes)
    }
  }

  /// Whether all bytes of the element are equal, so that any run of bytes can be set at once.
  private var isUniform: Bool {
    low == high && low == UInt64(UInt8(truncatingIfNeeded: low)) &* 0x0101_0101_0101_0101
  }

  /// Fills `byteCount` bytes, a multiple of the element's size.
  func fill(_ destination: UnsafeMutableRawPointer, byteCount: Int) {
    guard byteCount > 0 else { return }
    if isUniform {
      destination.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: low), count: byteCount)
      return
    }
    let pairs = byteCount / 16
    let pattern = SIMD2(low, high)
    for index in 0..<pairs { destination.storeBytes(of: pattern, toByteOffset: index &* 16, as: SIMD2<UInt64>.self) }
    // What is left is shorter than the pattern, which repeats the element from its first byte.
    withUnsafeBytes(of: pattern) { bytes in
      let done = pairs &* 16
      for index in done..<byteCount {
        destination.storeBytes(of: bytes[index &- done], toByteOffset: index, as: UInt8.self)
      }
    }
  }
}
