import SwiftletBase
public import SwiftletSchema
@_exported public import enum SwiftletSchema.ElementType

/// A tensor with its values, independent of any session.
public struct Tensor: Sendable, Hashable {
  /// The type of the elements.
  public let elementType: ElementType
  /// The sizes of the dimensions, outermost first.
  public let shape: Shape
  /// The elements, row-major, little-endian; strings in the model format's encoding.
  public let bytes: [UInt8]

  /// Creates a tensor over raw bytes.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) if the byte count does not match type and shape.
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

  /// Creates a tensor over typed values.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) if the number of values does not match the shape.
  public init<Scalar: TensorScalar>(_ values: [Scalar], shape: Shape) throws(RuntimeError) {
    try self.init(
      elementType: Scalar.elementType, shape: shape, bytes: values.withUnsafeBytes { [UInt8]($0) })
  }

  /// Returns the values, when `Scalar` is this tensor's element type.
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

extension Tensor {
  /// Creates a tensor of strings.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) if the number of strings does not match the shape, or there are 2
  ///   GiB of them.
  public init(strings: [String], shape: Shape) throws(RuntimeError) {
    try self.init(elementType: .string, shape: shape, bytes: Self.payload(strings.map { [UInt8]($0.utf8) }))
  }

  /// Returns the strings, when this is a tensor of strings; bytes that are no UTF-8 become replacement characters.
  ///
  /// - Throws: `RuntimeError` (`typeMismatch`) for another type.
  public func strings() throws(RuntimeError) -> [String] {
    guard elementType == .string else {
      throw RuntimeError(.typeMismatch, "the tensor holds \(elementType.name), not strings; ask for its own type")
    }
    return try Self.strings(ByteRegion(bytes), count: shape.elementCount).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the strings in the model format's encoding: how many, where each begins, where the last ends, then their
  /// bytes.
  package static func payload(_ strings: [[UInt8]]) throws(RuntimeError) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ value: Int) {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { bytes.append(contentsOf: $0) }
    }
    var position = 4 * (strings.count + 2)
    guard strings.reduce(position, { $0 + $1.count }) <= Int(Int32.max) else {
      throw RuntimeError(.invalidArgument, "a tensor of strings holds less than 2 GiB")
    }
    append(strings.count)
    for string in strings {
      append(position)
      position += string.count
    }
    append(position)
    for string in strings { bytes += string }
    return bytes
  }

  static func strings(_ tensor: Tensor) throws(RuntimeError) -> [[UInt8]] {
    try strings(ByteRegion(tensor.bytes), count: tensor.shape.elementCount)
  }

  /// Reads what `payload` writes. No bytes at all stand for no strings.
  ///
  /// - Throws: `invalidArgument` if the bytes do not hold `count` strings.
  static func strings(_ payload: ByteRegion, count: Int) throws(RuntimeError) -> [[UInt8]] {
    if count == 0, payload.count == 0 { return [] }
    do {
      let layout = try StringTensorLayout(payload)
      guard layout.count == count else {
        throw RuntimeError(.invalidArgument, "\(layout.count) strings are stored for a tensor of \(count)")
      }
      return (0..<count).map { [UInt8](layout.bytes($0).bytes) }
    } catch let error as RuntimeError {
      throw error
    } catch {
      throw RuntimeError(.invalidArgument, "\(error)", underlying: error)
    }
  }
}

/// The description of a tensor: name, type, shape, and quantization.
public struct TensorSpec: Sendable, Hashable, CustomStringConvertible {
  /// The name in the model, or that of a signature; may be empty.
  public var name: String
  /// The type of the elements.
  public var elementType: ElementType
  /// The sizes of the dimensions, outermost first.
  public var shape: Shape
  /// The shape as the model declares it, with -1 for dimensions that may change; `nil` if all are fixed.
  public var shapeSignature: [Int]?
  /// The quantization parameters; `nil` for a tensor that is not quantized.
  public var quantization: QuantizationParameters?
  /// The type that the tensor has in the model, where its elements are narrower than bytes: a run gives each a byte.
  package private(set) var expandedFrom: ElementType?
  /// Whether a constant is sparse in the model; its elements were spread on loading.
  package var isSpread = false

  /// Creates a description of a tensor.
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
    let narrow = SubByteIntegers(type)
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

/// Quantization parameters: `real = scale × (integer − zeroPoint)`.
public struct QuantizationParameters: Sendable, Hashable {
  /// One scale for the whole tensor, or one per index along `axis`.
  public var scales: [Float]
  /// As many as `scales`.
  public var zeroPoints: [Int32]
  /// The axis along which scales differ; meaningful only when there are several.
  public var axis: Int

  /// Creates one scale and zero point for every index of `axis`, or one for all.
  public init(scales: [Float], zeroPoints: [Int32], axis: Int = 0) {
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.axis = axis
  }

  /// Creates one scale and zero point for the whole tensor.
  public init(scale: Float, zeroPoint: Int32) {
    self.init(scales: [scale], zeroPoints: [zeroPoint])
  }

  /// A Boolean value that indicates whether every index of `axis` has a scale of its own.
  public var isPerChannel: Bool { scales.count > 1 }
}
