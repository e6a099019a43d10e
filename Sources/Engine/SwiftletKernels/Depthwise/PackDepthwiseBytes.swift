extension DepthwiseRowPair {
  /// Packs int8 or uint8 weights in vectors of `lanes` channels. Each vector has the sum of its weights, a vector whose
  /// first element is the number of used planes, and two byte planes in the order in which a strip reads them.
  ///
  /// If the zero point isn't 0, weights minus the zero point take nine bits. The part that doesn't fit a signed byte is
  /// in the second plane, which few vectors need.
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
