extension DepthwiseBytePlan {
  /// Packs int8 or uint8 weights. Each panel has the sums of the weights of its vectors, a vector whose first element
  /// is the number of used planes, and two byte planes in the order in which a strip reads them.
  ///
  /// If the zero point isn't 0, weights minus the zero point take nine bits. The part that doesn't fit a signed byte is
  /// in the second plane, which few vectors need.
  func pack(
    _ geometry: DepthwiseGeometry, lanes: Int, weights: UnsafeRawPointer, isSigned: Bool, zeroPoint: Int32,
    into panels: UnsafeMutableRawPointer
  ) {
    let g = geometry, vectorBytes = lanes * 4
    let panelBytes = panelBytes(g), planeBytes = planeVectors(g) * vectorBytes
    panels.initializeMemory(as: UInt8.self, repeating: 0, count: panelCount * panelBytes)
    for index in 0..<panelCount {
      let panel = panels + index &* panelBytes
      var planes: Int32 = 1
      var lane = 0
      while lane < vectors &* lanes {
        // A run of lanes with consecutive channels.
        guard let channel = channel(panel: index, lane: lane, g, lanes: lanes) else { break }
        let count = min(vectors &* lanes &- lane, g.channels &- channel)
        let sums = (panel + lane &* 4).assumingMemoryBound(to: Int32.self)
        for row in 0..<g.kernelHeight {
          for column in 0..<g.kernelWidth {
            let source = weights + ((row &* g.kernelWidth &+ column) &* g.tapStride &+ channel)
            for output in 0..<strip.outputs {
              let slot = row &+ output &* strip.shift
              let vector = ((slot / 4 &* g.kernelWidth &+ column) &* strip.outputs &+ output) &* vectors
              let isBeyond = packDepthwiseTap(
                channels: count, weights: source, isSigned: isSigned, zeroPoint: zeroPoint,
                sums: output == 0 ? sums : nil,
                into: panel + ((vectors &+ 1 &+ vector) &* vectorBytes &+ lane &* 4 &+ slot % 4),
                secondPlane: planeBytes)
              if isBeyond { planes = 2 }
            }
          }
        }
        lane &+= count
      }
      (panel + vectors &* vectorBytes).storeBytes(of: planes, as: Int32.self)
    }
  }
}
