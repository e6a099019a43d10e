package import SwiftletEngine

/// Inputs for measuring: values that exercise arithmetic and are valid for any model, the same in every run.
package enum SyntheticInput {
  /// Floats in -1…1 and all values of bytes and 16-bit integers; wider integers, which models use as sizes and indices,
  /// are 0.
  package static func fill(_ session: Session) throws {
    for (index, spec) in session.inputs.enumerated() {
      // The same values wherever the input stands, other values for every input.
      var generator = Generator(state: UInt64(index))
      try session.withInput(index) { memory in
        switch spec.elementType {
        case .float32:
          for element in 0..<(memory.count / 4) {
            memory.storeBytes(of: generator.nextUnit() * 2 - 1, toByteOffset: element * 4, as: Float.self)
          }
        case .int8, .uint8, .int16, .uint16:
          for position in memory.indices { memory[position] = UInt8(truncatingIfNeeded: generator.next()) }
        default:
          memory.initializeMemory(as: UInt8.self, repeating: 0)
        }
      }
    }
  }

  /// The SplitMix64 generator (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014).
  private struct Generator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }

    /// From 0 up to, not including, 1.
    mutating func nextUnit() -> Float { Float(next() >> 40) / Float(1 << 24) }
  }
}
