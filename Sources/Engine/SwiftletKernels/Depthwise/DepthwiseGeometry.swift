/// The window of a depthwise convolution over one image, in pixels, and the distances in memory, in elements.
///
/// All fields are `Int`, in this order: kernels receive a pointer to it.
package struct DepthwiseGeometry: Sendable {
  package var inputHeight: Int
  package var inputWidth: Int
  package var outputWidth: Int
  /// Output channels to compute; fewer than the image has, with moved pointers, to share the work out.
  package var channels: Int
  package var kernelHeight: Int
  package var kernelWidth: Int
  package var rowStride: Int
  package var columnStride: Int
  package var rowDilation: Int
  package var columnDilation: Int
  /// Rows and columns of padding before the image; what lies outside the image contributes nothing.
  package var paddingTop: Int
  package var paddingLeft: Int
  /// From one pixel to the next, in the input and in the output: their number of channels.
  package var inputPixelStride: Int
  package var outputPixelStride: Int
  /// From one tap's weights to the next: the number of channels of the filter.
  package var tapStride: Int
  /// Filters per input channel. Only the kernels for bytes, and those that gather floats, support more than one.
  package var multiplier: Int
  /// The number of adjacent pixels whose channels fill vectors together. Float kernels compute them with a repeated
  /// filter.
  package var pixels = 1
  /// The number of vectors of inputs from which float kernels gather a vector of channels, or 0 if channels read
  /// consecutive inputs.
  package var gatheredVectors = 0

  package init(
    inputHeight: Int, inputWidth: Int, outputWidth: Int, channels: Int, kernelHeight: Int, kernelWidth: Int,
    rowStride: Int = 1, columnStride: Int = 1, rowDilation: Int = 1, columnDilation: Int = 1, paddingTop: Int = 0,
    paddingLeft: Int = 0, multiplier: Int = 1
  ) {
    self.inputHeight = inputHeight
    self.inputWidth = inputWidth
    self.outputWidth = outputWidth
    self.channels = channels
    self.kernelHeight = kernelHeight
    self.kernelWidth = kernelWidth
    self.rowStride = rowStride
    self.columnStride = columnStride
    self.rowDilation = rowDilation
    self.columnDilation = columnDilation
    self.paddingTop = paddingTop
    self.paddingLeft = paddingLeft
    self.multiplier = multiplier
    inputPixelStride = channels / multiplier
    outputPixelStride = channels
    tapStride = channels
  }
}

extension DepthwiseGeometry {
  /// The taps whose input, from `first` on at distances of `dilation`, lies within `0 ..< size`.
  @inline(__always)
  package static func taps(_ count: Int, from first: Int, dilation: Int, size: Int) -> (lower: Int, upper: Int) {
    var lower = 0
    while lower < count && first &+ lower &* dilation < 0 { lower &+= 1 }
    var upper = count
    while upper > lower && first &+ (upper &- 1) &* dilation >= size { upper &-= 1 }
    return (lower, upper)
  }
}
