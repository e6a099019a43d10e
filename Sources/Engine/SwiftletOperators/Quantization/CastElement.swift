import SwiftletEngine
import SwiftletSchema

/// An element type of CAST. Conversions between any two types use a wide intermediate type.
protocol CastElement: BitwiseCopyable, Sendable {
  /// `Double` for real types, and `Int64` for other types. Both represent every value exactly.
  associatedtype Wide: BitwiseCopyable
  var wide: Wide { get }
  /// Creates a value truncated toward zero and saturated. NaN results in the largest integer, as in the reference.
  init(real: Double)
  /// Creates a value that wraps on overflow.
  init(integer: Int64)
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

extension Half: CastElement {
  @inline(__always) var wide: Double { Double(floatValue) }
  @inline(__always) init(real: Double) { self.init(Float(real)) }
  @inline(__always) init(integer: Int64) { self.init(Float(integer)) }
}

extension BFloat16: CastElement {
  @inline(__always) var wide: Double { Double(floatValue) }
  @inline(__always) init(real: Double) { self.init(Float(real)) }
  @inline(__always) init(integer: Int64) { self.init(Float(integer)) }
}

/// The conversion of complex numbers uses their real part.
extension ComplexFloat: CastElement {
  @inline(__always) var wide: Double { Double(real) }
  @inline(__always) init(real: Double) { self.init(real: Float(real), imaginary: 0) }
  @inline(__always) init(integer: Int64) { self.init(real: Float(integer), imaginary: 0) }
}

/// A Boolean: true for everything except zero.
struct CastBool: CastElement {
  private var byte: TruthValue

  @inline(__always) var wide: Int64 { byte == 0 ? 0 : 1 }
  @inline(__always) init(real: Double) { byte = real != 0 ? 1 : 0 }
  @inline(__always) init(integer: Int64) { byte = integer != 0 ? 1 : 0 }
}

/// The loops of CAST over elements of one type, to and from the wide type.
///
/// Loops per type instead of per pair of types. Each loop is specialized for its type, because the type is named
/// explicitly.
struct CastLoops: Sendable {
  typealias Loop = @Sendable (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Void

  let isFloatingPoint: Bool
  let stride: Int
  /// The conversion of elements to `Double` if real, otherwise to `Int64`.
  let widen: Loop
  let narrowFloats: Loop
  let narrowIntegers: Loop

  @inline(__always)
  private init<Element: CastElement>(_ type: Element.Type) {
    isFloatingPoint = Element.Wide.self == Double.self
    stride = MemoryLayout<Element>.stride
    widen = { source, target, count in
      let source = source.assumingMemoryBound(to: Element.self)
      let target = target.assumingMemoryBound(to: Element.Wide.self)
      for index in 0..<count { target[index] = source[index].wide }
    }
    narrowFloats = { source, target, count in
      let source = source.assumingMemoryBound(to: Double.self)
      let target = target.assumingMemoryBound(to: Element.self)
      for index in 0..<count { target[index] = Element(real: source[index]) }
    }
    narrowIntegers = { source, target, count in
      let source = source.assumingMemoryBound(to: Int64.self)
      let target = target.assumingMemoryBound(to: Element.self)
      for index in 0..<count { target[index] = Element(integer: source[index]) }
    }
  }

  /// Creates the loops, or returns `nil` for types that CAST doesn't support.
  init?(_ type: ElementType) {
    switch type {
    case .float32: self.init(Float.self)
    case .float64: self.init(Double.self)
    case .float16: self.init(Half.self)
    case .bfloat16: self.init(BFloat16.self)
    case .complex64: self.init(ComplexFloat.self)
    case .int8: self.init(Int8.self)
    case .uint8: self.init(UInt8.self)
    case .int16: self.init(Int16.self)
    case .uint16: self.init(UInt16.self)
    case .int32: self.init(Int32.self)
    case .uint32: self.init(UInt32.self)
    case .int64: self.init(Int64.self)
    case .bool: self.init(CastBool.self)
    default: return nil
    }
  }
}
