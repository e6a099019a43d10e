import SwiftletBase
import SwiftletEngine
import SwiftletKernels

/// A lookup table of a function of bytes. Results are exact, and the lookup has the same cost for any function.
struct ByteTable: Sendable {
  /// The results for all bytes in order.
  private let results: AlignedBytes
  private let resultBytes: Int

  /// Creates the table from a loop over one-byte elements.
  init(_ loop: UnaryLoop) {
    resultBytes = loop.resultBytes
    results = AlignedBytes(zeroed: 256 * resultBytes)
    let bytes = AlignedBytes(zeroed: 256)
    for byte in 0..<256 { bytes.bytes[byte] = UInt8(byte) }
    loop.run(bytes.start, results.start, 256)
  }

  /// Creates the table of a function of quantized values, whose results take `resultBytes` bytes.
  init(isSigned: Bool, resultBytes: Int, _ function: some UnaryFunction<Int32, Int32>) {
    self.resultBytes = resultBytes
    results = AlignedBytes(zeroed: 256 * resultBytes)
    for byte in 0..<256 {
      let quantized = isSigned ? Int32(Int8(truncatingIfNeeded: byte)) : Int32(byte)
      // Little-endian, so the first bytes of a result are its lowest.
      withUnsafeBytes(of: function(quantized).littleEndian) { result in
        for index in 0..<resultBytes { results.bytes[byte &* resultBytes &+ index] = result[index] }
      }
    }
  }

  /// Creates the table of a real function between quantized 8-bit tensors.
  ///
  /// - Source: the reference's table rule. All steps are in single precision, the output scale is applied as a
  ///   reciprocal, and the result is rounded half away from zero and then clamped.
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

  /// Returns the loop that looks up every element.
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

/// The arithmetic of two quantized 8-bit tensors in the kernel table.
struct ByteKernel: BinaryKernel {
  enum Operation {
    case add(ByteKernels.SumScales)
    /// The product. The factor is the product of the operands' scales divided by the output scale.
    case multiply(factor: Float)
    /// The left element if it isn't negative, otherwise times the right element; factors as in
    /// `ByteKernels.parametricRelu`.
    case parametricRelu(factor: Float, slopeFactor: Float)
    /// The minimum by quantized value, regardless of scale.
    case minimum
    case maximum
  }

  private let kernels: ByteKernels
  private let isSigned: Bool
  private let operation: Operation
  private let leftZeroPoint: Int32
  private let rightZeroPoint: Int32
  private let range: OutputRange

  /// Creates the kernel.
  ///
  /// - Parameters:
  ///   - type: The type of operands and results, `int8` or `uint8`.
  ///   - range: The range of results, by default that of the type.
  init(
    _ context: PrepareContext, _ type: QuantizedType, _ operation: Operation, leftZeroPoint: Int32 = 0,
    rightZeroPoint: Int32 = 0, range: OutputRange? = nil
  ) {
    kernels = context.kernels.bytes
    context.uses("vector arithmetic int8")
    isSigned = type.isSigned
    self.operation = operation
    self.leftZeroPoint = leftZeroPoint
    self.rightZeroPoint = rightZeroPoint
    self.range = range ?? OutputRange(zeroPoint: 0, type.range)
  }

  var rowKernel: BinaryRowKernel {
    BinaryRowKernel(sizes: BinaryRowKernel.ElementSizes(left: 1, right: 1, result: 1), scratchBytes: 0) { rows, _ in
      run(rows)
    }
  }

  private func run(_ rows: BinaryRows) {
    let left = ByteKernels.Operand(pointer: rows.left, stride: rows.leftStride, zeroPoint: leftZeroPoint)
    let right = ByteKernels.Operand(pointer: rows.right, stride: rows.rightStride, zeroPoint: rightZeroPoint)
    switch operation {
    case .add(let scales):
      kernels.add(
        form: rows.form, rows: rows.rows, columns: rows.columns, left: left, right: right, scales: scales,
        isSigned: isSigned, output: rows.result, outputStride: rows.columns, zeroPoint: range.zeroPoint,
        lower: range.lower, upper: range.upper)
    case .multiply(let factor):
      kernels.multiply(
        form: rows.form, rows: rows.rows, columns: rows.columns, left: left, right: right, factor: factor,
        isSigned: isSigned, output: rows.result, outputStride: rows.columns, zeroPoint: range.zeroPoint,
        lower: range.lower, upper: range.upper)
    case .parametricRelu(let factor, let slopeFactor):
      kernels.parametricRelu(
        form: rows.form, rows: rows.rows, columns: rows.columns, left: left, right: right, factor: factor,
        slopeFactor: slopeFactor, isSigned: isSigned, output: rows.result, outputStride: rows.columns,
        zeroPoint: range.zeroPoint, lower: range.lower, upper: range.upper)
    case .minimum: extreme(rows, isMaximum: false)
    case .maximum: extreme(rows, isMaximum: true)
    }
  }

  private func extreme(_ rows: BinaryRows, isMaximum: Bool) {
    kernels.extreme(
      isMaximum: isMaximum, form: rows.form, rows: rows.rows, columns: rows.columns, left: rows.left,
      leftStride: rows.leftStride, right: rows.right, rightStride: rows.rightStride, isSigned: isSigned,
      output: rows.result, outputStride: rows.columns)
  }
}
