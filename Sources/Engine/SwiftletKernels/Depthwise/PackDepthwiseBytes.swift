extension DepthwiseRowPair {
  /// Packs byte weights for `lanes` channels a vector: for each of them the sum of its weights, a vector whose first
  /// number tells how many planes count, and two planes of bytes in the order in which a strip reads them.
  ///
  /// Weights less their zero point take nine bits where the zero point is not 0: what is beyond a signed byte is in the
  /// second plane, which few vectors of channels need.
  func pack(
    _ geometry: DepthwiseGeometry, lanes: Int, weights: UnsafeRawPointer, isSigned: Bool, zeroPoint: Int32,
    into panels: UnsafeMutableRawPointer
  ) {
    let vectorBytes = lanes * 4
    let panelBytes = panelVectors(kernelWidth: geometry.kernelWidth) * vectorBytes
    let planeBytes = planeVectors(kernelWidth: geometry.kernelWidth) * vectorBytes
    panels.initializeMemory(
      as: UInt8.self, repeating: 0, count: (geometry.channels + lanes - 1) / lanes * panelBytes)
    var panel = panels, channel = 0
    while channel < geometry.channels {
      var planes: Int32 = 1
      let sums = panel.assumingMemoryBound(to: Int32.self)
      for row in 0..<geometry.kernelHeight {
        for column in 0..<geometry.kernelWidth {
          let source = weights + ((row &* geometry.kernelWidth &+ column) &* geometry.tapStride &+ channel)
          for output in 0..<outputs {
            let slot = row &+ output &* shift
            let vector = (slot / 4 &* geometry.kernelWidth &+ column) &* outputs &+ output
            let isBeyond = packDepthwiseTap(
              channels: min(lanes, geometry.channels &- channel), weights: source, isSigned: isSigned,
              zeroPoint: zeroPoint, sums: output == 0 ? sums : nil,
              into: panel + ((2 &+ vector) &* vectorBytes &+ slot % 4), secondPlane: planeBytes)
            if isBeyond { planes = 2 }
          }
        }
      }
      (panel + vectorBytes).storeBytes(of: planes, as: Int32.self)
      panel += panelBytes
      channel &+= lanes
    }
  }
}
