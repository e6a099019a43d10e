import SwiftletSchema

/// An element type of CAST, by the wide number that stands between any two of them.
protocol CastElement: BitwiseCopyable, Sendable {
  /// `Double` for real types, `Int64` for the others: both hold every value exactly.
  associatedtype Wide: CastWide
  var wide: Wide { get }
  /// Cut off towards zero and saturated; NaN gives the largest integer, as in the reference.
  init(real: Double)
  /// Wraps.
  init(integer: Int64)
}

protocol CastWide: BitwiseCopyable, Sendable {
  func narrowed<Element: CastElement>(to type: Element.Type) -> Element
}

extension Double: CastWide {
  @inline(__always)
  func narrowed<Element: CastElement>(to type: Element.Type) -> Element { Element(real: self) }
}

extension Int64: CastWide {
  @inline(__always)
  func narrowed<Element: CastElement>(to type: Element.Type) -> Element { Element(integer: self) }
}

protocol CastInteger: CastElement, FixedWidthInteger where Wide == Int64 {}

extension CastInteger {
  @inline(__always) var wide: Int64 { Int64(truncatingIfNeeded: self) }
  @inline(__always) init(integer: Int64) { self.init(truncatingIfNeeded: integer) }

  @inline(__always)
  init(real: Double) {
    if real <= Double(Self.min) {
      self = .min
    } else if real < Double(Self.max) {
      self = Self(real)
    } else {
      self = .max
    }
  }
}

extension Int8: CastInteger {}
extension UInt8: CastInteger {}
extension Int16: CastInteger {}
extension UInt16: CastInteger {}
extension Int32: CastInteger {}
extension UInt32: CastInteger {}
extension Int64: CastInteger {}

extension Float: CastElement {
  @inline(__always) var wide: Double { Double(self) }
  @inline(__always) init(real: Double) { self = Float(real) }
  @inline(__always) init(integer: Int64) { self = Float(integer) }
}

extension Double: CastElement {
  @inline(__always) var wide: Double { self }
  @inline(__always) init(real: Double) { self = real }
  @inline(__always) init(integer: Int64) { self = Double(integer) }
}

extension HalfFloat: CastElement {
  @inline(__always) var wide: Double { Double(floatValue) }
  @inline(__always) init(real: Double) { self.init(Float(real)) }
  @inline(__always) init(integer: Int64) { self.init(Float(integer)) }
}

extension BrainFloat: CastElement {
  @inline(__always) var wide: Double { Double(floatValue) }
  @inline(__always) init(real: Double) { self.init(Float(real)) }
  @inline(__always) init(integer: Int64) { self.init(Float(integer)) }
}

/// Complex numbers give their real part.
extension ComplexFloat: CastElement {
  @inline(__always) var wide: Double { Double(real) }
  @inline(__always) init(real: Double) { self.init(real: Float(real), imaginary: 0) }
  @inline(__always) init(integer: Int64) { self.init(real: Float(integer), imaginary: 0) }
}

/// A bool: true for everything but zero.
struct CastBool: CastElement {
  private var byte: TruthValue

  @inline(__always) var wide: Int64 { byte == 0 ? 0 : 1 }
  @inline(__always) init(real: Double) { byte = real != 0 ? 1 : 0 }
  @inline(__always) init(integer: Int64) { byte = integer != 0 ? 1 : 0 }
}

extension ElementType {
  /// The type that CAST uses for elements of this one, `nil` for those it does not take.
  var castElement: (any CastElement.Type)? {
    switch self {
    case .float32: Float.self
    case .float64: Double.self
    case .float16: HalfFloat.self
    case .bfloat16: BrainFloat.self
    case .complex64: ComplexFloat.self
    case .int8: Int8.self
    case .uint8: UInt8.self
    case .int16: Int16.self
    case .uint16: UInt16.self
    case .int32: Int32.self
    case .uint32: UInt32.self
    case .int64: Int64.self
    case .bool: CastBool.self
    default: nil
    }
  }
}
