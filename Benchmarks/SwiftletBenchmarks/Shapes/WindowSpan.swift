import SwiftletSchema

/// A window that moves along one axis of an image, and the number of its elements that are inside the image.
struct WindowSpan: Hashable, Sendable {
  var input: Int
  var window: Int
  var stride = 1
  var dilation = 1
  var padding = WindowPadding.same

  /// The number of positions of the window, which is not positive if it doesn't fit.
  var output: Int {
    padding == .same ? (input + stride - 1) / stride : (input - extent + stride) / stride
  }

  private var extent: Int { (window - 1) * dilation + 1 }

  private var paddingBefore: Int {
    padding == .same ? max(0, (output - 1) * stride + extent - input) / 2 : 0
  }

  /// The number of window elements inside the image, over all positions. Only these have to be multiplied.
  var taps: Int {
    (0..<max(0, output)).reduce(0) { sum, position in
      let start = position * stride - paddingBefore
      return sum + (0..<window).count { (0..<input).contains(start + $0 * dilation) }
    }
  }
}

/// A window of a transposed convolution along one axis: each input element adds the window to the output.
struct TransposedSpan: Hashable, Sendable {
  var input: Int
  var window: Int
  var stride = 1
  var padding = WindowPadding.same

  var output: Int { input * stride + (padding == .same ? 0 : max(0, window - stride)) }

  private var paddingBefore: Int { padding == .same ? max(0, window - stride) / 2 : 0 }

  /// The number of window elements inside the output, over all input elements.
  var taps: Int {
    (0..<input).reduce(0) { sum, position in
      let start = position * stride - paddingBefore
      return sum + max(0, min(start + window, output) - max(start, 0))
    }
  }
}
