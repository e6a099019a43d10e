import Foundation
@testable import SwiftletKernels
import Testing

@Suite("Softmax")
struct SoftmaxTests {
  @Test(
    "rows of any length match double precision, in place and out of place",
    arguments: variants([1, 2, 3, 4, 5, 8, 15, 16, 17, 33, 100, 1001]))
  func agreesWithDoublePrecision(_ table: KernelTable, _ columns: Int) {
    var random = SplitMix(seed: 71)
    let rows = 3, beta: Float = 0.7
    let values = random.floats(rows * columns, in: -30...30)
    let input = GuardedBuffer(values)
    let soft = GuardedBuffer<Float>(count: values.count, repeating: -77)
    let logarithmic = GuardedBuffer<Float>(count: values.count, repeating: -77)
    table.elementwise.softmax(rows: rows, columns: columns, input: input.pointer, beta: beta, output: soft.pointer)
    table.elementwise.logSoftmax(rows: rows, columns: columns, input: input.pointer, output: logarithmic.pointer)
    for row in 0..<rows {
      let line = values[row * columns..<(row + 1) * columns].map(Double.init)
      let largest = line.max() ?? 0
      let sum = line.reduce(0) { $0 + exp(Double(beta) * ($1 - largest)) }
      let plainSum = line.reduce(0) { $0 + exp($1 - largest) }
      for column in 0..<columns {
        let exact = exp(Double(beta) * (line[column] - largest)) / sum
        // The exponent, up to 42, includes the rounding errors of the difference and of the product with beta.
        #expect(abs(Double(soft.pointer[row * columns + column]) - exact) <= exact * 4e-6 + 1e-44)
        let exactLogarithm = line[column] - largest - log(plainSum)
        #expect(abs(Double(logarithmic.pointer[row * columns + column]) - exactLogarithm) <= 1e-5)
      }
    }
    let expected = soft.values
    table.elementwise.softmax(
      rows: rows, columns: columns, input: UnsafePointer(input.pointer), beta: beta, output: input.pointer)
    #expect(input.values == expected)
  }

  @Test("huge, infinite, and equal inputs give finite results", arguments: KernelTable.available)
  func extremes(_ table: KernelTable) {
    let input = GuardedBuffer<Float>([3e38, -3e38, -.infinity, 3e38])
    let output = GuardedBuffer<Float>(count: 4, repeating: 0)
    table.elementwise.softmax(rows: 1, columns: 4, input: input.pointer, beta: 1, output: output.pointer)
    #expect(output.values == [0.5, 0, 0, 0.5])
  }
}
