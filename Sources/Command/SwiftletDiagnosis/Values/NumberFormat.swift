import SwiftletEngine
import SwiftletOperators
import SwiftletSchema

/// The mapping of a tensor's stored elements to real numbers.
struct NumberFormat: Sendable, Hashable {
  /// The element type of a run; narrower types take one byte each.
  let type: ElementType
  let scale: Float
  let zeroPoint: Int32
  let isQuantized: Bool

  /// Creates the format of a computed tensor, or `nil` if its elements aren't real numbers with one scale.
  init?(_ tensor: TensorDescription) {
    type = tensor.type
    switch tensor.type {
    case .float32:
      (scale, zeroPoint, isQuantized) = (1, 0, false)
    case .int8, .uint8, .int16:
      guard tensor.quantization != nil else {
        // The stored values themselves, as of pixels.
        (scale, zeroPoint, isQuantized) = (1, 0, true)
        return
      }
      guard let quantization = tensor.quantization, quantization.blockwise == nil, quantization.scales.count == 1,
        quantization.scales[0] > 0
      else { return nil }
      scale = quantization.scales[0]
      zeroPoint = Int32(clamping: quantization.zeroPoints[0])
      isQuantized = true
    default: return nil
    }
  }

  /// The stored values that the type can hold; `nil` for floats.
  var codes: ClosedRange<Int32>? {
    switch type {
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32_768...32_767
    default: nil
    }
  }

  /// The real numbers that the tensor can hold; `nil` for floats.
  var representable: ClosedRange<Float>? {
    codes.map { real($0.lowerBound)...real($0.upperBound) }
  }

  func real(_ code: Int32) -> Float { scale * Float(code - zeroPoint) }

  /// Returns the nearest stored value of a number. NaN becomes the zero point.
  func code(_ value: Float) -> Int32 {
    guard let codes, !value.isNaN else { return zeroPoint }
    let rounded = (value / scale).rounded() + Float(zeroPoint)
    return Int32(min(max(rounded, Float(codes.lowerBound)), Float(codes.upperBound)))
  }

  /// Writes the elements of a run as real numbers.
  ///
  /// - Parameter values: As many numbers as there are elements.
  func read(_ bytes: UnsafeRawBufferPointer, into values: UnsafeMutableBufferPointer<Float>) {
    switch type {
    case .int8: read(bytes, as: Int8.self, into: values)
    case .uint8: read(bytes, as: UInt8.self, into: values)
    case .int16: read(bytes, as: Int16.self, into: values)
    default:
      let source = bytes.assumingMemoryBound(to: Float.self)
      for index in 0..<min(values.count, source.count) { values[index] = source[index] }
    }
  }

  private func read<Code: FixedWidthInteger>(
    _ bytes: UnsafeRawBufferPointer, as type: Code.Type, into values: UnsafeMutableBufferPointer<Float>
  ) {
    let source = bytes.assumingMemoryBound(to: Code.self)
    for index in 0..<min(values.count, source.count) {
      // A code and a zero point of at most 16 bits.
      values[index] = scale * Float(Int32(truncatingIfNeeded: source[index]) &- zeroPoint)
    }
  }

  /// Writes real numbers as the elements of a run, rounded to the nearest.
  func write(_ values: UnsafeBufferPointer<Float>, into bytes: UnsafeMutableRawBufferPointer) {
    switch type {
    case .int8: write(values, as: Int8.self, into: bytes)
    case .uint8: write(values, as: UInt8.self, into: bytes)
    case .int16: write(values, as: Int16.self, into: bytes)
    default:
      let target = bytes.assumingMemoryBound(to: Float.self)
      for index in 0..<min(values.count, target.count) { target[index] = values[index] }
    }
  }

  private func write<Code: FixedWidthInteger>(
    _ values: UnsafeBufferPointer<Float>, as type: Code.Type, into bytes: UnsafeMutableRawBufferPointer
  ) {
    let target = bytes.assumingMemoryBound(to: Code.self)
    for index in 0..<min(values.count, target.count) {
      target[index] = Code(truncatingIfNeeded: code(values[index]))
    }
  }
}

/// Converts the constants of a model to real numbers.
enum ConstantValues {
  /// The maximum number of elements. Larger constants, such as the embeddings of language models, are not examined.
  static let maximumCount = 1 << 26

  /// Returns the elements of a constant as stored, without its scales; `nil` for other types and for sparse constants.
  static func codes(of tensor: TensorDescription) -> [Float]? {
    guard let data = tensor.data, tensor.sparsity == nil, let count = elementCount(of: tensor) else { return nil }
    return data.withBytes { bytes in
      switch tensor.type {
      case .float32: values(bytes, count, as: Float.self) { $0 }
      case .float16: values(bytes, count, as: UInt16.self) { Half(bitPattern: $0).floatValue }
      case .bfloat16: values(bytes, count, as: UInt16.self) { BFloat16(bitPattern: $0).floatValue }
      case .int8: values(bytes, count, as: Int8.self, Float.init)
      case .uint8: values(bytes, count, as: UInt8.self, Float.init)
      case .int16: values(bytes, count, as: Int16.self, Float.init)
      case .int32: values(bytes, count, as: Int32.self, Float.init)
      case .int64: values(bytes, count, as: Int64.self, Float.init)
      case .int4, .uint4, .int2: narrow(bytes, count, tensor.type)
      default: nil
      }
    }
  }

  /// Returns the real numbers of a constant; `nil` for types without them, and for scales in blocks.
  static func real(_ tensor: TensorDescription) -> [Float]? {
    guard var values = codes(of: tensor) else { return nil }
    guard let quantization = tensor.quantization, tensor.type != .float32, tensor.type != .float16 else {
      return values
    }
    guard quantization.blockwise == nil else { return nil }
    if quantization.scales.count == 1 {
      let (scale, zeroPoint) = (quantization.scales[0], Float(quantization.zeroPoints[0]))
      for index in values.indices { values[index] = scale * (values[index] - zeroPoint) }
      return values
    }
    let channels = ChannelIndex(shape: tensor.shape, axis: quantization.axis)
    guard channels.count == quantization.scales.count else { return nil }
    for index in values.indices {
      let channel = channels.channel(of: index)
      values[index] = quantization.scales[channel] * (values[index] - Float(quantization.zeroPoints[channel]))
    }
    return values
  }

  private static func elementCount(of tensor: TensorDescription) -> Int? {
    let count = Shape(tensor.shape).elementCount
    guard count <= maximumCount, let size = tensor.type.byteCount(elements: count),
      let data = tensor.data, data.count >= size
    else { return nil }
    return count
  }

  private static func values<Element: BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, _ count: Int, as type: Element.Type, _ convert: (Element) -> Float
  ) -> [Float] {
    (0..<count).map {
      convert(bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Element>.stride, as: Element.self))
    }
  }

  /// Returns the elements of a type narrower than a byte. The first element is in the lowest bits.
  private static func narrow(_ bytes: UnsafeRawBufferPointer, _ count: Int, _ type: ElementType) -> [Float]? {
    guard let integers = SubByteIntegers(type) else { return nil }
    let perByte = 8 / integers.bits
    let top = 8 - integers.bits
    return (0..<count).map { index in
      let shifted = bytes[index / perByte] << UInt8(top - index % perByte * integers.bits)
      return integers.isSigned ? Float(Int8(bitPattern: shifted) >> Int8(top)) : Float(shifted >> UInt8(top))
    }
  }
}

/// The channel of each element of a tensor.
struct ChannelIndex: Sendable {
  /// The number of channels; 1 without an axis.
  let count: Int
  /// The number of consecutive elements of a channel.
  private let stride: Int

  init(shape: [Int], axis: Int) {
    count = shape.indices.contains(axis) ? max(1, shape[axis]) : 1
    stride = shape.indices.contains(axis) ? max(1, shape[(axis + 1)...].reduce(1, *)) : .max
  }

  func channel(of index: Int) -> Int { index / stride % count }

  /// Returns the largest distance from `offset` in each channel.
  func largest(_ values: [Float], from offset: Float = 0) -> [Float] {
    var largest = [Float](repeating: 0, count: count)
    for (index, value) in values.enumerated() {
      let channel = channel(of: index)
      largest[channel] = max(largest[channel], abs(value - offset))
    }
    return largest
  }
}
