import SwiftletEngine
import SwiftletSchema

extension NodeView {
  /// The size of an element of input `index`.
  ///
  /// - Throws: for types that are packed or have no fixed size.
  func elementBytes(ofInput index: Int) throws -> Int {
    let spec = try input(index)
    guard let bytes = spec.elementType.storedWidth else {
      throw invalid("input \(index) \(spec) has elements of no whole number of bytes")
    }
    return bytes
  }

  /// The integer that stands for zero in output `index`: its zero point if it is quantised as a whole, otherwise 0.
  func quantizedZero(ofOutput index: Int) -> Int64 {
    guard let spec = try? output(index), spec.elementType.quantizedRange != nil else { return 0 }
    return Int64(spec.quantization?.zeroPoints.first ?? 0)
  }

  /// - Throws: when an input and an output of codes stand for real numbers in different ways, so that codes cannot be
  ///   moved from one to the other.
  func requireSameQuantization(input index: Int = 0, output outputIndex: Int = 0) throws {
    let input = try input(index), output = try output(outputIndex)
    guard input.elementType.quantizedRange != nil else { return }
    guard input.quantization?.scales.first == output.quantization?.scales.first,
      input.quantization?.zeroPoints.first == output.quantization?.zeroPoints.first
    else { throw invalid("input \(input) and output \(output) must have the same scale and zero point") }
  }

  /// `axis` counted from the front of `shape`.
  ///
  /// - Throws: when it is outside `-rank ..< rank`.
  func axis(_ axis: Int, of spec: TensorSpec) throws -> Int {
    guard let resolved = spec.shape.resolvedAxis(axis) else {
      throw invalid("axis \(axis) is outside of \(spec), which has \(spec.shape.rank) axes")
    }
    return resolved
  }
}
