import SwiftletBase

@_exported public import enum SwiftletSchema.ElementType

/// What is known of a tensor without its values.
public struct TensorSpec: Sendable, Hashable, CustomStringConvertible {
  /// The name in the model, or that of a signature; may be empty.
  public var name: String
  /// The type of the elements.
  public var elementType: ElementType
  /// The sizes of the dimensions, outermost first.
  public var shape: Shape
  /// The shape as the model declares it, with -1 for dimensions that may change; `nil` when all are fixed.
  public var shapeSignature: [Int]?
  /// What the integers stand for; `nil` for a tensor that is not quantised.
  public var quantization: QuantizationParameters?
  /// The type that the tensor has in the model, where its elements are narrower than bytes: a run gives each a byte.
  package private(set) var expandedFrom: ElementType?
  /// Whether a constant is sparse in the model; its elements were spread on loading.
  package var isSpread = false

  /// A description of a tensor.
  public init(
    name: String, elementType: ElementType, shape: Shape, shapeSignature: [Int]? = nil,
    quantization: QuantizationParameters? = nil
  ) {
    self.name = name
    self.elementType = elementType
    self.shape = shape
    self.shapeSignature = shapeSignature
    self.quantization = quantization
  }

  /// Gives the tensor a type of the model; elements of 2 and 4 bits become elements of a byte.
  mutating func setType(_ type: ElementType) {
    let narrow = NarrowIntegers(type)
    expandedFrom = narrow == nil ? nil : type
    elementType = narrow.map { $0.isSigned ? .int8 : .uint8 } ?? type
  }

  /// The type that the tensor has in the model.
  var modelType: ElementType { expandedFrom ?? elementType }

  /// Whether the model leaves dimensions open: the shape is then that of an example.
  var hasUnknownDimensions: Bool { shapeSignature?.contains { $0 < 0 } ?? false }

  /// The bytes of a dense tensor of this type and shape; `nil` on overflow and for types without a fixed size.
  public var byteCount: Int? { elementType.byteCount(elements: shape.elementCount) }

  /// The name, the type and the shape.
  public var description: String { "'\(name.excerpt)' \(elementType.name)\(shape)" }
}
