@testable import SwiftletKernels
import Testing

@Suite("Winograd transforms")
struct WinogradTests {
  static let sizes: [(channels: Int, rows: Int, columns: Int)] = [1, 3, 8, 15, 16, 17, 33, 48].flatMap { channels in
    [(4, 4), (1, 4), (3, 2), (2, 1)].map { (channels, $0.0, $0.1) }
  }

  @Test("a tile's frequencies times a filter's are the sums over the filter", arguments: variants(sizes))
  func convolves(_ table: KernelTable, _ size: (channels: Int, rows: Int, columns: Int)) {
    var random = SplitMix(seed: 131)
    let channels = size.channels, pixelStride = channels + 3, rowStride = 6 * pixelStride + 5
    let pixels = GuardedBuffer(random.floats(5 * rowStride + 5 * pixelStride + channels))
    let filter = random.floats(9 * channels), biases = GuardedBuffer(random.floats(channels))
    let scratch = GuardedBuffer<UInt8>(count: WinogradKernels.scratchBytes, repeating: 0)
    let planeStride = channels + 2
    let planes = GuardedBuffer<Float>(count: 35 * planeStride + channels, repeating: -77)
    table.winograd.transformInput(
      channels: channels, input: pixels.pointer, rowStride: rowStride, pixelStride: pixelStride,
      scratch: UnsafeMutableRawPointer(scratch.pointer), output: planes.pointer, planeStride: planeStride)
    for frequency in 0..<36 {
      let factors = WinogradKernels.filterFactors(frequency: frequency)
      for channel in 0..<channels {
        let weight = (0..<9).reduce(Float(0)) { $0 + factors[$1] * filter[$1 * channels + channel] }
        planes.pointer[frequency * planeStride + channel] *= weight
      }
    }
    let resultStride = 4 * channels + 1
    let results = GuardedBuffer<Float>(
      count: (size.rows - 1) * resultStride + size.columns * channels, repeating: -77)
    table.winograd.transformOutput(
      channels: channels, input: planes.pointer, planeStride: planeStride, bias: biases.pointer, lower: -0.5, upper: 2,
      scratch: UnsafeMutableRawPointer(scratch.pointer), output: results.pointer, rowStride: resultStride,
      pixelStride: channels, rows: size.rows, columns: size.columns)
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        for channel in 0..<channels {
          var sum = Double(biases.pointer[channel])
          for tap in 0..<9 {
            let pixel = pixels.pointer[(row + tap / 3) * rowStride + (column + tap % 3) * pixelStride + channel]
            sum += Double(pixel) * Double(filter[tap * channels + channel])
          }
          let result = Double(results.pointer[row * resultStride + column * channels + channel])
          #expect(abs(result - min(2, max(-0.5, sum))) < 4e-5)
        }
      }
    }
    // The elements between two rows of results stay unchanged.
    if size.rows > 1 { #expect(results.pointer[resultStride - 1] == -77) }
  }

  @Test("the factors of a filter of ones are the products of its sides' sums")
  func factors() {
    #expect(WinogradKernels.filterFactors(frequency: 0) == [Float(1) / 16, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(WinogradKernels.filterFactors(frequency: 35) == [0, 0, 0, 0, 0, 0, 0, 0, 1])
    #expect(abs(WinogradKernels.filterFactors(frequency: 7).reduce(0, +) - 0.25) < 1e-6)
  }
}
