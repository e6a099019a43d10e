import SwiftletEngine
import SwiftletSchema

/// The options of the MediaPipe pooling operators: the bytes of a C structure of 32-bit integers.
///
/// - Source: `TfLitePoolParams` of the TFLite C API: padding (1 same, 2 valid), stride width and height, window width
///   and height, activation; what follows is not used.
struct PoolingStructure: Sendable {
  let padding: WindowPadding
  let strides: (height: Int, width: Int)
  let window: (height: Int, width: Int)
  let activation: FusedActivation

  private static let requiredFields = 5
  private static let sizes = 1...Int(Int16.max)

  init(_ node: NodeReader) throws {
    let bytes = node.description.customOptions.bytes
    guard bytes.count >= 4 * Self.requiredFields else {
      throw node.invalid("takes options of at least \(4 * Self.requiredFields) bytes, got \(bytes.count)")
    }
    func field(_ index: Int) -> Int {
      Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)))
    }
    switch field(0) {
    case 1: padding = .same
    case 2: padding = .valid
    case let value: throw node.invalid("has padding \(value), it must be 1 (same) or 2 (valid)")
    }
    strides = (field(2), field(1))
    window = (field(4), field(3))
    guard [strides.height, strides.width, window.height, window.width].allSatisfy(Self.sizes.contains) else {
      throw node.invalid(
        "has strides of \(strides.height)×\(strides.width) and a window of \(window.height)×\(window.width); all must be positive and fit 16 bits"
      )
    }
    let activation = bytes.count >= 24 ? FusedActivation(rawValue: field(5)) : FusedActivation.none
    guard let activation, [.none, .relu, .reluN1To1, .relu6].contains(activation) else {
      throw node.invalid("has activation \(field(5)), which the operator does not take")
    }
    self.activation = activation
  }
}
