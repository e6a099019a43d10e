extension DepthwiseGeometry {
  /// Bytes before, between, and after the planes of partial results: twice the largest vector.
  @inline(__always)
  package static var poolingSlack: Int { 128 }

  /// The number of groups of nine taps whose places are kept for an average of floats.
  @inline(__always)
  package static var locatedGroups: Int { 63 }

  /// Returns the number of image columns that the windows of `count` adjacent output pixels cover.
  @inline(__always)
  package func pooledColumns(_ count: Int) -> Int { (count &- 1) &* columnStride &+ kernelWidth }

  /// Returns the number of output pixels that a vector of `lanes` contiguous elements contains, at least 1.
  @inline(__always)
  package func outputPixels(inVectorOf lanes: Int) -> Int {
    var count = 1
    while inputPixelStride == channels && (count &* columnStride &+ 1) &* channels <= lanes { count &+= 1 }
    return count
  }

  /// Returns the number of output pixels from `column` on whose windows have the same columns inside the image; at
  /// least 1.
  @inline(__always)
  package func equalWindows(from column: Int) -> Int {
    let left = column &* columnStride &- paddingLeft
    let room = inputWidth &- left &- ((kernelWidth &- 1) &* columnDilation &+ 1)
    // With this divisor, the compiler knows that the division can't trap.
    return left < 0 || room < 0 ? 1 : min(room / max(1, columnStride) &+ 1, outputWidth &- column)
  }
}
