import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// A relation between two elements.
protocol Relation: Sendable {
  static func holds<Element: Comparable>(_ left: Element, _ right: Element) -> Bool
}

/// EQUAL, LESS and their like: a bool for every pair of elements, broadcasting. No relation but NOT_EQUAL holds for
/// NaN.
///
/// Quantised elements are compared by the numbers they stand for, as far as the reference's fixed point tells them
/// apart.
protocol ComparisonOperator: PlainBinaryOperator {
  associatedtype Comparison: Relation
  /// Whether quantised int16 is compared by its codes, whatever the scales say. The reference does so for order, not
  /// for equality.
  static var comparesCodesOfInt16: Bool { get }
}

extension ComparisonOperator {
  static func types(_ types: [ElementType]) -> [TypeCombination] {
    types.map { TypeCombination(inputs: [TypeSet($0)], outputs: [.bool]) }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0)
    switch input.elementType {
    case .float32: return try .binary(context, Compare<Comparison, Float>(), cost: 0.4)
    case .float16: return try .binary(context, CompareShort<Comparison, HalfFloat>(), cost: 1)
    case .int32: return try .binary(context, Compare<Comparison, Int32>(), cost: 0.4)
    case .int64: return try .binary(context, Compare<Comparison, Int64>(), cost: 0.6)
    // Equal strings have one number.
    case .string: return try .binary(context, Compare<Comparison, UInt64>(), cost: 0.6)
    case .bool: return try .binary(context, CompareTruth<Comparison>(), cost: 0.3)
    case .int8: return try prepareCodes(context, Int8.self)
    case .uint8: return try prepareCodes(context, UInt8.self)
    case .int16: return try prepareCodes(context, Int16.self)
    default: throw context.node.invalid("does not take \(input)")
    }
  }

  private func prepareCodes<Code: QuantizedCode>(
    _ context: PrepareContext, _ type: Code.Type
  ) throws -> PreparedOperator {
    let isQuantized = try context.node.input(0).quantization != nil || context.node.input(1).quantization != nil
    guard isQuantized, Code.bitWidth == 8 || !Self.comparesCodesOfInt16 else {
      return try .binary(context, Compare<Comparison, Code>(), cost: 0.3)
    }
    let left = RealValue<Code>(try context.node.quantization(ofInput: 0, type, isSymmetric: false))
    let right = RealValue<Code>(try context.node.quantization(ofInput: 1, type, isSymmetric: false))
    guard Code.bitWidth == 8 else {
      return try .binary(context, CompareMapped<Comparison, RealValue<Code>>(left: left, right: right), cost: 5)
    }
    let mapped = CompareMapped<Comparison, LookupTable<Code, Int32>>(
      left: LookupTable { left($0) }, right: LookupTable { right($0) })
    return try .binary(context, mapped, cost: 1)
  }
}

/// A bool of a tensor, stored as one byte.
typealias TruthValue = UInt8

private struct Compare<Comparison: Relation, Element: Comparable & BitwiseCopyable & Sendable>: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> TruthValue { Comparison.holds(left, right) ? 1 : 0 }
}

private struct CompareShort<Comparison: Relation, Element: ShortFloat>: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> TruthValue {
    Comparison.holds(left.floatValue, right.floatValue) ? 1 : 0
  }
}

/// Bools, whatever bytes stand for true.
private struct CompareTruth<Comparison: Relation>: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: TruthValue, _ right: TruthValue) -> TruthValue {
    Comparison.holds(min(left, 1), min(right, 1)) ? 1 : 0
  }
}

private struct CompareMapped<Comparison: Relation, Map: UnaryFunction>: BinaryFunction where Map.Result == Int32 {
  let left: Map
  let right: Map

  @inline(__always)
  func callAsFunction(_ left: Map.Input, _ right: Map.Input) -> TruthValue {
    Comparison.holds(self.left(left), self.right(right)) ? 1 : 0
  }
}

/// The number a code stands for, with 8 bits of fraction.
private struct RealValue<Code: QuantizedCode>: UnaryFunction {
  private let multiplier: QuantizedMultiplier
  private let zeroPoint: Int32

  init(_ quantization: TensorQuantization) {
    multiplier = QuantizedMultiplier(quantization.scale)
    zeroPoint = quantization.zeroPoint
  }

  @inline(__always)
  func callAsFunction(_ input: Code) -> Int32 { multiplier.apply((Int32(input) &- zeroPoint) &<< 8) }
}
