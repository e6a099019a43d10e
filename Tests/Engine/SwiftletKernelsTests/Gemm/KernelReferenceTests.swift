import Testing

@testable import SwiftletKernels

/// Checks the reference implementations for kernel tests on examples worked out by hand.
@Suite("Reference integer products")
struct KernelReferenceTests {
  @Test("rows at a stride, with column-major weights")
  func rows() {
    func sums(_ bias: [Int32]?) -> [Int32] {
      let input: [UInt8] = [1, 2, 3, 99, 4, 5, 6], weights: [Int8] = [1, 0, -1, 2, 2, 2]
      var sums = [Int32](repeating: 77, count: 4)
      func multiply(_ bias: UnsafePointer<Int32>?) {
        KernelReference.multiply(
          rows: 2, columns: 2, taps: 1, tapDepth: 3, input: input, inputStride: 4, offsets: nil, inputZero: 1,
          weights: weights, columnStride: 3, depthStride: 1, weightZero: 1, bias: bias, sums: &sums)
      }
      if let bias { multiply(bias) } else { multiply(nil) }
      return sums
    }
    // The inputs are 0, 1, 2 and 3, 4, 5; the weights 0, -1, -2 and 1, 1, 1.
    #expect(sums(nil) == [-5, 3, -14, 12])
    #expect(sums([10, 20]) == [5, 23, -4, 32])
  }

  @Test("taps at offsets, with depth-major weights")
  func taps() {
    let input: [Int8] = [1, 2, 3, 4, 5, 6, 7], weights: [Int8] = [1, 10, 2, 20, 3, 30, 4, 40]
    var sums = [Int64](repeating: 77, count: 4)
    KernelReference.multiply(
      rows: 2, columns: 2, taps: 2, tapDepth: 2, input: input, inputStride: 0, offsets: [2, -1, 0, 4] as [Int32],
      inputZero: 1,
      weights: weights, columnStride: 1, depthStride: 2, weightZero: 0, bias: nil, sums: &sums)
    // 2 + 2 × 3; 2 × 1 + 3 × 4 + 4 × 5.
    #expect(sums == [8, 80, 34, 340])
  }

  @Test("depthwise channels")
  func channels() {
    let input: [UInt8] = [1, 2, 3, 4, 5, 6]
    var sums = [Int32](repeating: 77, count: 4)
    KernelReference.depthwise(
      rows: 2, channels: 2, multiplier: 1, taps: 2, input: input, inputZero: 1, offsets: [0, 2, -1, 4] as [Int32],
      weights: [1, 2, 3, 4] as [UInt8], weightZero: 1, bias: [10, 20] as [Int32], sums: &sums)
    // The weights are 0, 1 and 2, 3; the inputs 0, 1 and 2, 3, then 4, 5.
    #expect(sums == [14, 30, 18, 35])
    KernelReference.depthwise(
      rows: 1, channels: 2, multiplier: 2, taps: 1, input: input, inputZero: 1, offsets: [2] as [Int32],
      weights: [1, 2, 3, 4] as [UInt8], weightZero: 1, bias: nil, sums: &sums)
    #expect(sums == [0, 2, 6, 9])
  }
}
