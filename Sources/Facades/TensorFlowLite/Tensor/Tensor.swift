public import Foundation
import SwiftletEngine

/// An input or output of a graph, with a copy of its contents at the time of the call.
public struct Tensor: Equatable, Hashable, Sendable {
  /// The tensor's name in the graph, even if it was requested from a signature.
  public let name: String
  /// The type of the elements.
  public let dataType: DataType
  /// The sizes of the dimensions.
  public let shape: Shape
  /// The elements in row-major order.
  public let data: Data
  /// The quantization parameters; `nil` for a tensor that is not quantized. For per-channel parameters, those of the
  /// first channel.
  public let quantizationParameters: QuantizationParameters?

  init(
    name: String, dataType: DataType, shape: Shape, data: Data, quantizationParameters: QuantizationParameters? = nil
  ) {
    self.name = name
    self.dataType = dataType
    self.shape = shape
    self.data = data
    self.quantizationParameters = quantizationParameters
  }
}

/// The side of a graph that a tensor is on, as named in errors.
enum TensorType: String {
  case input
  case output
}

extension Tensor {
  init(_ spec: TensorSpec, dataType: DataType, bytes: UnsafeRawBufferPointer) {
    let scale = spec.quantization?.scales.first ?? 0
    self.init(
      name: spec.name, dataType: dataType, shape: Shape(spec.shape.dimensions), data: Data(bytes),
      quantizationParameters: scale == 0
        ? nil
        : QuantizationParameters(scale: scale, zeroPoint: spec.quantization?.zeroPoints.first.map(Int.init) ?? 0))
  }
}

extension Tensor {
  /// The element types that TensorFlow Lite's Swift API supports. It doesn't support others, such as signed 8-bit
  /// integers.
  public enum DataType: Equatable, Hashable, Sendable {
    /// Booleans, one byte each, 0 or 1.
    case bool
    /// 8-bit unsigned integers.
    case uInt8
    /// 16-bit signed integers.
    case int16
    /// 32-bit signed integers.
    case int32
    /// 64-bit signed integers.
    case int64
    /// 16-bit floating-point numbers.
    case float16
    /// 32-bit floating-point numbers.
    case float32
    /// 64-bit floating-point numbers.
    case float64

    /// Creates a data type; `nil` for a type that TensorFlow Lite's Swift API doesn't support.
    init?(_ type: ElementType) {
      switch type {
      case .bool: self = .bool
      case .uint8: self = .uInt8
      case .int16: self = .int16
      case .int32: self = .int32
      case .int64: self = .int64
      case .float16: self = .float16
      case .float32: self = .float32
      case .float64: self = .float64
      default: return nil
      }
    }
  }
}

/// The quantization parameters of a tensor: `real = scale · (integer - zeroPoint)`.
public struct QuantizationParameters: Equatable, Hashable, Sendable {
  /// The difference between the real values of adjacent integers.
  public let scale: Float
  /// The integer that represents 0.
  public let zeroPoint: Int

  init(scale: Float, zeroPoint: Int) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }
}

extension Tensor {
  /// The sizes of a tensor's dimensions, outermost first.
  public struct Shape: Equatable, Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The number of dimensions.
    public let rank: Int
    /// The sizes of the dimensions.
    public let dimensions: [Int]

    /// Creates a shape with the given dimensions.
    public init(_ dimensions: [Int]) {
      rank = dimensions.count
      self.dimensions = dimensions
    }

    /// Creates a shape with the given dimensions.
    public init(_ elements: Int...) { self.init(elements) }

    /// Creates a shape with the given dimensions.
    public init(arrayLiteral: Int...) { self.init(arrayLiteral) }
  }
}
