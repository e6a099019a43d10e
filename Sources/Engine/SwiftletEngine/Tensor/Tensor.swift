import SwiftletBase
public import SwiftletSchema

/// A tensor with its values, independent of any session.
public struct Tensor: Sendable, Hashable {
  /// The type of the elements.
  public let elementType: ElementType
  /// The sizes of the dimensions, outermost first.
  public let shape: Shape
  /// The elements, row-major, little-endian; strings in the model format's encoding.
  public let bytes: [UInt8]

  /// A tensor over raw bytes.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) when the byte count does not match type and shape.
  public init(elementType: ElementType, shape: Shape, bytes: [UInt8]) throws(RuntimeError) {
    guard elementType != .string else {
      _ = try Self.strings(ByteRegion(bytes), count: shape.elementCount)
      self.elementType = elementType
      self.shape = shape
      self.bytes = bytes
      return
    }
    guard let expected = elementType.byteCount(elements: shape.elementCount), expected == bytes.count else {
      throw RuntimeError(
        .invalidArgument,
        "a \(elementType.name)\(shape) tensor takes \(elementType.byteCount(elements: shape.elementCount) ?? 0) bytes, got \(bytes.count)"
      )
    }
    self.elementType = elementType
    self.shape = shape
    self.bytes = bytes
  }

  /// A tensor over typed values.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) when the number of values does not match the shape.
  public init<Scalar: TensorScalar>(_ values: [Scalar], shape: Shape) throws(RuntimeError) {
    try self.init(
      elementType: Scalar.elementType, shape: shape, bytes: values.withUnsafeBytes { [UInt8]($0) })
  }

  /// The values, when `Scalar` is this tensor's element type.
  ///
  /// - Throws: `RuntimeError` (`typeMismatch`) for another type.
  public func values<Scalar: TensorScalar>(as type: Scalar.Type = Scalar.self) throws(RuntimeError) -> [Scalar] {
    guard Scalar.elementType == elementType else {
      throw RuntimeError(
        .typeMismatch, "the tensor holds \(elementType.name), not \(Scalar.elementType.name); ask for its own type")
    }
    return bytes.withUnsafeBytes { raw in
      (0..<(raw.count / MemoryLayout<Scalar>.stride)).map {
        raw.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Scalar>.stride, as: Scalar.self)
      }
    }
  }
}
