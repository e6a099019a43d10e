import SwiftletEngine
import SwiftletKernels

/// A requantization between integer types, clamped: `multiplier × (quantized − zeroPoint)` in output units.
struct Requantization: UnaryFunction {
  private let multiplier: QuantizedMultiplier
  private let inputZeroPoint: Int32
  private let range: OutputRange

  init(_ multiplier: QuantizedMultiplier, inputZeroPoint: Int32, range: OutputRange) {
    self.multiplier = multiplier
    self.inputZeroPoint = inputZeroPoint
    self.range = range
  }

  @inline(__always)
  func callAsFunction(_ input: Int32) -> Int32 {
    range.quantized(multiplier.apply(input &- inputZeroPoint))
  }
}

/// The floating-point version, for results of at most 16 bits.
struct FastRequantization<Input: QuantizedValue, Result: QuantizedValue>: UnaryFunction {
  private let factor: Float
  private let inputZeroPoint: Int32
  private let range: OutputRange

  init(_ factor: Float, inputZeroPoint: Int32, range: OutputRange) {
    self.factor = factor
    self.inputZeroPoint = inputZeroPoint
    self.range = range
  }

  @inline(__always)
  func callAsFunction(_ input: Input) -> Result {
    let value = Float(Int32(truncatingIfNeeded: input) &- inputZeroPoint) * factor
    return range.quantized(rounding: value + Float(range.zeroPoint))
  }
}

/// A requantization of 8-bit values with a multiplier of eight fraction bits, rounded half up, as in XNNPACK within one
/// type. The result differs from the reference by at most one step.
struct EightBitRequantization: UnaryFunction {
  private let multiplier: Int32
  private let inputZeroPoint: Int32
  private let range: OutputRange

  /// Creates the requantization, or returns `nil` for factors that XNNPACK rejects: below 2⁻⁸ or above 2⁷.
  init?(_ factor: Float, inputZeroPoint: Int32, range: OutputRange) {
    guard (0x1p-8...0x1p7).contains(factor) else { return nil }
    multiplier = Int32((factor * 256).rounded(.toNearestOrEven))
    self.inputZeroPoint = inputZeroPoint
    self.range = range
  }

  @inline(__always)
  func callAsFunction(_ input: Int32) -> Int32 {
    range.quantized(((input &- inputZeroPoint) &* multiplier &+ 128) &>> 8)
  }
}

/// Quantization with a scale and zero point per index of one axis, and the memory layout of such a tensor.
struct ChannelQuantization: Sendable {
  /// The products of the dimensions before and after the axis.
  let outer: Int
  let inner: Int
  let scales: [Float]
  let zeroPoints: [Int32]

  /// The number of runs of elements with the same scale, in memory order.
  var lineCount: Int { outer &* scales.count }
}

extension NodeView {
  /// Returns the quantization of `spec` if it is per channel; otherwise `nil`.
  ///
  /// - Throws: An error if scales, zero points, and shape don't match, or if a zero point is outside `range`.
  func channelQuantization(of spec: TensorSpec, range: ClosedRange<Int32>) throws -> ChannelQuantization? {
    guard let quantization = spec.quantization, quantization.isPerChannel else { return nil }
    let channels = quantization.scales.count
    guard let axis = spec.shape.resolvedAxis(quantization.axis), spec.shape[axis] == channels else {
      throw invalid("\(spec) has \(channels) scales along axis \(quantization.axis), which is not that long")
    }
    guard quantization.scales.allSatisfy({ $0.isFinite && $0 > 0 }) else {
      throw invalid("\(spec) has a scale that is not a positive number")
    }
    guard quantization.zeroPoints.count == channels || quantization.zeroPoints.count == 1,
      quantization.zeroPoints.allSatisfy(range.contains)
    else { throw invalid("\(spec) has zero points that do not fit its type or its \(channels) scales") }
    let zeroPoints =
      quantization.zeroPoints.count == channels
      ? quantization.zeroPoints : [Int32](repeating: quantization.zeroPoints[0], count: channels)
    return ChannelQuantization(
      outer: spec.shape.elementCount(0..<axis), inner: spec.shape.elementCount((axis + 1)..<spec.shape.rank),
      scales: quantization.scales, zeroPoints: zeroPoints)
  }
}

/// A conversion from int8 values to uint8 values that are 128 higher.
enum SignFlip {
  /// The XOR mask of a byte.
  static let mask: UInt8 = 0x80

  /// Copies bytes with their highest bit flipped. The memory must not overlap.
  static func copy(_ count: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    typealias Vector = SIMD8<UInt64>
    let masks = Vector(repeating: 0x8080_8080_8080_8080)
    var offset = 0
    while offset &+ 64 <= count {
      let bytes = source.loadUnaligned(fromByteOffset: offset, as: Vector.self)
      target.storeBytes(of: bytes ^ masks, toByteOffset: offset, as: Vector.self)
      offset &+= 64
    }
    while offset &+ 8 <= count {
      let bytes = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      target.storeBytes(of: bytes ^ masks[0], toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    while offset < count {
      let byte = source.load(fromByteOffset: offset, as: UInt8.self)
      target.storeBytes(of: byte ^ mask, toByteOffset: offset, as: UInt8.self)
      offset &+= 1
    }
  }
}

/// A bias per column that is added to finished float32 sums, followed by a clamp. In the reference, the bias is the
/// last term of a sum, whereas the fast kernels start from it.
struct TrailingBias: Sendable {
  private let bias: TensorSlot?
  private let range: (lower: Float, upper: Float)

  init(_ bias: TensorSlot?, _ range: (lower: Float, upper: Float)) {
    self.bias = bias
    self.range = range
  }

  /// Adds the bias and clamps.
  ///
  /// - Parameters:
  ///   - stride: The distance between two rows of sums.
  ///   - firstBias: The bias of the first column.
  func finish(
    _ run: RunContext, _ sums: UnsafeMutablePointer<Float>, rows: Int, stride: Int, columns: Int, firstBias: Int
  ) {
    let bias = bias.map { run.pointer($0, as: Float.self) + firstBias }
    for row in 0..<rows {
      let sums = sums + row &* stride
      for column in 0..<columns {
        let sum = sums[column] + (bias?[column] ?? 0)
        sums[column] = min(max(sum, range.lower), range.upper)
      }
    }
  }
}

/// A float32 input that is rounded to bfloat16 as a whole, for products that read it several times.
struct RoundedInput: Sendable {
  let slot: TensorSlot
  /// The stage that rounds the input before the products.
  let stage: PreparedOperator.Stage

  /// The approximate time per element in nanoseconds.
  private static let cost = 0.07
  /// The number of elements rounded per call.
  private static let piece = 1 << 10

  /// Creates the input.
  ///
  /// - Parameter count: The number of elements in the input.
  init(_ context: PrepareContext, _ kernels: BFloat16Kernels, _ input: TensorSlot, count: Int) throws {
    let rounded = try context.scratch(elements: [count], of: UInt16.self)
    slot = rounded
    let pieces = count / Self.piece + (count % Self.piece == 0 ? 0 : 1)
    stage = PreparedOperator.Stage(items: pieces, cost: Double(Self.piece) * Self.cost) { run, items in
      let first = items.lowerBound &* Self.piece
      kernels.round(
        rows: 1, columns: min(count, items.upperBound &* Self.piece) &- first,
        input: run.pointer(input, as: Float.self) + first, inputStride: 0,
        output: run.pointer(rounded, as: UInt16.self) + first, outputStride: 0)
    }.touching(reads: [input], writes: [rounded])
  }
}
