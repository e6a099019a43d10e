import SwiftletEngine
import SwiftletBase
import SwiftletKernels

/// A function of bytes, whatever they stand for, as a table of its results: exact, whatever the function costs.
struct ByteTable: Sendable {
  /// The results for all bytes in order.
  private let results: AlignedBytes
  private let resultBytes: Int

  /// The table of a loop over elements of one byte.
  init(_ loop: UnaryLoop) {
    resultBytes = loop.resultBytes
    results = AlignedBytes(zeroed: 256 * resultBytes)
    let bytes = AlignedBytes(zeroed: 256)
    for byte in 0..<256 { bytes.bytes[byte] = UInt8(byte) }
    loop.run(bytes.start, results.start, 256)
  }

  /// The table of a function of quantised values, whose results are stored in `resultBytes` bytes.
  init(isSigned: Bool, resultBytes: Int, _ function: some UnaryFunction<Int32, Int32>) {
    self.resultBytes = resultBytes
    results = AlignedBytes(zeroed: 256 * resultBytes)
    for byte in 0..<256 {
      let quantized = isSigned ? Int32(Int8(truncatingIfNeeded: byte)) : Int32(byte)
      // Little-endian: a result's first bytes are its lowest.
      withUnsafeBytes(of: function(quantized).littleEndian) { result in
        for index in 0..<resultBytes { results.bytes[byte &* resultBytes &+ index] = result[index] }
      }
    }
  }

  /// The table of a real function between quantised 8-bit tensors.
  ///
  /// - Source: the reference's table rule: everything in single precision, the output scale applied as a reciprocal,
  ///   rounded half away from zero, then clamped.
  init<Quantized: QuantizedValue>(
    _ type: Quantized.Type, input: TensorQuantization, output: TensorQuantization, _ function: UnaryLoop
  ) {
    resultBytes = 1
    results = AlignedBytes(zeroed: 256)
    let numbers = AlignedBytes(zeroed: 256 * MemoryLayout<Float>.stride)
    let real = numbers.start.assumingMemoryBound(to: Float.self)
    for byte in 0..<256 {
      real[byte] = input.scale * Float(Int32(Quantized(truncatingIfNeeded: byte)) &- input.zeroPoint)
    }
    function.run(numbers.start, numbers.start, 256)
    let reciprocal = 1 / output.scale
    for byte in 0..<256 {
      let rounded = (real[byte] * reciprocal).rounded(.toNearestOrAwayFromZero) + Float(output.zeroPoint)
      results.bytes[byte] = UInt8(truncatingIfNeeded: Quantized(saturating: rounded))
    }
  }

  /// Looks every element up.
  func loop(_ kernels: ByteKernels) -> UnaryLoop {
    switch resultBytes {
    case 1:
      UnaryLoop(inputBytes: 1, resultBytes: 1) { input, result, count in
        kernels.lookUp(
          count: count, table: UnsafePointer(results.start.assumingMemoryBound(to: UInt8.self)),
          input: input.assumingMemoryBound(to: UInt8.self), output: result.assumingMemoryBound(to: UInt8.self))
      }
    case 2: loop(UInt16.self)
    default: loop(UInt32.self)
    }
  }

  private func loop<Result: BitwiseCopyable>(_ type: Result.Type) -> UnaryLoop {
    UnaryLoop(inputBytes: 1, resultBytes: MemoryLayout<Result>.stride) { input, result, count in
      let input = input.assumingMemoryBound(to: UInt8.self)
      let result = result.assumingMemoryBound(to: Result.self)
      let table = results.start.assumingMemoryBound(to: Result.self)
      for index in 0..<count { result[index] = table[Int(input[index])] }
    }
  }
}
