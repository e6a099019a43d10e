import SwiftletEngine
import SwiftletKernels

/// Layer normalisation of 16-bit gate sums.
///
/// - Source: the integer layer normalisation of the reference runtime, to the last bit: mean and deviation with 10 bits
///   behind the point.
struct ShortNormalization: Sendable {
  private let coefficients: TensorSlot
  private let bias: TensorSlot
  private let factor: QuantizedMultiplier
  /// Stands in for a variance of 0.
  private let varianceGuard: Int32

  /// Results have 12 bits behind the point.
  private static let resultBits: Int32 = 12

  init(_ context: PrepareContext, _ gate: LSTMInputs.Gate) throws {
    guard let index = gate.normalization else { throw context.node.invalid("has no normalisation coefficients") }
    let scale = try context.node.inputQuantization(index).scale
    coefficients = try context.inputSlot(index)
    bias = try context.inputSlot(gate.bias)
    let multiplier = QuantizedMultiplier(Double(scale))
    factor = QuantizedMultiplier(
      multiplier: multiplier.multiplier, shift: min(multiplier.shift, 31) + Self.resultBits)
    varianceGuard = max(1, Int32(saturating: 10_000 * scale))
  }

  func apply(to sums: UnsafeMutablePointer<Int16>, count: Int, _ run: RunContext) {
    var sum: Int64 = 0
    var squares: Int64 = 0
    for index in 0..<count {
      let value = Int32(sums[index])
      sum &+= Int64(value)
      squares &+= Int64(value &* value)
    }
    let size = Int64(max(count, 1))
    let mean = Int32(truncatingIfNeeded: sum &* 1024 / size)
    let spread = squares &* ((1 << 20) / size) &- Int64(mean) &* Int64(mean)
    let variance = Int32(truncatingIfNeeded: spread / (1 << 20))
    let deviation = QuantizedMultiplier(reciprocalSquareRootOf: variance < 1 ? varianceGuard : variance)
    let coefficients = run.pointer(coefficients, as: Int16.self)
    let bias = run.pointer(bias, as: Int32.self)
    for index in 0..<count {
      let distance = deviation.apply(1024 &* Int32(sums[index]) &- mean)
      let weighted = Int64(distance &* Int32(coefficients[index]) &+ bias[index])
      let rounded = Int32(truncatingIfNeeded: (weighted > 0 ? weighted &+ 512 : weighted &- 512) / 1024)
      sums[index] = Int16(clamping: factor.apply(rounded))
    }
  }
}
