import SwiftletEngine
import SwiftletBase

/// A real function between quantized int16 tensors, as linear interpolation between 513 samples.
///
/// - Source: the reference's int16 tables. Samples are adjusted by half the interpolation error in the middle of their
///   interval. The order of all single-precision operations affects the result.
struct InterpolationTable: UnaryFunction {
  /// The owner of the memory that `samples` points to.
  private let storage: AlignedBytes
  nonisolated(unsafe) private let samples: UnsafePointer<Int16>

  private static let intervals = 512

  init(input: TensorQuantization, output: TensorQuantization, _ function: (Float) -> Float) {
    self.init(inputScale: input.scale, input.zeroPoint, outputScale: output.scale, output.zeroPoint, function)
  }

  /// Creates the table computed in the precision of `Real`.
  init<Real: BinaryFloatingPoint>(
    inputScale: Real, _ inputZeroPoint: Int32, outputScale: Real, _ outputZeroPoint: Int32, _ function: (Real) -> Real
  ) {
    func bounds(_ scale: Real, _ zeroPoint: Int32) -> (lowest: Real, highest: Real) {
      (scale * Real(Int32(Int16.min) &- zeroPoint), scale * Real(Int32(Int16.max) &- zeroPoint))
    }
    func round(_ value: Real) -> Real { value.rounded(.toNearestOrAwayFromZero) }
    let (lowest, highest) = bounds(inputScale, inputZeroPoint)
    let (outputLowest, outputHighest) = bounds(outputScale, outputZeroPoint)
    let step = (highest - lowest) / Real(Self.intervals)
    let factor = Real(65536) / (outputHighest - outputLowest)
    let storage = AlignedBytes(zeroed: (Self.intervals + 1) * MemoryLayout<Int16>.stride)
    for index in 0..<Self.intervals {
      let start = lowest + Real(index) * step
      let value = function(start)
      let middle = function(start + step / 2)
      let next = function(lowest + Real(index + 1) * step)
      let sample = round(value * factor)
      let line = round((next * factor + sample) / 2)
      let bias = round((line - round(middle * factor)) / 2)
      storage.bytes.storeBytes(of: Int16(saturating: Float(sample - bias)), toByteOffset: index * 2, as: Int16.self)
    }
    let last = Int16(saturating: Float(round(function(highest) * factor)))
    storage.bytes.storeBytes(of: last, toByteOffset: Self.intervals * 2, as: Int16.self)
    self.storage = storage
    samples = UnsafePointer(storage.start.assumingMemoryBound(to: Int16.self))
  }

  @inline(__always)
  func callAsFunction(_ input: Int16) -> Int16 {
    let index = Int(input &>> 7) &+ 256
    let start = samples[index]
    // The slope wraps to 16 bits, as in the reference.
    let slope = samples[index &+ 1] &- start
    let rise = (Int32(slope) &* Int32(input & 0x7F) &+ 64) &>> 7
    return Int16(truncatingIfNeeded: Int32(start) &+ rise)
  }
}
