@testable import SwiftletKernels
import Testing

@Suite("Functions of two tensors")
struct BinaryTests {
  @Test("every function returns the IEEE result in every form", arguments: variants(BinaryOperation.allCases))
  func ieeeResults(_ table: KernelTable, _ operation: BinaryOperation) {
    var random = SplitMix(seed: 61)
    for columns in [0, 1, 3, 4, 7, 8, 9, 16, 17, 35] {
      for form in [ElementwiseKernels.BinaryForm.vectors, .leftScalar, .rightScalar] {
        let rows = 3, leftStride = form == .leftScalar ? 1 : columns + 1,
          rightStride = form == .rightScalar ? 1 : columns
        var leftValues = random.floats(rows * (columns + 1)), rightValues = random.floats(rows * (columns + 1))
        if columns > 8 {
          leftValues[1] = .nan
          rightValues[2] = .nan
          leftValues[3] = .infinity
          rightValues[4] = 0
        }
        let leftCount = (rows - 1) * leftStride + (form == .leftScalar ? 1 : columns)
        let rightCount = (rows - 1) * rightStride + (form == .rightScalar ? 1 : columns)
        let left = GuardedBuffer(Array(leftValues.prefix(leftCount)))
        let right = GuardedBuffer(Array(rightValues.prefix(rightCount)))
        let outputStride = columns + 2
        let output = GuardedBuffer<Float>(count: max(0, (rows - 1) * outputStride + columns), repeating: -77)
        table.elementwise.combine(
          operation, form: form, rows: rows, columns: columns, left: left.pointer, leftStride: leftStride,
          right: right.pointer, rightStride: rightStride, output: output.pointer, outputStride: outputStride,
          lower: -0.8, upper: 0.9)
        for (index, value) in output.values.enumerated() {
          let row = index / outputStride, column = index % outputStride
          guard column < columns else {
            #expect(value == -77)
            continue
          }
          let exact = KernelReference.combine(
            operation, left.pointer[row * leftStride + (form == .leftScalar ? 0 : column)],
            right.pointer[row * rightStride + (form == .rightScalar ? 0 : column)])
          let expected = exact.isNaN ? exact : min(max(exact, -0.8), 0.9)
          #expect(
            value == expected || (value.isNaN && expected.isNaN), "\(operation) \(form) row \(row) column \(column)")
        }
      }
    }
  }

  @Test("the result may overwrite either operand", arguments: KernelTable.available)
  func inPlace(_ table: KernelTable) {
    var random = SplitMix(seed: 62)
    let left = random.floats(37), right = random.floats(37)
    let first = GuardedBuffer(left), second = GuardedBuffer(right)
    table.elementwise.combine(
      .subtract, form: .vectors, rows: 1, columns: 37, left: UnsafePointer(first.pointer), leftStride: 37, right: right,
      rightStride: 37, output: first.pointer, outputStride: 37)
    table.elementwise.combine(
      .subtract, form: .vectors, rows: 1, columns: 37, left: left, leftStride: 37, right: UnsafePointer(second.pointer),
      rightStride: 37, output: second.pointer, outputStride: 37)
    let expected = zip(left, right).map { $0 - $1 }
    #expect(first.values == expected)
    #expect(second.values == expected)
  }
}
