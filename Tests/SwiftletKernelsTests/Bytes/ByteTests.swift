@testable import SwiftletKernels
import Testing

@Suite("Functions of bytes")
struct ByteTests {
  @Test(
    "sums and products are the rounded real results, in every form",
    arguments: variants([0, 1, 5, 8, 16, 17, 31, 32, 33, 63, 64, 65, 130]))
  func sumsAndProducts(_ table: KernelTable, _ columns: Int) {
    var random = SplitMix(seed: 101)
    let rows = 3
    for isSigned in [true, false] {
      func value(_ byte: UInt8) -> Int { isSigned ? Int(Int8(bitPattern: byte)) : Int(byte) }
      let (lower, upper): (Int32, Int32) = isSigned ? (-120, 127) : (4, 255)
      for form in [ElementwiseKernels.BinaryForm.vectors, .leftScalar, .rightScalar] {
        let leftStride = form == .leftScalar ? 1 : columns, rightStride = form == .rightScalar ? 1 : columns + 1
        let left = GuardedBuffer(
          random.integers(form == .leftScalar ? rows : rows * columns, in: UInt8.min...UInt8.max))
        let right = GuardedBuffer(
          random.integers(
            form == .rightScalar ? rows : max(0, (rows - 1) * rightStride + columns), in: UInt8.min...UInt8.max))
        let leftOperand = ByteKernels.Operand(pointer: left.pointer, stride: leftStride, zeroPoint: 5, scale: 0.37)
        let rightOperand = ByteKernels.Operand(
          pointer: right.pointer, stride: rightStride, zeroPoint: 100, scale: -0.81)
        let sum = GuardedBuffer<UInt8>(count: rows * columns, repeating: 0xA5)
        let product = GuardedBuffer<UInt8>(count: rows * columns, repeating: 0xA5)
        table.bytes.add(
          form: form, rows: rows, columns: columns, left: leftOperand, right: rightOperand, isSigned: isSigned,
          output: sum.pointer, outputStride: columns, zeroPoint: 7, lower: lower, upper: upper)
        table.bytes.multiply(
          form: form, rows: rows, columns: columns, left: leftOperand, right: rightOperand, scale: 0.013,
          isSigned: isSigned, output: product.pointer, outputStride: columns, zeroPoint: 7, lower: lower, upper: upper)
        for index in 0..<rows * columns {
          let row = index / columns, column = index % columns
          let x = value(left.pointer[form == .leftScalar ? row : index])
          let y = value(right.pointer[form == .rightScalar ? row : row * rightStride + column])
          for (isProduct, output) in [(false, sum), (true, product)] {
            let exact = KernelReference.combine(
              x, zeroPoint: 5, scale: isProduct ? 0.013 : 0.37, y, zeroPoint: 100, scale: isProduct ? 1 : -0.81,
              isProduct: isProduct)
            let wanted = min(max(exact + 7, Double(lower)), Double(upper))
            // Rounded to nearest; where it is a tie but for float arithmetic, either way.
            #expect(abs(Double(value(output.pointer[index])) - wanted) <= 0.5001, "element \(index)")
          }
        }
      }
    }
  }

  @Test("every byte is replaced by its entry, also in place", arguments: variants([0, 1, 7, 8, 9, 300]))
  func lookUp(_ table: KernelTable, _ count: Int) {
    var random = SplitMix(seed: 102)
    let entries = random.integers(256, in: UInt8.min...UInt8.max)
    let values = random.integers(count, in: UInt8.min...UInt8.max)
    let input = GuardedBuffer(values), output = GuardedBuffer<UInt8>(count: count, repeating: 0)
    table.bytes.lookUp(count: count, table: entries, input: input.pointer, output: output.pointer)
    let expected = values.map { entries[Int($0)] }
    #expect(output.values == expected)
    table.bytes.lookUp(count: count, table: entries, input: UnsafePointer(input.pointer), output: input.pointer)
    #expect(input.values == expected)
  }
}
