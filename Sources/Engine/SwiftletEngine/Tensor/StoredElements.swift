import SwiftletSchema

extension ElementType {
  /// The bytes that an element takes in a run's memory: strings are there as numbers of a `StringPool`.
  package var storedWidth: Int? { self == .string ? 8 : byteWidth }
}

extension TensorSpec {
  /// The bytes that the tensor takes in a run's memory; `nil` on overflow and for types without a fixed size.
  package var storedByteCount: Int? {
    elementType == .string ? ElementType.uint64.byteCount(elements: shape.elementCount) : byteCount
  }
}
