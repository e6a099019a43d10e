extension KernelReference {
  /// Returns every output of a depthwise convolution as a sum of products over the taps inside the image. `input` and
  /// `weight` return the factors with zero points subtracted.
  package static func depthwise<Value: Numeric>(
    _ geometry: DepthwiseGeometry, outputRows: Int, input: (Int) -> Value, weight: (Int) -> Value,
    bias: (Int) -> Value, store: (_ element: Int, _ channel: Int, _ sum: Value) -> Void
  ) {
    let g = geometry
    for row in 0..<outputRows {
      for column in 0..<g.outputWidth {
        for channel in 0..<g.channels {
          var sum = bias(channel)
          for tapRow in 0..<g.kernelHeight {
            let y = row * g.rowStride - g.paddingTop + tapRow * g.rowDilation
            guard y >= 0, y < g.inputHeight else { continue }
            for tapColumn in 0..<g.kernelWidth {
              let x = column * g.columnStride - g.paddingLeft + tapColumn * g.columnDilation
              guard x >= 0, x < g.inputWidth else { continue }
              sum +=
                input((y * g.inputWidth + x) * g.inputPixelStride + channel / g.multiplier)
                * weight((tapRow * g.kernelWidth + tapColumn) * g.tapStride + channel)
            }
          }
          store((row * g.outputWidth + column) * g.outputPixelStride + channel, channel, sum)
        }
      }
    }
  }
}
