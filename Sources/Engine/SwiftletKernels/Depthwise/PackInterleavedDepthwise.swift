extension InterleavedDepthwisePlan {
  /// Packs byte weights. As in `DepthwiseRowPair.pack`, what is beyond a signed byte is in a second plane.
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
      for byte in 0..<chunkBytes {
        let channel = (firstChannel + byte) % g.channels
        let quarter = byte / 4 % 4, lane = byte / 16 * 4 + byte % 4
        let first = panel + ((5 * chunkBytes) + quarter * 2 * planeBytes + lane * 4)
        var sum: Int32 = 0
        for row in 0..<g.kernelHeight {
          for column in 0..<g.kernelWidth {
            let source = weights + ((row * g.kernelWidth + column) * g.tapStride + channel)
            let quantized = isSigned ? Int32(source.load(as: Int8.self)) : Int32(source.load(as: UInt8.self))
            let weight = quantized &- zeroPoint
            let near = min(max(weight, -128), 127)
            sum &+= weight
            if near != weight { planes = 2 }
            for output in 0..<strip.outputs {
              let slot = row + output * strip.shift
              let offset = (column * strip.outputs + output) * chunkBytes + slot
              first.storeBytes(of: Int8(near), toByteOffset: offset, as: Int8.self)
              first.storeBytes(
                of: Int8(truncatingIfNeeded: weight &- near), toByteOffset: planeBytes + offset, as: Int8.self)
            }
          }
        }
        panel.storeBytes(of: sum, toByteOffset: (1 + quarter) * chunkBytes + lane * 4, as: Int32.self)
      }
      panel.storeBytes(of: planes, as: Int32.self)
    }
  }
}
