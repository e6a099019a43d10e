import SwiftletEngine
import SwiftletBase
import SwiftletKernels
import SwiftletSchema

/// DEQUANTIZE: the real numbers that codes stand for, `scale × (code − zeroPoint)`; 16-bit floats are widened.
///
/// - Shapes: any; the output has the input's.
/// - Types: float16, bfloat16, int2, int4, uint4, int8, uint8, int16 to float32; scales per tensor, or per channel up
///   to 8 bits.
/// - Source: operator 6 of the model format. Constant inputs are computed once, when the model is compiled.
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

  func expansion(_ node: NodeView, _ kernels: KernelTable) throws -> DeferredContents.Expansion? {
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
    context.uses("vector dequantisation")
    guard let channels = try node.channelQuantization(of: node.input(0), range: Quantized.range) else {
      let quantization = try node.quantization(ofInput: 0, type)
      return try .unary(context, from: Quantized.self, to: Float.self, cost: 0.15) { input, output, count in
        kernels.dequantize(input, count, quantization, into: output)
      }
    }
    // Without elements there may still be any number of empty lines.
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
  /// The real numbers that codes of 8 or 16 bits stand for.
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
