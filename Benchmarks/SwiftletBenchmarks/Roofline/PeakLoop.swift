import SwiftletBase
import SwiftletKernels
import SwiftletMeasurement

/// A contender that only runs the operation that bounds kernels, in a loop on one core.
final class PeakLoop: Contender {
  /// The number of multiply-adds or bytes per run.
  let work: Int
  private let once: () -> Void

  private init(work: Int, _ once: @escaping () -> Void) {
    self.work = work
    self.once = once
  }

  func run(warmup: Int, count: Int) -> [Double] {
    for _ in 0..<warmup { once() }
    return (0..<count).map { _ in
      let start = ContinuousClock.now
      once()
      return milliseconds(since: start)
    }
  }

  private static let iterations = 20_000

  static func multiplyAdds(_ peak: PeakKernels) -> PeakLoop {
    // x / 2 + 1/2 keeps 1 as 1: the values neither grow nor become denormal, which would slow the CPU down.
    var values = [Float](repeating: 1, count: peak.valueCount)
    for index in 0..<(2 * peak.lanes) { values[index] = 0.5 }
    return PeakLoop(work: iterations * peak.multiplyAddsPerIteration) {
      peak.multiplyAdd(iterations: iterations, values: &values)
    }
  }

  static func dotProducts(_ peak: PeakKernels) -> PeakLoop {
    // Two 16-bit numbers, or four bytes: 1, 0, 1, and 0.
    var values = [Int32](repeating: 0x0001_0001, count: peak.valueCount)
    return PeakLoop(work: iterations * peak.dotProductMultiplyAddsPerIteration) {
      peak.dotProduct(iterations: iterations, values: &values)
      for index in (2 * peak.lanes)..<values.count { values[index] = 0 }
    }
  }

  /// Returns a pass over as many bytes as an operator reads and writes, so that both find them in the same cache level.
  /// The pass reads and writes one half each or, if little is written, reads everything.
  static func traffic(_ peak: PeakKernels, read: Int, written: Int) -> PeakLoop {
    // Repeat small passes so that the clock can resolve them.
    let bytes = max(8 * peak.groupSize, read + written)
    let repetitions = max(1, (1 << 18) / bytes)
    if written * 4 < read {
      let input = floats(bytes / 4)
      var sum: Float = 0
      return PeakLoop(work: repetitions * bytes) {
        for _ in 0..<repetitions {
          sum += peak.sum(UnsafeBufferPointer(start: input.start.assumingMemoryBound(to: Float.self), count: bytes / 4))
        }
      }
    }
    let input = floats(bytes / 8), output = floats(bytes / 8)
    return PeakLoop(work: repetitions * bytes) {
      for _ in 0..<repetitions {
        peak.scale(
          UnsafeBufferPointer(start: input.start.assumingMemoryBound(to: Float.self), count: bytes / 8), by: 0.5,
          output: UnsafeMutableBufferPointer(
            start: output.start.assumingMemoryBound(to: Float.self), count: bytes / 8))
      }
    }
  }

  /// Returns ones, in memory with the alignment and the large pages of the engine's tensors.
  private static func floats(_ count: Int) -> AlignedBytes {
    let block = AlignedBytes(zeroed: count * MemoryLayout<Float>.size)
    block.start.assumingMemoryBound(to: Float.self).update(repeating: 1, count: count)
    return block
  }
}
