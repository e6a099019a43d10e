package import SwiftletSchema

/// The element types that golden tensors and `.npy` files use, under the names NumPy gives them.
extension ElementType {
  /// The type with the given NumPy name (`float32`, `bool`, …), or `nil` for a name that no golden tensor uses.
  package init?(numpyName: String) {
    guard let type = Self.numpyTypes.first(where: { $0.numpyName == numpyName }) else { return nil }
    self = type
  }

  /// The name NumPy gives the type, which is also the `dtype` of a manifest.
  package var numpyName: String { name }

  /// The types with a NumPy counterpart, plus strings, which a manifest stores in the model file's own encoding.
  private static let numpyTypes: [ElementType] = [
    .float32, .float16, .float64, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64, .bool, .complex64,
    .complex128,
    .string,
  ]

  /// The letter and size of a `.npy` header, without the byte order: `f4`, `i8`, `b1`.
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

  /// The type that a `.npy` header spells `descriptor`, or `nil`.
  package init?(npyDescriptor descriptor: some StringProtocol) {
    guard let type = Self.numpyTypes.first(where: { $0.npyDescriptor.map { $0 == descriptor } ?? false }) else {
      return nil
    }
    self = type
  }

  /// The distance of neighbouring numbers, relative to their magnitude, of types whose steps are larger than usual
  /// errors; 0 for others.
  var relativeStep: Double {
    switch self {
    case .float16: 0x1p-10
    case .bfloat16: 0x1p-7
    default: 0
    }
  }
}
