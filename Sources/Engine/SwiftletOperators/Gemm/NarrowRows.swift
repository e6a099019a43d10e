import SwiftletKernels

/// Contiguous rows of a few channels, which kernels process several at a time as one wide row, because the channels of
/// a single row don't fill vectors.
struct NarrowRows: Sendable {
  let channels: Int
  /// The number of rows in a wide row.
  let repetitions: Int

  /// - Parameters:
  ///   - rows: The maximum number of rows.
  ///   - wideElements: The maximum number of elements in a wide row of several rows.
  init(channels: Int, rows: Int, wideElements: Int = 64) {
    self.channels = channels
    repetitions = max(1, min(rows, wideElements / max(1, channels)))
  }

  /// Returns the values of the elements of a wide row, given those of a row.
  func repeated<Value>(_ values: [Value]) -> [Value] { (0..<repetitions).flatMap { _ in values } }

  /// Calls `body` with rows in wide rows, and then with the remaining rows as one row.
  @inline(__always)
  func forEach(of rows: Int, _ body: (_ first: Int, _ rows: Int, _ columns: Int) -> Void) {
    let wide = repetitions &* channels, count = rows / repetitions
    let rest = (rows &- count &* repetitions) &* channels
    body(0, count, wide)
    if rest > 0 { body(count &* wide, 1, rest) }
  }

  /// Rescales and rounds 32-bit sums to bytes, with the arithmetic of `QuantizedGemmKernels.multiplyRequantizing`.
  ///
  /// - Parameters:
  ///   - scales: The factors of the elements of a wide row.
  ///   - scaled: Memory for as many floats as there are sums; may be the sums.
  func round(
    _ sums: UnsafePointer<Int32>, rows: Int, scales: [Float], scaled: UnsafeMutablePointer<Float>, range: OutputRange,
    isSigned: Bool, output: UnsafeMutableRawPointer, kernels: QuantizationKernels
  ) {
    scales.withUnsafeBufferPointer { scales in
      guard let scales = scales.baseAddress else { return }
      forEach(of: rows) { first, rows, columns in
        kernels.scale(
          rows: rows, columns: columns, sums: sums + first, rowScale: 1, scales: scales, bias: nil, lower: -.infinity,
          upper: .infinity, output: scaled + first)
      }
    }
    kernels.quantize(
      count: rows &* channels, input: scaled, factor: 1, zeroPoint: range.zeroPoint, lower: range.lower,
      upper: range.upper, isSigned: isSigned, roundsToEven: true, toBytes: output)
  }
}
