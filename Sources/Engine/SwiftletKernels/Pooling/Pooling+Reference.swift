extension KernelReference {
  /// Returns the elements of every window of a pooling operator, in row order.
  package static func windows(
    _ g: DepthwiseGeometry, outputRows: Int, _ body: (_ output: Int, _ elements: [Int]) -> Void
  ) {
    for row in 0..<outputRows {
      for column in 0..<g.outputWidth {
        for channel in 0..<g.channels {
          var elements: [Int] = []
          for tapRow in 0..<g.kernelHeight {
            let y = row * g.rowStride - g.paddingTop + tapRow * g.rowDilation
            guard y >= 0, y < g.inputHeight else { continue }
            for tapColumn in 0..<g.kernelWidth {
              let x = column * g.columnStride - g.paddingLeft + tapColumn * g.columnDilation
              guard x >= 0, x < g.inputWidth else { continue }
              elements.append((y * g.inputWidth + x) * g.inputPixelStride + channel)
            }
          }
          body((row * g.outputWidth + column) * g.outputPixelStride + channel, elements)
        }
      }
    }
  }

  /// Returns `sum / count`, rounded half away from zero.
  package static func roundedMean(_ sum: Int, _ count: Int) -> Int {
    sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count
  }
}
