import SwiftletKernels
import Testing

@Suite("Peak loops")
struct PeakTests {
  @Test("run the declared number of multiply-adds", arguments: KernelTable.available.map(\.name))
  func multiplyAdds(variant: String) throws {
    let peak = try #require(KernelTable.named(variant)).peak
    // Every chain computes x * 0.5 + 1 three times, from its own first value.
    var input = [Float](repeating: 0.5, count: 14 * peak.lanes)
    for lane in 0..<peak.lanes { input[peak.lanes + lane] = 1 }
    for index in 0..<(12 * peak.lanes) { input[2 * peak.lanes + index] = Float(8 * index) }
    var output = [Float](repeating: .nan, count: 12 * peak.lanes)
    peak.multiplyAdd(iterations: 3, input: input, output: &output)
    #expect(output == (0..<(12 * peak.lanes)).map { Float($0) + 1.75 })
  }

  @Test("run the declared number of int8 multiplications", arguments: KernelTable.available.map(\.name))
  func dotProducts(variant: String) throws {
    let peak = try #require(KernelTable.named(variant)).peak
    let bytes = 4 * peak.lanes
    // Numbers that are the same in signed and unsigned bytes, because CPUs multiply one or the other.
    let input = (0..<(6 * bytes)).map { UInt8(truncatingIfNeeded: ($0 * 37 + 200) % 128) }
    let weights = (0..<(16 * bytes)).map { Int8(truncatingIfNeeded: $0 * 29 - 60) }
    var output = [Int32](repeating: -1, count: 12 * peak.lanes)
    // More than one round through the weights.
    peak.dotProduct(iterations: 11, input: input, weights: weights, output: &output)
    for vector in 0..<(2 * peak.dotProductInputs) {
      for lane in 0..<peak.lanes {
        var sum: Int32 = 0
        for iteration in 0..<11 {
          for byte in 0..<4 {
            let place = lane * 4 + byte
            sum +=
              Int32(input[vector / 2 * bytes + place])
              * Int32(weights[(iteration % 8 * 2 + vector % 2) * bytes + place])
          }
        }
        #expect(output[vector * peak.lanes + lane] == sum, "vector \(vector), lane \(lane)")
      }
    }
  }

  @Test("pass over memory once, in whole groups of vectors", arguments: KernelTable.available.map(\.name))
  func passes(variant: String) throws {
    let peak = try #require(KernelTable.named(variant)).peak
    let count = 24 * peak.lanes + 3
    let input = (0..<count).map(Float.init)
    var output = [Float](repeating: -1, count: count)
    peak.scale(count: count, by: 2, input: input, output: &output)
    #expect(output == input.indices.map { $0 < 24 * peak.lanes ? 2 * Float($0) : -1 })
    var sums = [Float](repeating: -1, count: 8 * peak.lanes)
    peak.sum(count: count, input: input, output: &sums)
    #expect(sums == sums.indices.map { Float(3 * $0 + 24 * peak.lanes) })
  }
}
