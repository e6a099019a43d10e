import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// A relation between two elements. For NaN, only `notEqual` is true.
enum Relation: Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

/// The comparison operators EQUAL, LESS, and so on: a Boolean per pair of elements, with broadcasting.
///
/// Quantized elements are compared by their real values, with the resolution of the reference's fixed-point numbers.
protocol ComparisonOperator: PlainBinaryOperator {
  static var relation: Relation { get }
  /// Whether quantized int16 elements are compared by their quantized values, regardless of scale. The reference does
  /// so for order comparisons, but not for equality.
  static var comparesCodesOfInt16: Bool { get }
}

extension ComparisonOperator {
  static func types(_ types: [ElementType]) -> [TypeCombination] {
    types.map { TypeCombination(inputs: [TypeSet($0)], outputs: [.bool]) }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try Self.relation.prepare(context, comparesCodesOfInt16: Self.comparesCodesOfInt16)
  }
}

extension Relation {
  fileprivate func prepare(_ context: PrepareContext, comparesCodesOfInt16: Bool) throws -> PreparedOperator {
    let input = try context.node.input(0)
    switch input.elementType {
    case .float32: return try .binary(context, kernel(Float.self), cost: 0.4)
    case .float16:
      let widening = Half.widening
      return try .binary(context, BinaryRowKernel(left: widening, right: widening, kernel(Float.self)), cost: 1)
    case .int32: return try .binary(context, kernel(Int32.self), cost: 0.4)
    case .int64: return try .binary(context, kernel(Int64.self), cost: 0.6)
    // Equal strings have the same ID.
    case .string: return try .binary(context, kernel(UInt64.self), cost: 0.6)
    case .bool:
      let truth = Truth().loop
      return try .binary(context, BinaryRowKernel(left: truth, right: truth, kernel(TruthValue.self)), cost: 0.3)
    case .int8: return try prepareCodes(context, .int8, kernel(Int8.self), comparesQuantized: false)
    case .uint8: return try prepareCodes(context, .uint8, kernel(UInt8.self), comparesQuantized: false)
    case .int16: return try prepareCodes(context, .int16, kernel(Int16.self), comparesQuantized: comparesCodesOfInt16)
    default: throw context.node.invalid("does not take \(input)")
    }
  }

  /// Prepares the comparison of quantized values.
  ///
  /// - Parameter kernel: The kernel for quantized values as plain numbers.
  private func prepareCodes(
    _ context: PrepareContext, _ type: QuantizedType, _ kernel: BinaryRowKernel, comparesQuantized: Bool
  ) throws -> PreparedOperator {
    let isQuantized = try context.node.input(0).quantization != nil || context.node.input(1).quantization != nil
    guard isQuantized, !comparesQuantized else { return try .binary(context, kernel, cost: 0.3) }
    let values = try (0...1).map { index in
      DequantizedValue(try context.node.quantization(ofInput: index, type, isSymmetric: false))
    }
    if type != .int16, values[0] == values[1],
      values[0].isStrictlyIncreasing(over: type == .int8 ? -128...127 : 0...255)
    {
      return try .binary(context, kernel, cost: 0.3)
    }
    let operands = values.map { UnaryLoop.quantized(context, from: type.elementType, to: .int32, $0) }
    let mapped = BinaryRowKernel(left: operands[0], right: operands[1], self.kernel(Int32.self))
    return try .binary(context, mapped, cost: type == .int16 ? 5 : 1)
  }

  private func kernel<Element: Comparable & BitwiseCopyable & Sendable>(_ type: Element.Type) -> BinaryRowKernel {
    switch self {
    case .equal: AreEqual<Element>(truth: 1).rowKernel
    case .notEqual: AreEqual<Element>(truth: 0).rowKernel
    case .less: IsLess<Element>().rowKernel
    case .greater: IsLess<Element>().rowKernel.exchanged
    case .lessOrEqual: IsLessOrEqual<Element>().rowKernel
    case .greaterOrEqual: IsLessOrEqual<Element>().rowKernel.exchanged
    }
  }
}

/// A Boolean tensor element, stored as one byte.
typealias TruthValue = UInt8

private struct AreEqual<Element: Equatable & BitwiseCopyable & Sendable>: BinaryFunction {
  /// The result for equal elements. Unequal elements have the opposite result.
  let truth: TruthValue

  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> TruthValue { left == right ? truth : truth ^ 1 }
}

private struct IsLess<Element: Comparable & BitwiseCopyable & Sendable>: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> TruthValue { left < right ? 1 : 0 }
}

private struct IsLessOrEqual<Element: Comparable & BitwiseCopyable & Sendable>: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> TruthValue { left <= right ? 1 : 0 }
}

/// A Boolean element, normalized to 0 or 1.
private struct Truth: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: TruthValue) -> TruthValue { min(input, 1) }
}

/// The real value of a quantized element, with 8 fraction bits.
private struct DequantizedValue: UnaryFunction, Equatable {
  private let multiplier: QuantizedMultiplier
  private let zeroPoint: Int32

  init(_ quantization: TensorQuantization) {
    multiplier = QuantizedMultiplier(quantization.scale)
    zeroPoint = quantization.zeroPoint
  }

  @inline(__always)
  func callAsFunction(_ input: Int32) -> Int32 { multiplier.apply((input &- zeroPoint) &<< 8) }

  /// Returns whether different quantized values have different real values in the same order, so that two tensors with
  /// these quantization parameters compare like their quantized values.
  func isStrictlyIncreasing(over range: ClosedRange<Int32>) -> Bool {
    range.dropFirst().allSatisfy { self($0 - 1) < self($0) }
  }
}

/// EQUAL: whether `left == right`, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: bool, float32, float16, int32, int64, string; int8, uint8, int16, also quantized, each with its own scale;
///   the output is bool.
/// - Source: operator 71 of the model format.
struct EqualOperator: ComparisonOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .equal, versions: 1...5,
      types: types([.bool, .float32, .float16, .int8, .uint8, .int16, .int32, .int64, .string]))
  }
  static let relation = Relation.equal
  static let comparesCodesOfInt16 = false
}

/// NOT_EQUAL: whether `left != right`, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: bool, float32, float16, int32, int64, string; int8, uint8, int16, also quantized, each with its own scale;
///   the output is bool.
/// - Source: operator 72 of the model format.
struct NotEqualOperator: ComparisonOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .notEqual, versions: 1...4,
      types: types([.bool, .float32, .float16, .int8, .uint8, .int16, .int32, .int64, .string]))
  }
  static let relation = Relation.notEqual
  static let comparesCodesOfInt16 = false
}

/// GREATER: whether `left > right`, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, float16, int32, int64; int16 by its quantized values; int8, uint8, also quantized, each with its
///   own scale; the output is bool.
/// - Source: operator 61 of the model format.
struct GreaterOperator: ComparisonOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .greater, versions: 1...2, types: types([.float32, .float16, .int8, .uint8, .int16, .int32, .int64]))
  }
  static let relation = Relation.greater
  static let comparesCodesOfInt16 = true
}

/// GREATER_EQUAL: whether `left >= right`, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, float16, int32, int64; int16 by its quantized values; int8, uint8, also quantized, each with its
///   own scale; the output is bool.
/// - Source: operator 62 of the model format.
struct GreaterEqualOperator: ComparisonOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .greaterEqual, versions: 1...3, types: types([.float32, .float16, .int8, .uint8, .int16, .int32, .int64]))
  }
  static let relation = Relation.greaterOrEqual
  static let comparesCodesOfInt16 = true
}

/// LESS: whether `left < right`, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, float16, int32, int64; int16 by its quantized values; int8, uint8, also quantized, each with its
///   own scale; the output is bool.
/// - Source: operator 58 of the model format.
struct LessOperator: ComparisonOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .less, versions: 1...3, types: types([.float32, .float16, .int8, .uint8, .int16, .int32, .int64]))
  }
  static let relation = Relation.less
  static let comparesCodesOfInt16 = true
}

/// LESS_EQUAL: whether `left <= right`, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, float16, int32, int64; int16 by its quantized values; int8, uint8, also quantized, each with its
///   own scale; the output is bool.
/// - Source: operator 63 of the model format.
struct LessEqualOperator: ComparisonOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .lessEqual, versions: 1...2, types: types([.float32, .float16, .int8, .uint8, .int16, .int32, .int64]))
  }
  static let relation = Relation.lessOrEqual
  static let comparesCodesOfInt16 = true
}
