extension InterleavedDepthwisePlan {
  /// Packs int8 or uint8 weights. As in `DepthwiseRowPair.pack`, the part that doesn't fit a signed byte is in a second
  /// plane.
  func pack(
    _ g: DepthwiseGeometry, weights: UnsafeRawPointer, isSigned: Bool, zeroPoint: Int32,
    into panels: UnsafeMutableRawPointer
  ) {
    let panelBytes = panelBytes(g), planeBytes = planeVectors(g) * chunkBytes
    panels.initializeMemory(as: UInt8.self, repeating: 0, count: panelCount * panelBytes)
    for index in 0..<panelCount {
      let panel = panels + index * panelBytes
      let firstChannel = firstChannel(panel: index, channels: g.channels)
      var planes: Int32 = 1
      // Chunks and channels come in groups of four, which are adjacent.
      for four in 0..<chunkBytes / 4 {
        let channel = (firstChannel &+ 4 &* four) % g.channels
        let quarter = four % 4, firstByte = four / 4 &* 16
        let first = panel + (5 &* chunkBytes &+ quarter &* 2 &* planeBytes &+ firstByte)
        let sums = (panel + ((1 &+ quarter) &* chunkBytes &+ firstByte)).assumingMemoryBound(to: Int32.self)
        for row in 0..<g.kernelHeight {
          for column in 0..<g.kernelWidth {
            let source = weights + ((row &* g.kernelWidth &+ column) &* g.tapStride &+ channel)
            for output in 0..<strip.outputs {
              let offset = (column &* strip.outputs &+ output) &* chunkBytes &+ row &+ output &* strip.shift
              let isBeyond = packDepthwiseTap(
                channels: 4, weights: source, isSigned: isSigned, zeroPoint: zeroPoint, sums: output == 0 ? sums : nil,
                into: first + offset, secondPlane: planeBytes)
              if isBeyond { planes = 2 }
            }
          }
        }
      }
      panel.storeBytes(of: planes, as: Int32.self)
    }
  }
}
