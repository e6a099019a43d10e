@testable import SwiftletKernels
import Testing

@Suite("Functions of bytes")
struct ByteTests {
  @Test(
    "sums and products have the reference's bits, in every form",
    arguments: variants([0, 1, 5, 8, 16, 17, 31, 32, 33, 63, 64, 65, 130]))
  func sumsAndProducts(_ table: KernelTable, _ columns: Int) throws {
    var random = SplitMix(seed: 101)
    let rows = 3
    let scales = [
      try #require(ByteKernels.SumScales(left: 0.37, right: 0.81, isDifference: true)),
      try #require(ByteKernels.SumScales(left: 0.5, right: 1.5, isDifference: false)),
      try #require(ByteKernels.SumScales(left: 0x1p-10, right: 255, isDifference: false)),
    ]
    for (isSigned, scales) in [true, false].flatMap({ isSigned in scales.map { (isSigned, $0) } }) {
      func value(_ byte: UInt8) -> Int { isSigned ? Int(Int8(bitPattern: byte)) : Int(byte) }
      let (lower, upper): (Int32, Int32) = isSigned ? (-120, 127) : (4, 255)
      for form in [ElementwiseKernels.BinaryForm.vectors, .leftScalar, .rightScalar] {
        let leftStride = form == .leftScalar ? 1 : columns, rightStride = form == .rightScalar ? 1 : columns + 1
        let left = GuardedBuffer(
          random.integers(form == .leftScalar ? rows : rows * columns, in: UInt8.min...UInt8.max))
        let right = GuardedBuffer(
          random.integers(
            form == .rightScalar ? rows : max(0, (rows - 1) * rightStride + columns), in: UInt8.min...UInt8.max))
        let leftOperand = ByteKernels.Operand(pointer: left.pointer, stride: leftStride, zeroPoint: 5)
        let rightOperand = ByteKernels.Operand(pointer: right.pointer, stride: rightStride, zeroPoint: 100)
        let sum = GuardedBuffer<UInt8>(count: rows * columns, repeating: 0xA5)
        let product = GuardedBuffer<UInt8>(count: rows * columns, repeating: 0xA5)
        table.bytes.add(
          form: form, rows: rows, columns: columns, left: leftOperand, right: rightOperand, scales: scales,
          isSigned: isSigned, output: sum.pointer, outputStride: columns, zeroPoint: 7, lower: lower, upper: upper)
        table.bytes.multiply(
          form: form, rows: rows, columns: columns, left: leftOperand, right: rightOperand, factor: 0.0125,
          isSigned: isSigned, output: product.pointer, outputStride: columns, zeroPoint: 7, lower: lower, upper: upper)
        for index in 0..<rows * columns {
          let row = index / columns, column = index % columns
          let x = value(left.pointer[form == .leftScalar ? row : index])
          let y = value(right.pointer[form == .rightScalar ? row : row * rightStride + column])
          let expectedSum = KernelReference.add(x, zeroPoint: 5, y, zeroPoint: 100, scales: scales)
          let expectedProduct = KernelReference.multiply(x, zeroPoint: 5, y, zeroPoint: 100, factor: 0.0125)
          #expect(value(sum.pointer[index]) == min(max(expectedSum + 7, Int(lower)), Int(upper)), "sum \(index)")
          #expect(
            value(product.pointer[index]) == min(max(expectedProduct + 7, Int(lower)), Int(upper)), "product \(index)")
        }
      }
    }
  }

  @Test(
    "sums have no scales where 32 bits are too few",
    arguments: [(0x1p-11, 1), (1, 0x1p-11), (256, 1), (1, 256), (.infinity, 1), (.nan, 1), (1, 0)] as [(Float, Float)])
  func refusesScales(left: Float, right: Float) {
    #expect(ByteKernels.SumScales(left: left, right: right, isDifference: false) == nil)
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
