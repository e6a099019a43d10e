import SwiftletEngine

extension NodeView {
  /// The input that is one constant code, and that code, of a node of two 8-bit inputs with a result shaped like the
  /// other.
  func constantQuantized() throws -> (other: Int, quantized: Int32)? {
    guard inputCount == 2 else { return nil }
    for index in 0...1 {
      let (constant, other) = (try input(index), try input(1 - index))
      guard isConstant(index), constant.shape.elementCount == 1, try other.shape == output(0).shape,
        let byte = self.constant(index)?.first
      else { continue }
      switch other.elementType {
      case .int8: return (1 - index, Int32(Int8(bitPattern: byte)))
      case .uint8: return (1 - index, Int32(byte))
      default: return nil
      }
    }
    return nil
  }
}
