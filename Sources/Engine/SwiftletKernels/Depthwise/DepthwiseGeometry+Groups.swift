extension DepthwiseGeometry {
  /// Returns the geometry with the number of adjacent pixels whose channels fill vectors together, so that the kernels
  /// of this number of lanes take the least time.
  ///
  ///     3 channels, stride 1        a0 b0 c0 a1 b1 c1 a2 b2 c2 …    5 pixels in 15 of 16 lanes
  ///     1 channel, stride 2         a0 a2 a4 a6 …                   gathered from two vectors of inputs
  ///     2 channels, 3 filters each  a0 a0 a0 b0 b0 b0 a1 a1 a1 …    gathered from one
  ///
  /// - Parameter mostChannels: The maximum number of channels of a group of several pixels, at least `lanes`.
  func grouped(lanes: Int, mostChannels: Int = .max) -> DepthwiseGeometry {
    var geometry = self
    let isDense = inputPixelStride &* multiplier == channels && outputPixelStride == channels
    if lanes != Self.gatheringLanes {
      let isFull = isDense && columnStride == 1 && channels > 0 && channels < lanes && lanes % max(1, channels) == 0
      geometry.pixels = isFull ? lanes / max(1, channels) : 1
      return geometry
    }
    if isDense && channels > 0 && channels < 64 && channels % lanes != 0 && (columnStride == 1 || channels <= 8) {
      // Outputs whose windows are inside the image.
      let first = (max(0, paddingLeft) &+ columnStride &- 1) / max(1, columnStride)
      let reach = inputWidth &- 1 &- (kernelWidth &- 1) &* columnDilation &+ paddingLeft
      let end = reach < 0 ? 0 : min(outputWidth, reach / max(1, columnStride) &+ 1)
      var least = Int.max
      for pixels in 1...16
      where pixels <= max(1, end &- first) && isGroup(pixels, lanes: lanes, mostChannels: mostChannels) {
        let cost = groupCost(pixels, columns: end &- first)
        if cost < least { (least, geometry.pixels) = (cost, pixels) }
      }
    }
    if multiplier > 1 || (columnStride > 1 && geometry.pixels > 1) {
      geometry.gatheredVectors = geometry.span(geometry.pixels) <= lanes ? 1 : 2
    }
    return geometry
  }

  private func isGroup(_ pixels: Int, lanes: Int, mostChannels: Int) -> Bool {
    pixels == 1 || (pixels &* channels <= mostChannels && span(pixels) <= 2 &* lanes)
  }

  /// The lanes of kernels that gather inputs, for multipliers and groups with any stride.
  static let gatheringLanes = 16

  /// The approximate time of a row in groups: a block of four groups takes about twice as long as a group.
  private func groupCost(_ pixels: Int, columns: Int) -> Int {
    let vectors = (pixels &* channels &+ 15) / 16
    let blocks = columns / (4 &* pixels)
    let rest = (columns &- 4 &* pixels &* blocks &+ pixels &- 1) / pixels
    // Gathered inputs take longer, above all from two vectors.
    let factor = columnStride == 1 || pixels == 1 ? 2 : span(pixels) <= 16 ? 3 : 4
    return vectors &* (4 &* blocks &+ (rest > 2 && blocks > 0 ? 4 : 2 &* rest)) &* factor
  }

  /// The index of the input of a channel of a group.
  private func input(_ index: Int) -> Int {
    index / channels &* columnStride &* inputPixelStride &+ index % channels / multiplier
  }

  /// The maximum number of inputs from the first to the last that a vector of channels of a group reads.
  private func span(_ pixels: Int) -> Int {
    let count = pixels &* channels
    if columnStride == 1 || pixels == 1 { return min(16, 16 / multiplier &+ 2) }
    var most = 0
    for start in stride(from: 0, to: count, by: 16) {
      most = max(most, input(min(count, start &+ 16) &- 1) &- input(start) &+ 1)
    }
    return most
  }

  /// Writes the indices of the inputs of all channels of a group.
  func writeInputs(to target: UnsafeMutablePointer<Int32>) {
    var index = 0
    for pixel in 0..<pixels {
      for channel in 0..<channels / max(1, multiplier) {
        let input = Int32(truncatingIfNeeded: pixel &* columnStride &* inputPixelStride &+ channel)
        for _ in 0..<multiplier {
          target[index] = input
          index &+= 1
        }
      }
    }
  }
}
