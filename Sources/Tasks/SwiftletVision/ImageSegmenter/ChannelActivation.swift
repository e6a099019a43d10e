import SwiftletKernels

/// What is done to the channels of a pixel to make confidences of them.
enum ChannelActivation: Sendable, Hashable {
  case none
  /// `1 / (1 + e^−x)` of each by itself.
  case sigmoid
  /// `e^x / Σ e^x`, so that they sum to 1.
  case softmax

  /// - Parameters:
  ///   - source: `pixels · channels` floats.
  ///   - target: as many; not overlapping.
  func apply(
    to source: UnsafePointer<Float>, pixels: Int, channels: Int, into target: UnsafeMutablePointer<Float>
  ) {
    let kernels = KernelTable.current.elementwise
    switch self {
    case .none: target.update(from: source, count: pixels * channels)
    case .sigmoid: kernels.apply(.logistic, count: pixels * channels, input: source, output: target)
    case .softmax: kernels.softmax(rows: pixels, columns: channels, input: source, beta: 1, output: target)
    }
  }
}
