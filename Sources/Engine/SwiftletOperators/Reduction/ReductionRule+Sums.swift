import SwiftletEngine
import SwiftletKernels

/// Sums of floats or of their squares, and means.
struct FloatSum: ReductionRule {
  static let usesLanes = true

  /// The divisor of the sum; 1 for a plain sum.
  let divisor: Float
  let empty: Float
  let squares: Bool
  var kernel: FloatReduction? { FloatReduction(operation: squares ? .sumOfSquares : .sum, factor: 1 / divisor) }

  func begin(_ element: Float) -> Float { squares ? element * element : element }
  func combine(_ sum: Float, _ element: Float) -> Float { sum + begin(element) }
  func merge(_ first: Float, _ second: Float) -> Float { first + second }
  func finish(_ sum: Float) -> Float { sum / divisor }
}

/// Sums of plain integers, which wrap on overflow, as in the reference.
struct IntegerSum<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  let empty: Element = 0

  func begin(_ element: Element) -> Element { element }
  func combine(_ sum: Element, _ element: Element) -> Element { sum &+ element }
  func finish(_ sum: Element) -> Element { sum }
}

/// Means of plain integers, truncated toward zero.
struct IntegerMean<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  /// The number of elements, at least 1.
  let count: Int64
  let empty: Element = 0

  func begin(_ element: Element) -> Int64 { Int64(truncatingIfNeeded: element) }
  func combine(_ sum: Int64, _ element: Element) -> Int64 { sum &+ Int64(truncatingIfNeeded: element) }
  // The quotient is defined, because the count is positive.
  func finish(_ sum: Int64) -> Element { Element(truncatingIfNeeded: sum / count) }
}

/// Sums and means of quantized numbers, summed exactly and rescaled once in fixed point.
///
/// - Source: `QuantizedMeanOrSum` of the reference runtime. For a mean, the multiplier includes one over the count.
///   Sums of signed numbers use `SinglePrecisionSum`.
struct QuantizedSum<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  private let multiplier: QuantizedMultiplier
  private let inputOffset: Int32
  private let outputZeroPoint: Int32

  let empty: Element = 0

  /// Creates the rule.
  ///
  /// - Parameters:
  ///   - isMean: Whether the sum is divided by `count`.
  ///   - count: The number of elements in a sum.
  init(
    input: (scale: Float, zeroPoint: Int32), output: (scale: Float, zeroPoint: Int32), count: Int, isMean: Bool
  ) {
    var multiplier = QuantizedMultiplier(Double(input.scale) / Double(output.scale))
    if isMean, count > 0 {
      let log = 63 - count.leadingZeroBitCount
      // A shift below -31 can't be represented. In that case, the quotient loses precision instead.
      let shift = Int32(clamping: min(log, 32, 31 + Int(multiplier.shift)))
      multiplier = QuantizedMultiplier(
        multiplier: Int32(truncatingIfNeeded: (Int64(multiplier.multiplier) << Int64(shift)) / Int64(count)),
        shift: multiplier.shift - shift)
    }
    self.multiplier = multiplier
    inputOffset = Int32(truncatingIfNeeded: Int64(input.zeroPoint) &* Int64(count))
    outputZeroPoint = output.zeroPoint
  }

  func begin(_ element: Element) -> Int32 { Int32(truncatingIfNeeded: element) }
  func combine(_ sum: Int32, _ element: Element) -> Int32 { sum &+ Int32(truncatingIfNeeded: element) }
  func finish(_ sum: Int32) -> Element {
    Element(clamping: multiplier.apply(sum &- inputOffset) &+ outputZeroPoint)
  }
}

/// Sums of signed quantized numbers, summed exactly and rescaled in single precision, rounded half away from zero.
///
/// The reference runtime's fixed-point kernel rescales these sums by a multiplier that it initializes only for uint8.
/// Its default kernel, which is the reference here, computes in floating point.
struct SinglePrecisionSum<Element: QuantizedValue>: ReductionRule {
  private let scale: Float
  private let bias: Float
  private let range: OutputRange

  let empty: Element = 0

  /// Creates the rule.
  ///
  /// - Parameters: The same as for `QuantizedSum`.
  init(input: TensorQuantization, output: TensorQuantization, count: Int) {
    scale = input.scale / output.scale
    bias = -Float(input.zeroPoint) * scale * Float(count)
    range = OutputRange(output, Element.self)
  }

  func begin(_ element: Element) -> Int32 { Int32(truncatingIfNeeded: element) }
  func combine(_ sum: Int32, _ element: Element) -> Int32 { sum &+ Int32(truncatingIfNeeded: element) }
  func finish(_ sum: Int32) -> Element {
    let rounded = (Float(sum) * scale + bias).rounded(.toNearestOrAwayFromZero)
    // Some scales result in NaN, which counts as the smallest value.
    let raised = rounded > -Self.limit ? rounded : -Self.limit
    return range.quantized(Int32(raised < Self.limit ? raised : Self.limit))
  }

  /// A limit above all quantized values, and small enough to add the zero point.
  private static var limit: Float { 0x1p24 }
}

/// Sums and means of 8-bit values in fast numerics.
///
/// The zero points and the rescaled sum are combined to one number, which is rounded to the nearest integer. If a mean
/// is exactly between two quantized values, which is common for a few elements, the result depends on the order of
/// these steps. This order matches the runtimes with floating-point requantization that tasks are compared with.
struct FastQuantizedSum<Element: QuantizedValue>: ReductionRule {
  private let factor: Float
  private let offset: Float
  private let range: OutputRange

  let empty: Element = 0

  /// Creates the rule.
  ///
  /// - Parameters: The same as for `QuantizedSum`.
  init(input: TensorQuantization, output: TensorQuantization, count: Int, isMean: Bool) {
    factor = input.scale / output.scale * (isMean && count > 0 ? 1 / Float(count) : 1)
    offset = Float(output.zeroPoint) - Float(Int64(input.zeroPoint) &* Int64(count)) * factor
    range = OutputRange(output, Element.self)
  }

  func begin(_ element: Element) -> Int32 { Int32(truncatingIfNeeded: element) }
  func combine(_ sum: Int32, _ element: Element) -> Int32 { sum &+ Int32(truncatingIfNeeded: element) }
  func finish(_ sum: Int32) -> Element { range.quantized(rounding: Float(sum) * factor + offset) }
}

extension PreparedOperator {
  /// Returns the sum or mean of quantized values in the requested numerics.
  static func quantizedSum<Element: QuantizedValue>(
    _ type: Element.Type, _ context: PrepareContext, count: Int, isMean: Bool
  ) throws -> PreparedOperator {
    let input = try context.node.inputQuantization(0)
    let output = try context.node.outputQuantization(0)
    if context.options.numerics == .fast, Element.bitWidth == 8 {
      let rule = FastQuantizedSum<Element>(input: input, output: output, count: count, isMean: isMean)
      return try byteSum(rule.loops, isSigned: Element.isSigned, context)
    }
    if !isMean, Element.isSigned {
      let rule = SinglePrecisionSum<Element>(input: input, output: output, count: count)
      return try byteSum(rule.loops, isSigned: true, context)
    }
    let rule = QuantizedSum<Element>(input: input, output: output, count: count, isMean: isMean)
    return try byteSum(rule.loops, isSigned: Element.isSigned, context)
  }

  /// Returns a reduction with 32-bit sums. 8-bit values use a kernel if adjacent outer axes are reduced.
  private static func byteSum(
    _ loops: ReductionLoops, isSigned: Bool, _ context: PrepareContext
  ) throws -> PreparedOperator {
    let isReduced = try ReductionAxes(context.node).isReduced
    let plan = ReductionPlan(shape: try context.node.input(0).shape, isReduced: isReduced)
    guard loops.elementBytes == 1, case .columns(let inner, let rows, let stride) = plan.innerLoop,
      plan.repeated.isEmpty, plan.outputCount > 0, plan.reducedCount > 0
    else { return try .reduction(loops, context) }
    let source = try context.inputSlot(0), destination = try context.outputSlot(0)
    let kernels = context.kernels.reduction, outer = plan.outer
    context.uses("vector sums int8")
    // Pieces of several cache lines, so that threads don't read the same lines.
    let width = 256, pieces = (inner + width - 1) / width
    context.requireWorkerScratch(bytes: width * MemoryLayout<Int32>.size)
    return PreparedOperator(
      items: plan.outputCount / inner * pieces, cost: Double(rows) * Double(max(8, min(inner, width))) * 0.05 + 20
    ) { run, range in
      let sums = run.workerScratch.assumingMemoryBound(to: Int32.self)
      for item in range {
        let (row, piece) = item.quotientAndRemainder(dividingBy: pieces)
        let first = piece &* width, count = min(width, inner &- first)
        kernels.sumRows(
          rows: rows, columns: count,
          bytes: run.pointer(source) + (ReductionPlan.offset(of: row, in: outer) &+ first),
          isSigned: isSigned, inputStride: stride, output: sums)
        loops.finish(sums, run.pointer(destination) + (row &* inner &+ first) &* loops.outputBytes, count)
      }
    }
  }
}
