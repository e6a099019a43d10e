import SwiftletEngine
import SwiftletSchema

/// CAST: conversion of the element type. Quantized values are converted as plain integers.
///
/// Real numbers are truncated toward zero and saturate, and NaN results in the largest integer. Integers wrap.
/// Everything except zero is true. Complex numbers are reduced to their real part.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: any pair of bool, int8 to int64, uint8 to uint32, float16, bfloat16, float32, float64, complex64; int2,
///   int4 and uint4 to float32.
/// - Source: operator 53 of the model format.
struct CastOperator: PlainUnaryOperator {
  private static let types = TypeSet(ElementType.allCases.filter { CastLoops($0) != nil })

  static var identity: OperatorIdentity {
    OperatorIdentity(
      .cast, versions: 1...9,
      types: .one(types, to: types) + .one(TypeSet([.int2, .int4, .uint4]), to: .float32))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0)
    let output = try context.node.output(0)
    if input.elementType == output.elementType { return try .copy(context) }
    switch (input.elementType, output.elementType) {
    case (.uint8, .float32): return try .unary(context, IntegerToFloat<UInt8>(), cost: 0.4)
    case (.int8, .float32): return try .unary(context, IntegerToFloat<Int8>(), cost: 0.4)
    case (.int32, .float32): return try .unary(context, IntegerToFloat<Int32>(), cost: 0.4)
    case (.bool, .float32): return try .unary(context, TruthToFloat(), cost: 0.4)
    case (.float16, .float32): return try .unary(context, HalfToFloat(), cost: 0.6)
    case (.float32, .int32): return try .unary(context, from: Float.self, to: Int32.self, cost: 0.6, truncate)
    case (.float32, .uint8): return try .unary(context, FloatToByte(), cost: 0.6)
    case (.int64, .int32): return try .unary(context, IntegerToInteger<Int64, Int32>(), cost: 0.5)
    case (.int32, .int64): return try .unary(context, IntegerToInteger<Int32, Int64>(), cost: 0.5)
    default: break
    }
    guard let from = CastLoops(input.elementType), let to = CastLoops(output.elementType) else {
      throw context.node.invalid("cannot turn \(input) into \(output)")
    }
    return try prepare(context, from: from, to: to)
  }

  /// Prepares a conversion with an intermediate wide type, one chunk at a time.
  private func prepare(_ context: PrepareContext, from: CastLoops, to: CastLoops) throws -> PreparedOperator {
    let chunk = 256
    context.requireWorkerScratch(bytes: chunk * 8)
    let narrow = from.isFloatingPoint ? to.narrowFloats : to.narrowIntegers
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    return PreparedOperator(items: try context.node.output(0).shape.elementCount, cost: 2) { run, range in
      var start = range.lowerBound
      while start < range.upperBound {
        let count = min(chunk, range.upperBound &- start)
        from.widen(run.pointer(source) + start &* from.stride, run.workerScratch, count)
        narrow(run.workerScratch, run.pointer(destination) + start &* to.stride, count)
        start &+= count
      }
    }
  }
}

/// Truncates floats toward zero, sixteen at a time if none is too large for the vector form.
@Sendable
private func truncate(_ input: UnsafePointer<Float>, _ result: UnsafeMutablePointer<Int32>, _ count: Int) {
  let limit = Int32(bitPattern: Float(0x1p22).bitPattern)
  var start = 0
  while start < count {
    let end = min(count, start &+ 16)
    var isLarge: Int32 = 0
    for index in start..<end {
      let bits = Int32(bitPattern: input[index].bitPattern)
      let magnitudeBits = bits & .max
      isLarge |= limit &- 1 &- magnitudeBits
      let magnitude = Float(bitPattern: UInt32(bitPattern: magnitudeBits))
      let nearest = magnitude.roundedToNearestInteger
      let wholes = Float(nearest) > magnitude ? nearest &- 1 : nearest
      let sign = bits >> 31
      result[index] = (wholes ^ sign) &- sign
    }
    if isLarge < 0 {
      for index in start..<end { result[index] = Int32(real: Double(input[index])) }
    }
    start = end
  }
}

private struct IntegerToFloat<Source: IntegerElement>: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Source) -> Float { Float(Int32(truncatingIfNeeded: input)) }
}

/// Vectors round to nearest. If that rounded up, subtracting one truncates. NaN results in 255.
private struct FloatToByte: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Float) -> UInt8 {
    let lowered = input < 255 ? input : 255
    let clamped = lowered > 0 ? lowered : 0
    let nearest = clamped.roundedToNearestInteger
    return UInt8(truncatingIfNeeded: Float(nearest) > clamped ? nearest &- 1 : nearest)
  }
}

private struct TruthToFloat: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: TruthValue) -> Float { input == 0 ? 0 : 1 }
}

private struct HalfToFloat: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Half) -> Float { input.floatValue }
}

private struct IntegerToInteger<Source: IntegerElement, Target: IntegerElement>: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Source) -> Target { Target(truncatingIfNeeded: input) }
}
