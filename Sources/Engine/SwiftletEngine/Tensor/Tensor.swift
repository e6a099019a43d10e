import SwiftletBase
public import SwiftletSchema
@_exported public import enum SwiftletSchema.ElementType

/// A tensor with its values, independent of any session.
public struct Tensor: Sendable, Hashable {
  /// The type of the elements.
  public let elementType: ElementType
  /// The sizes of the dimensions, outermost first.
  public let shape: Shape
  /// The elements, row-major and little-endian. Strings are in the model format's encoding.
  public let bytes: [UInt8]

  /// Creates a tensor from raw bytes.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) if the number of bytes doesn't match type and shape.
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

  /// Creates a tensor from typed values.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) if the number of values doesn't match the shape.
  public init<Scalar: TensorScalar>(_ values: [Scalar], shape: Shape) throws(RuntimeError) {
    try self.init(
      elementType: Scalar.elementType, shape: shape, bytes: values.withUnsafeBytes { [UInt8]($0) })
  }

  /// Returns the values if `Scalar` is this tensor's element type.
  ///
  /// - Throws: `RuntimeError` (`typeMismatch`) for another type.
  public func values<Scalar: TensorScalar>(as type: Scalar.Type = Scalar.self) throws(RuntimeError) -> [Scalar] {
    guard Scalar.elementType == elementType else {
      throw RuntimeError(
        .typeMismatch, "the tensor holds \(elementType.name), not \(Scalar.elementType.name); request its own type")
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
  /// - Throws: `RuntimeError` (`invalidArgument`) if the number of strings doesn't match the shape, or if they take 2
  ///   GiB or more.
  public init(strings: [String], shape: Shape) throws(RuntimeError) {
    try self.init(elementType: .string, shape: shape, bytes: Self.payload(strings.map { [UInt8]($0.utf8) }))
  }

  /// Returns the strings if this is a string tensor. Bytes that aren't valid UTF-8 become replacement characters.
  ///
  /// - Throws: `RuntimeError` (`typeMismatch`) for another type.
  public func strings() throws(RuntimeError) -> [String] {
    guard elementType == .string else {
      throw RuntimeError(.typeMismatch, "the tensor holds \(elementType.name), not strings; request its own type")
    }
    return try Self.strings(ByteRegion(bytes), count: shape.elementCount).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the strings in the model format's encoding: the count, the offsets of all strings and of the end, and the
  /// bytes.
  package static func payload(_ strings: [[UInt8]]) throws(RuntimeError) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ value: Int) {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { bytes.append(contentsOf: $0) }
    }
    var position = 4 * (strings.count + 2)
    guard strings.reduce(position, { $0 + $1.count }) <= Int(Int32.max) else {
      throw RuntimeError(.invalidArgument, "a string tensor must be smaller than 2 GiB")
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

  /// Decodes the result of `payload`. An empty payload contains no strings.
  ///
  /// - Throws: `invalidArgument` if the bytes don't contain `count` strings.
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
  /// The name in the model or in a signature; may be empty.
  public var name: String
  /// The type of the elements.
  public var elementType: ElementType
  /// The sizes of the dimensions, outermost first.
  public var shape: Shape
  /// The shape as declared in the model, with -1 for dynamic dimensions; `nil` if all dimensions are static.
  public var shapeSignature: [Int]?
  /// The quantization parameters; `nil` if the tensor isn't quantized.
  public var quantization: QuantizationParameters?
  /// The tensor's type in the model, if its elements are narrower than a byte; at run time, each takes one byte.
  package private(set) var expandedFrom: ElementType?
  /// Whether the tensor is a constant that is sparse in the model. It is converted to a dense tensor at load.
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

  /// Sets the type to a model type. 2- and 4-bit elements are represented by one byte each.
  mutating func setType(_ type: ElementType) {
    let narrow = SubByteIntegers(type)
    expandedFrom = narrow == nil ? nil : type
    elementType = narrow.map { $0.isSigned ? .int8 : .uint8 } ?? type
  }

  /// The tensor's type in the model.
  var modelType: ElementType { expandedFrom ?? elementType }

  /// Whether the model has dynamic dimensions. The shape is then an example.
  var hasUnknownDimensions: Bool { shapeSignature?.contains { $0 < 0 } ?? false }

  /// The size in bytes of a dense tensor of this type and shape; `nil` on overflow and for types without a fixed size.
  public var byteCount: Int? { elementType.byteCount(elements: shape.elementCount) }

  /// The name, the type, and the shape.
  public var description: String { "'\(name.excerpt)' \(elementType.name)\(shape)" }
}

/// The quantization parameters of the mapping `real = scale × (integer − zeroPoint)`.
public struct QuantizationParameters: Sendable, Hashable {
  /// One scale for the whole tensor, or one per index along `axis`.
  public var scales: [Float]
  /// The zero points, as many as `scales`.
  public var zeroPoints: [Int32]
  /// The axis with different scales; only relevant if there are several.
  public var axis: Int

  /// Creates per-channel parameters, one scale and zero point per index of `axis`, or per-tensor parameters.
  public init(scales: [Float], zeroPoints: [Int32], axis: Int = 0) {
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.axis = axis
  }

  /// Creates per-tensor parameters.
  public init(scale: Float, zeroPoint: Int32) {
    self.init(scales: [scale], zeroPoints: [zeroPoint])
  }

  /// A Boolean value that indicates whether every index of `axis` has its own scale.
  public var isPerChannel: Bool { scales.count > 1 }
}
