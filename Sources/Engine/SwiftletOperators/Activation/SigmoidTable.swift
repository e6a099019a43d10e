import SwiftletBase
import SwiftletEngine

/// LOGISTIC and TANH between int16 tensors: linear interpolation between samples of the sigmoid at multiples of 1/24.
///
/// - Source: the reference's int16 kernels. `tanh(x) = 2 × sigmoid(2x) − 1`, so both use one table, which stores only
///   the positive half.
struct SigmoidTable: Sendable {
  /// The owner of the memory that `samples` points to.
  private let storage: AlignedBytes
  nonisolated(unsafe) private let samples: UnsafePointer<UInt32>

  private static let count = 256
  private static let shared = SigmoidTable()

  /// Creates samples in units of 2⁻¹⁶, increased by half the interpolation error in the middle of their interval. The
  /// last sample represents 1.
  private init() {
    func sigmoid(_ x: Double) -> Double { 65536 / (1 + exp(-x)) }
    storage = AlignedBytes(zeroed: Self.count * MemoryLayout<UInt32>.stride)
    let samples = storage.start.assumingMemoryBound(to: UInt32.self)
    let step = 1.0 / 24
    for index in 0..<Self.count {
      let x = Double(index) * step
      let line = (sigmoid(x) + sigmoid(x + step)) / 2
      let sample = sigmoid(x) - (line - sigmoid(x + step / 2)) / 2
      samples[index] = UInt32(sample.rounded())
    }
    samples[Self.count - 1] = 65535
    self.samples = UnsafePointer(samples)
  }

  /// Returns the sample at or below `position` (in steps of 1/24, with `fractionBits` fraction bits) and the line to
  /// the next sample, in units of 2⁻¹⁶ × 2^−fractionBits; `nil` beyond the table.
  @inline(__always)
  private func value(at position: UInt32, fractionBits: UInt32) -> UInt32? {
    let index = position &>> fractionBits
    guard index < 255 else { return nil }
    let start = samples[Int(index)]
    let next = samples[Int(index) &+ 1]
    let fraction = position & ((1 &<< fractionBits) &- 1)
    return (start &<< fractionBits) &+ fraction &* (next &- start)
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

    @inline(__always)
    func position(_ quantized: Int16) -> Int32 {
      let half: Int32 = shift > 0 ? 1 &<< (shift &- 1) : 0
      return (Int32(quantized) &* multiplier &+ half) &>> shift
    }
  }

  struct Logistic: UnaryFunction {
    let scale: InputScale
    private let table = SigmoidTable.shared

    /// The value 1 in units of 2⁻²⁵, and the maximum output, which represents 1 beyond the table.
    private static let one: UInt32 = 1 << 25
    private static let saturated: UInt32 = 0x7FFF << 10

    init(scale: InputScale) { self.scale = scale }

    @inline(__always)
    func callAsFunction(_ input: Int16) -> Int16 {
      let position = scale.position(input)
      let half = table.value(at: position.magnitude, fractionBits: 9) ?? Self.saturated
      let value: UInt32 = position >= 0 ? half : Self.one &- half &- 1
      return Int16(truncatingIfNeeded: (value &+ 512) &>> 10)
    }
  }

  struct Tangent: UnaryFunction {
    let scale: InputScale
    private let table = SigmoidTable.shared

    /// The value one half in units of 2⁻²⁴, and the output that represents 1 beyond the table.
    private static let half: Int32 = 1 << 23
    private static let saturated: UInt32 = 0xFFFF << 8

    init(scale: InputScale) { self.scale = scale }

    @inline(__always)
    func callAsFunction(_ input: Int16) -> Int16 {
      let position = scale.position(input)
      let value = Int32(truncatingIfNeeded: table.value(at: position.magnitude, fractionBits: 8) ?? Self.saturated)
      let centered: Int32 = position >= 0 ? value &- Self.half : Self.half &- value &- 1
      return Int16(truncatingIfNeeded: (centered &+ 128) &>> 8)
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
