/// The metadata of a synthetic 3D face.
package struct SyntheticCanonicalFace: Sendable {
  /// The 468 points in a ball around the origin, always the same.
  package var points: [SIMD3<Float>] = {
    var random = SplitMix64(state: 5)
    return (0..<468).map { _ in
      [
        Float.random(in: -8...8, using: &random), Float.random(in: -8...8, using: &random),
        Float.random(in: -4...4, using: &random),
      ]
    }
  }()
  package var weights: [(point: UInt64, weight: Float)]
  package var isPacked: Bool
  package var source: UInt64

  package init(
    weights: [(point: UInt64, weight: Float)] = Self.weights, isPacked: Bool = false, source: UInt64 = 1
  ) {
    (self.weights, self.isPacked, self.source) = (weights, isPacked, source)
  }

  package static let weights: [(point: UInt64, weight: Float)] = [4, 33, 61, 263, 291, 199].map {
    (UInt64($0), Float($0) / 300)
  }

  package var bytes: [UInt8] {
    var mesh = Self.field(1, 0) + Self.field(2, 0)
    let numbers = points.flatMap { [$0.x, $0.y, $0.z, 0.5, 0.25] as [Float] }
    if isPacked {
      mesh += Self.field(3, numbers.flatMap(Self.fourBytes))
    } else {
      for number in numbers { mesh += Self.varint(3 << 3 | 5) + Self.fourBytes(number) }
    }
    mesh += Self.field(4, 7)
    var message = Self.field(1, mesh)
    for (point, weight) in weights {
      message += Self.field(2, Self.field(1, point) + Self.varint(2 << 3 | 5) + Self.fourBytes(weight))
    }
    return message + Self.field(3, source)
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var (rest, bytes) = (value, [UInt8]())
    while rest > 127 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private static func field(_ number: UInt64, _ value: UInt64) -> [UInt8] { varint(number << 3) + varint(value) }

  private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
  }

  private static func fourBytes(_ value: Float) -> [UInt8] {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { [UInt8]($0) }
  }
}
