import Swiftlet

/// Inputs for measuring: values that exercise arithmetic and are valid for any model.
enum SyntheticInput {
  /// Floats in -1…1 and all byte values; integers that models use as sizes and indices are 0.
  static func fill(_ session: Session) throws {
    for (index, spec) in session.inputs.enumerated() {
      try session.withInput(at: index) { memory in
        switch spec.elementType {
        case .float32:
          for element in 0..<(memory.count / 4) {
            memory.storeBytes(of: Float(byte(element)) / 127.5 - 1, toByteOffset: element * 4, as: Float.self)
          }
        case .int8, .uint8:
          for element in memory.indices { memory[element] = byte(element) }
        default:
          memory.initializeMemory(as: UInt8.self, repeating: 0)
        }
      }
    }
  }

  /// A byte that looks random, the same for the same position.
  private static func byte(_ position: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt32(truncatingIfNeeded: position) &* 2_654_435_761) >> 24)
  }
}
