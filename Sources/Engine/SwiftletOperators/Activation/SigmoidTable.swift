import SwiftletBase
import SwiftletEngine
import SwiftletKernels

/// LOGISTIC and TANH between int16 tensors: linear interpolation between samples of the sigmoid at multiples of 1/24.
///
/// - Source: the reference's int16 kernels. `tanh(x) = 2 × sigmoid(2x) − 1`, so both use one table, which stores only
///   the positive half.
struct SigmoidTable: Sendable {
  /// The owner of the memory that `samples` points to.
  private let storage: AlignedBytes
  nonisolated(unsafe) private let samples: UnsafePointer<Int32>

  private static let shared = SigmoidTable()

  /// Creates samples in units of 2⁻¹⁶, increased by half the interpolation error in the middle of their interval, and
  /// the differences to the next samples in the high 16 bits. The last sample represents 1.
  private init() {
    func sigmoid(_ x: Double) -> Double { 65536 / (1 + exp(-x)) }
    let step = 1.0 / 24
    var samples = (0..<255).map { index in
      let x = Double(index) * step
      let line = (sigmoid(x) + sigmoid(x + step)) / 2
      return Int32((sigmoid(x) - (line - sigmoid(x + step / 2)) / 2).rounded())
    }
    samples.append(65535)
    storage = AlignedBytes(zeroed: 255 * MemoryLayout<Int32>.stride)
    let words = storage.start.assumingMemoryBound(to: Int32.self)
    for index in 0..<255 { words[index] = samples[index] | (samples[index + 1] - samples[index]) << 16 }
    self.samples = UnsafePointer(words)
  }

  /// A conversion from quantized values to steps of 1/24 with 9 fraction bits: a multiplication and a rounding shift.
  struct InputScale: Sendable {
    var multiplier: Int32
    var shift: Int32

    /// Creates the conversion.
    ///
    /// - Parameter powerShifts: The exponents relative to 2⁻¹² for which a power-of-two `scale` is applied as a shift.
    init(_ scale: Float, powerShifts: ClosedRange<Int32>) {
      if let exponent = scale.exponentOfTwo, powerShifts.contains(exponent + 12) {
        multiplier = 3 << (exponent + 12)
        shift = 0
        return
      }
      var factor = Double(scale) * 4096 * 3
      var shift: Int32 = 0
      while factor <= 32767.0 / 2, shift <= 30 {
        shift += 1
        factor *= 2
      }
      multiplier = factor < Double(Int32.max) ? Int32(factor) : .max
      self.shift = shift
    }

    /// Half of the divisor of the shift.
    fileprivate var half: Int32 { shift > 0 ? 1 << (shift - 1) : 0 }
  }

  /// Returns the logistic function. Values are in units of 2⁻²⁵, and the largest result is 1 − 2⁻¹⁵.
  static func logistic(_ scale: InputScale) -> Int16SigmoidParameters {
    Int16SigmoidParameters(
      multiplier: scale.multiplier, half: scale.half, shift: scale.shift, fractionBits: 9, saturated: 0x7FFF << 10,
      center: 0, reflected: (1 << 25) - 1, resultShift: 10)
  }

  /// Returns the hyperbolic tangent. Values are in units of 2⁻²⁴.
  static func tangent(_ scale: InputScale) -> Int16SigmoidParameters {
    Int16SigmoidParameters(
      multiplier: scale.multiplier, half: scale.half, shift: scale.shift, fractionBits: 8, saturated: 0xFFFF << 8,
      center: 1 << 23, reflected: (1 << 23) - 1, resultShift: 8)
  }

  /// Applies a function to every int16 value of input 0.
  static func prepare(_ context: PrepareContext, _ parameters: Int16SigmoidParameters) throws -> PreparedOperator {
    let kernels = context.kernels.elementwise, table = shared
    context.uses("interpolated table int16")
    return try .unary(context, inputBytes: 2, resultBytes: 2, cost: 0.4) { input, output, count in
      kernels.sigmoidInt16(parameters, table: table.samples, count: count, input: input, output: output)
    }
  }
}

extension PrepareContext {
  /// Returns the conversion of the int16 values of input 0 to table positions.
  ///
  /// - Throws: An error if the output scale isn't 2⁻¹⁵.
  func sigmoidInputScale(powerShifts: ClosedRange<Int32>) throws -> SigmoidTable.InputScale {
    let input = try node.quantization(ofInput: 0, Int16.self)
    let output = try node.quantization(ofOutput: 0, Int16.self)
    guard output.scale.exponentOfTwo == -15 else {
      throw node.invalid("output \(try node.output(0)) has scale \(output.scale), for int16 it must be 2⁻¹⁵")
    }
    return SigmoidTable.InputScale(input.scale, powerShifts: powerShifts)
  }
}
