import SwiftletEngine

/// Adds a bias per column to finished float32 sums, and clamps: in the reference the bias is the last term of a sum,
/// which kernels made for speed start from.
struct TrailingBias: Sendable {
  private let bias: TensorSlot?
  private let range: (lower: Float, upper: Float)

  init(_ bias: TensorSlot?, _ range: (lower: Float, upper: Float)) {
    self.bias = bias
    self.range = range
  }

  /// - Parameters:
  ///   - stride: from one row of the sums to the next.
  ///   - firstBias: the bias of the first column.
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
