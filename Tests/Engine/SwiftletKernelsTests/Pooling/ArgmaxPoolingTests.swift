import Testing

@testable import SwiftletKernels

@Suite("Maximum pooling with positions")
struct ArgmaxPoolingTests {
  private static let channelCounts = [1, 7, 8, 9, 16, 21]

  private static let geometries = [
    DepthwiseGeometry(
      inputHeight: 4, inputWidth: 6, outputWidth: 3, channels: 1, kernelHeight: 2, kernelWidth: 2, rowStride: 2,
      columnStride: 2),
    DepthwiseGeometry(
      inputHeight: 5, inputWidth: 4, outputWidth: 4, channels: 1, kernelHeight: 3, kernelWidth: 3, paddingTop: 1,
      paddingLeft: 1),
    DepthwiseGeometry(
      inputHeight: 7, inputWidth: 9, outputWidth: 2, channels: 1, kernelHeight: 2, kernelWidth: 5, rowStride: 3,
      columnStride: 5, paddingLeft: 1),
  ]

  private func rows(_ geometry: DepthwiseGeometry) -> Int {
    (geometry.inputHeight + 2 * geometry.paddingTop - geometry.kernelHeight) / geometry.rowStride + 1
  }

  @Test("the first maximum of each window is found, and written back to its position", arguments: channelCounts)
  func pools(channels: Int) {
    var random = SplitMix(seed: UInt64(channels))
    for var g in Self.geometries {
      (g.channels, g.inputPixelStride, g.outputPixelStride) = (channels, channels, channels)
      let values: [Int] = random.integers(g.inputHeight * g.inputWidth * channels, in: -2...2)
      let image = GuardedBuffer(values.map { $0 == -2 ? Float.nan : Float($0) })
      let written = GuardedBuffer<Float>(count: values.count, repeating: 0)
      var expectedImage = written.values
      for row in 0..<rows(g) {
        let count = g.outputWidth * channels
        let maxima = GuardedBuffer<Float>(count: count, repeating: 9)
        let positions = GuardedBuffer<Float>(count: count, repeating: 9)
        KernelTable.current.pooling.poolWithPositions(
          g, row: row, input: image.pointer, maxima: maxima.pointer, positions: positions.pointer, lower: -0.5,
          upper: 1.5)
        for place in 0..<count {
          let (column, channel) = (place / channels, place % channels)
          var (most, position, source) = (-Float.greatestFiniteMagnitude, Float(0.1), Int?.none)
          for y in 0..<g.kernelHeight {
            for x in 0..<g.kernelWidth {
              let (line, pixel) = (row * g.rowStride - g.paddingTop + y, column * g.columnStride - g.paddingLeft + x)
              guard (0..<g.inputHeight).contains(line), (0..<g.inputWidth).contains(pixel) else { continue }
              let element = (line * g.inputWidth + pixel) * channels + channel
              if image.values[element] > most {
                (most, position, source) = (image.values[element], Float(y * g.kernelWidth + x) + 0.1, element)
              }
            }
          }
          #expect(maxima.values[place] == min(max(most, -0.5), 1.5) && positions.values[place] == position)
          if let source { expectedImage[source] = maxima.values[place] }
        }
        KernelTable.current.pooling.unpool(
          g, row: row, values: maxima.pointer, positions: positions.pointer, into: written.pointer)
      }
      // A window of NaN alone writes to its first element.
      for (index, value) in expectedImage.enumerated() where !image.values[index].isNaN {
        #expect(written.values[index] == value)
      }
    }
  }

  @Test("positions outside the image are ignored, whatever their number", arguments: [1, 8])
  func ignoresOutside(channels: Int) {
    let numbers: [Float] = [.nan, .infinity, -.infinity, 3e9, -3e9, 100, -1, 2.9, -0.9, 1.1]
    for number in numbers {
      let g = DepthwiseGeometry(
        inputHeight: 2, inputWidth: 2, outputWidth: 1, channels: channels, kernelHeight: 2, kernelWidth: 2)
      let values = GuardedBuffer<Float>(count: channels, repeating: 5)
      let positions = GuardedBuffer<Float>(count: channels, repeating: number)
      let image = GuardedBuffer<Float>(count: 4 * channels, repeating: 0)
      KernelTable.current.pooling.unpool(
        g, row: 0, values: values.pointer, positions: positions.pointer, into: image.pointer)
      // Truncated, −0.9 is the first position. −1 is one to the left of it, outside the image.
      let place: Int? = number == 2.9 ? 2 : number == -0.9 ? 0 : number == 1.1 ? 1 : nil
      let expected = (0..<4).flatMap { [Float](repeating: $0 == place ? 5 : 0, count: channels) }
      #expect(image.values == expected, "\(number)")
    }
  }
}
