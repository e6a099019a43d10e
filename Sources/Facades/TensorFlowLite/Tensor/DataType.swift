import SwiftletEngine

extension Tensor {
  /// The types of elements that the original tells; it has none for other types, such as 8-bit signed integers.
  public enum DataType: Equatable, Hashable, Sendable {
    /// One byte, 0 or 1.
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

    /// `nil` for a type that the original does not tell.
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
