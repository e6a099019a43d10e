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
    for channel in 0..<geometry.channels {
      let panel = panels + channel / lanes * panelBytes, lane = channel % lanes
      let first = panel + (2 * vectorBytes + lane * 4), second = first + planeBytes
      var sum: Int32 = 0
      for row in 0..<geometry.kernelHeight {
        for column in 0..<geometry.kernelWidth {
          let source = weights + ((row * geometry.kernelWidth + column) * geometry.tapStride + channel)
          let quantized = isSigned ? Int32(source.load(as: Int8.self)) : Int32(source.load(as: UInt8.self))
          let weight = quantized &- zeroPoint
          let near = min(max(weight, -128), 127)
          sum &+= weight
          if near != weight { (panel + vectorBytes).storeBytes(of: 2, as: Int32.self) }
          for output in 0..<outputs {
            let slot = row + output * shift
            let offset = ((slot / 4 * geometry.kernelWidth + column) * outputs + output) * vectorBytes + slot % 4
            first.storeBytes(of: Int8(near), toByteOffset: offset, as: Int8.self)
            second.storeBytes(of: Int8(truncatingIfNeeded: weight &- near), toByteOffset: offset, as: Int8.self)
          }
        }
      }
      panel.storeBytes(of: sum, toByteOffset: lane * 4, as: Int32.self)
    }
    for panel in 0..<(geometry.channels + lanes - 1) / lanes {
      let planes = panels + (panel * panelBytes + vectorBytes)
      if planes.load(as: Int32.self) == 0 { planes.storeBytes(of: 1, as: Int32.self) }
    }
  }
}
