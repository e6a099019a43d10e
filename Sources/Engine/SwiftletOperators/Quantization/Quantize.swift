import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// QUANTIZE: conversion from real numbers to quantized values, or between quantized values of different types, scales,
/// or zero points.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32 to int4, uint4, int8, uint8, int16 (from 8 bits on also per channel); int8 and uint8 to int8,
///   uint8, int16; int16 to int8, int16, int32; int32 to int8, int16.
/// - Source: operator 114 of the model format: `round(x / scale) + zeroPoint`, half away from zero, clamped. Fast
///   numerics convert to 8 bits like XNNPACK: `round(x × (1 / scale)) + zeroPoint`, half to even.
struct QuantizeOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .quantize, versions: 1...6,
      types: .one(.float32, to: TypeSet([.int4, .uint4, .int8, .uint8, .int16]))
        + .one([.int8, .uint8], to: [.int8, .uint8, .int16]) + .one(.int16, to: [.int8, .int16, .int32])
        + .one(.int32, to: [.int8, .int16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8, .uint8, .int16, .int32: return try prepareRequantization(context)
    default: break
    }
    let output = try context.node.output(0)
    if let type = output.expandedFrom, let narrow = SubByteIntegers(type) {
      return try prepareNarrow(context, narrow.range)
    }
    switch output.elementType {
    case .int8: return try prepareQuantization(context, Int8.self)
    case .uint8: return try prepareQuantization(context, UInt8.self)
    case .int16: return try prepareQuantization(context, Int16.self)
    default: throw context.node.invalid("does not support \(output)")
    }
  }

  // MARK: From real numbers

  private func prepareQuantization<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ type: Quantized.Type
  ) throws -> PreparedOperator {
    let node = context.node
    let kernels = context.kernels.quantization
    context.uses("vector quantization")
    guard let channels = try node.channelQuantization(of: node.output(0), range: Quantized.range) else {
      let quantization = try node.quantization(ofOutput: 0, type, isSymmetric: false)
      let reciprocal = 1 / quantization.scale
      let multiplies =
        context.options.numerics == .fast && Quantized.bitWidth == 8 && reciprocal.isFinite
        && quantization.scale.isNormal
      let factor = multiplies ? reciprocal : nil
      return try .unary(context, from: Float.self, to: Quantized.self, cost: multiplies ? 0.15 : 0.3) {
        input, output, count in
        kernels.quantize(input, count, quantization, factor: factor, into: output)
      }
    }
    // Without elements, there may still be any number of empty lines.
    let inner = channels.inner
    guard inner > 0 else { return .empty }
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    return PreparedOperator(items: channels.lineCount, cost: Double(inner) * 0.3 + 5) { run, range in
      for line in range {
        let channel = line % channels.scales.count
        kernels.quantize(
          run.pointer(source, as: Float.self) + line &* inner, inner,
          (channels.scales[channel], channels.zeroPoints[channel]),
          into: run.pointer(destination, as: Quantized.self) + line &* inner)
      }
    }
  }

  /// Prepares the quantization to 2- or 4-bit values, one per byte.
  private func prepareNarrow(_ context: PrepareContext, _ range: ClosedRange<Int32>) throws -> PreparedOperator {
    let quantization = try context.node.outputQuantization(0)
    guard range.contains(quantization.zeroPoint) else {
      throw context.node.invalid(
        "output \(try context.node.output(0)) has zero point \(quantization.zeroPoint), which its type cannot hold")
    }
    let function = FloatQuantization(quantization, range)
    return try .unary(context, from: Float.self, to: UInt8.self, cost: 2) { input, output, count in
      for index in 0..<count { output[index] = UInt8(truncatingIfNeeded: function(input[index])) }
    }
  }

  // MARK: From quantized values

  private func prepareRequantization(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let (from, to) = (try node.input(0).elementType, try node.output(0).elementType)
    let isSymmetric = from == .int16 && to == .int16
    let every = Int32.min...Int32.max, quantized = to.quantizedRange ?? every
    let input = try node.quantization(ofInput: 0, from.quantizedRange ?? every, isSymmetric: isSymmetric)
    let output = try node.quantization(ofOutput: 0, quantized, isSymmetric: isSymmetric)
    let range = OutputRange(zeroPoint: output.zeroPoint, quantized)
    let factor = input.scale / output.scale, zeroPoint = input.zeroPoint
    let isFast = context.options.numerics == .fast
    if isFast, from.byteWidth != 1, to != .int32 {
      func loop<Input: QuantizedValue, Result: QuantizedValue>(_ input: Input.Type, _ result: Result.Type) -> UnaryLoop
      {
        FastRequantization<Input, Result>(factor, inputZeroPoint: zeroPoint, range: range).loop
      }
      // 8-bit quantized values are clamped to their range, so it doesn't matter which of the two types has them.
      let isByte = to != .int16
      let function =
        from == .int16
        ? isByte ? loop(Int16.self, Int8.self) : loop(Int16.self, Int16.self)
        : isByte ? loop(Int32.self, Int8.self) : loop(Int32.self, Int16.self)
      return try .unary(context, function, cost: 0.8)
    }
    if isFast, from == to, let type = QuantizedType(from),
      let function = EightBitRequantization(factor, inputZeroPoint: zeroPoint, range: range)
    {
      return try .quantized(context, type, function, cost: 3)
    }
    let multiplier = QuantizedMultiplier(Double(input.scale) / Double(output.scale))
    let function = Requantization(multiplier, inputZeroPoint: zeroPoint, range: range)
    return try .unary(context, .quantized(context, from: from, to: to, function), cost: from.byteWidth == 1 ? 0.2 : 3)
  }
}

extension QuantizationKernels {
  /// Quantizes real numbers to 8- or 16-bit values.
  ///
  /// - Parameter factor: The reciprocal of the scale, to multiply by it and round half to even; only for 8 bits.
  fileprivate func quantize<Quantized: QuantizedValue>(
    _ input: UnsafePointer<Float>, _ count: Int, _ quantization: TensorQuantization, factor: Float? = nil,
    into output: UnsafeMutablePointer<Quantized>
  ) {
    let target = UnsafeMutableRawPointer(output)
    if let factor {
      quantize(
        count: count, input: input, factor: factor, zeroPoint: quantization.zeroPoint,
        lower: Quantized.range.lowerBound, upper: Quantized.range.upperBound, isSigned: Quantized.isSigned,
        roundsToEven: true, toBytes: target)
    } else if Quantized.bitWidth == 8 {
      quantize(
        count: count, input: input, scale: quantization.scale, zeroPoint: quantization.zeroPoint,
        lower: Quantized.range.lowerBound, upper: Quantized.range.upperBound, isSigned: Quantized.isSigned,
        toBytes: target)
    } else {
      quantize(
        count: count, input: input, scale: quantization.scale, zeroPoint: quantization.zeroPoint,
        lower: Quantized.range.lowerBound, upper: Quantized.range.upperBound,
        toInt16: target.assumingMemoryBound(to: Int16.self)
      )
    }
  }
}

/// The quantized value of a real number; the smallest one for NaN.
private struct FloatQuantization: UnaryFunction {
  private let scale: Float
  private let zeroPoint: Int32
  /// The range of quantized values relative to the zero point.
  private let lower: Float
  private let upper: Float

  init(_ quantization: TensorQuantization, _ range: ClosedRange<Int32>) {
    scale = quantization.scale
    zeroPoint = quantization.zeroPoint
    lower = Float(range.lowerBound - quantization.zeroPoint)
    upper = Float(range.upperBound - quantization.zeroPoint)
  }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Int32 {
    let steps = input / scale
    let raised = steps > lower ? steps : lower
    let clamped = raised < upper ? raised : upper
    // Vectors round ties to even. If that rounded toward zero, move one step away from it.
    let nearest = clamped.roundedToNearestInteger
    let rest = clamped - Float(nearest)
    let correction: Int32 = rest == 0.5 && clamped > 0 ? 1 : rest == -0.5 && clamped < 0 ? -1 : 0
    return nearest &+ correction &+ zeroPoint
  }
}

/// DEQUANTIZE: the real values of quantized values, `scale × (quantized − zeroPoint)`. 16-bit floats are converted to
/// float32.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float16, bfloat16, int2, int4, uint4, int8, uint8, int16 to float32; scales per tensor, or per channel up
///   to 8 bits.
/// - Source: operator 6 of the model format. Constant inputs are converted once, when the model is compiled.
struct DequantizeOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .dequantize, versions: 1...9,
      types: .one(TypeSet([.float16, .bfloat16, .int2, .int4, .uint4, .int8, .uint8, .int16]), to: .float32))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0)
    switch input.elementType {
    case .float16:
      let kernels = context.kernels.quantization
      context.uses("vector widening float16")
      return try .unary(context, from: UInt16.self, to: Float.self, cost: 0.1) { input, output, count in
        kernels.expandFloat16(count: count, input: input, output: output)
      }
    case .bfloat16: return try .unary(context, Widening<BFloat16>(), cost: 0.4)
    case .int8: return try prepareQuantized(context, Int8.self)
    case .uint8: return try prepareQuantized(context, UInt8.self)
    case .int16: return try prepareQuantized(context, Int16.self)
    default: throw context.node.invalid("does not take \(input)")
    }
  }

  func expansion(_ node: NodeView, _ kernels: KernelTable) throws -> LazyBuffer.Expansion? {
    guard try node.input(0).elementType == .float16 else { return nil }
    let kernels = kernels.quantization
    return { source, target in
      guard let halves = source.baseAddress, let floats = target.baseAddress else { return }
      kernels.expandFloat16(
        count: min(source.count / 2, target.count / 4), input: halves.assumingMemoryBound(to: UInt16.self),
        output: floats.assumingMemoryBound(to: Float.self))
    }
  }

  private func prepareQuantized<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ type: Quantized.Type
  ) throws -> PreparedOperator {
    let node = context.node
    let kernels = context.kernels.quantization
    context.uses("vector dequantization")
    guard let channels = try node.channelQuantization(of: node.input(0), range: Quantized.range) else {
      let quantization = try node.quantization(ofInput: 0, type)
      return try .unary(context, from: Quantized.self, to: Float.self, cost: 0.15) { input, output, count in
        kernels.dequantize(input, count, quantization, into: output)
      }
    }
    // Without elements, there may still be any number of empty lines.
    let inner = channels.inner
    guard inner > 0 else { return .empty }
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    return PreparedOperator(items: channels.lineCount, cost: Double(inner) * 0.15 + 5) { run, range in
      for line in range {
        let channel = line % channels.scales.count
        kernels.dequantize(
          run.pointer(source, as: Quantized.self) + line &* inner, inner,
          (channels.scales[channel], channels.zeroPoints[channel]),
          into: run.pointer(destination, as: Float.self) + line &* inner)
      }
    }
  }
}

private struct Widening<Element: SixteenBitFloat>: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Element) -> Float { input.floatValue }
}

extension QuantizationKernels {
  /// Prepares the conversion of 8- or 16-bit quantized values to real numbers.
  fileprivate func dequantize<Quantized: QuantizedValue>(
    _ input: UnsafePointer<Quantized>, _ count: Int, _ quantization: TensorQuantization,
    into output: UnsafeMutablePointer<Float>
  ) {
    let source = UnsafeRawPointer(input)
    if Quantized.bitWidth == 8 {
      dequantize(
        count: count, bytes: source, isSigned: Quantized.isSigned, scale: quantization.scale,
        zeroPoint: quantization.zeroPoint, output: output)
    } else {
      dequantize(
        count: count, halves: source.assumingMemoryBound(to: Int16.self), scale: quantization.scale,
        zeroPoint: quantization.zeroPoint, output: output)
    }
  }
}
