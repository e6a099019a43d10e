import SwiftletKernels
import Testing

@testable import SwiftletBenchmarks

@Suite("Peak loops of the benchmarks")
struct PeakKernelTests {
  static let sets = KernelTable.available.map(\.name)

  @Test("run the stated number of multiply-adds", arguments: sets)
  func multiplyAdds(set: String) {
    let peak = PeakKernels(set)
    // Every chain computes x * 0.5 + 1 three times, from its own first value.
    var values = [Float](repeating: 0.5, count: peak.valueCount)
    for lane in 0..<peak.lanes { values[peak.lanes + lane] = 1 }
    let count = peak.multiplyAddsPerIteration
    for index in 0..<count { values[2 * peak.lanes + index] = Float(8 * index) }
    peak.multiplyAdd(iterations: 3, values: &values)
    #expect(Array(values[(2 * peak.lanes)...]) == (0..<count).map { Float($0) + 1.75 })
  }

  @Test("run the stated number of int8 products", arguments: sets)
  func dotProducts(set: String) {
    let peak = PeakKernels(set)
    // Every byte is 1, so 16-bit numbers are 257: the sums count the products.
    var values = [Int32](repeating: 0x0101_0101, count: peak.valueCount)
    for index in (2 * peak.lanes)..<values.count { values[index] = 0 }
    peak.dotProduct(iterations: 5, values: &values)
    let sum = values[(2 * peak.lanes)...].reduce(0) { $0 + Int($1) }
    let products = 5 * peak.dotProductMultiplyAddsPerIteration
    #expect(sum == products || sum == products * 257 * 257)
  }

  @Test("read memory once, in whole groups of vectors", arguments: sets)
  func passes(set: String) {
    let peak = PeakKernels(set)
    let count = 24 * peak.lanes + 3
    let input = (0..<count).map { Float($0 % 7) }
    var output = [Float](repeating: -1, count: count)
    input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { peak.scale(input, by: 2, output: $0) }
    }
    #expect(output == input.indices.map { $0 < 24 * peak.lanes ? 2 * input[$0] : -1 })
    #expect(input.withUnsafeBufferPointer { peak.sum($0) } == input[..<(24 * peak.lanes)].reduce(0, +))
  }
}
