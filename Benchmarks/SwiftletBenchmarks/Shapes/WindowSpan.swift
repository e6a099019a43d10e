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

  /// The pairs of a window element and the input element that it reads, over all positions.
  private var pairs: [(element: Int, input: Int)] {
    (0..<max(0, output)).flatMap { position in
      (0..<window).map { ($0, position * stride - paddingBefore + $0 * dilation) }
        .filter { (0..<input).contains($0.1) }
    }
  }

  /// The number of window elements inside the image, over all positions. Only these have to be multiplied.
  var taps: Int { pairs.count }

  /// The numbers of input elements and of window elements that have to be read.
  var readCounts: (input: Int, window: Int) {
    (Set(pairs.map(\.input)).count, Set(pairs.map(\.element)).count)
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

  /// The window elements of each input element that are inside the output.
  private var elements: [Range<Int>] {
    (0..<input).map { position in
      let start = position * stride - paddingBefore
      let lower = max(0, -start)
      return lower..<max(lower, min(window, output - start))
    }
  }

  /// The number of window elements inside the output, over all input elements.
  var taps: Int { elements.reduce(0) { $0 + $1.count } }

  /// The numbers of input elements and of window elements that have to be read.
  var readCounts: (input: Int, window: Int) {
    (elements.count { !$0.isEmpty }, Set(elements.flatMap(\.self)).count)
  }
}
