extension BoxDecoder {
  /// The decoder of a detector of BlazeFace's family with one class: anchors of fixed size, x before y, sigmoid scores.
  ///
  /// - Parameters:
  ///   - interpolatedAspectRatio: 1 for two anchors a layer and cell, 0 for one.
  ///   - scale: what raw numbers are divided by; `nil` for the width of the input.
  /// - Throws: `TaskError` for strides without meaning.
  /// - Source: the constants of MediaPipe's published face, palm and pose detectors.
  static func blaze(
    inputWidth: Int, inputHeight: Int, strides: [Int], keypointCount: Int, interpolatedAspectRatio: Float = 1,
    scale: Float? = nil
  ) throws(TaskError) -> BoxDecoder {
    let anchors = try SSDAnchorLayout(
      inputWidth: inputWidth, inputHeight: inputHeight, strides: strides, minimumScale: 0.1484375, maximumScale: 0.75,
      aspectRatios: [1], interpolatedAspectRatio: interpolatedAspectRatio, hasFixedSize: true
    ).anchors()
    let scale = scale ?? Float(inputWidth)
    return BoxDecoder(
      anchors: anchors, classCount: 1, coordinateCount: 4 + 2 * keypointCount, keypointCount: keypointCount,
      format: .centerXYWidthHeight, xScale: scale, yScale: scale, widthScale: scale, heightScale: scale,
      appliesSigmoid: true, scoreClip: 100)
  }
}
