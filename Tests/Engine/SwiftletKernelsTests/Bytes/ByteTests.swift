@testable import SwiftletKernels
import Testing

@Suite("Byte functions")
struct ByteTests {
  @Test(
    "sums and products are bit-exact with the reference in every form",
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
    "sums have no scales if 32 bits are insufficient",
    arguments: [(0x1p-11, 1), (1, 0x1p-11), (256, 1), (1, 256), (.infinity, 1), (.nan, 1), (1, 0)] as [(Float, Float)])
  func refusesScales(left: Float, right: Float) {
    #expect(ByteKernels.SumScales(left: left, right: right, isDifference: false) == nil)
  }

  @Test(
    "every byte is replaced by its entry, in place or out of place",
    arguments: variants([0, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 95, 96, 97, 300]))
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

  @Test("every byte finds its own entry", arguments: KernelTable.available)
  func allBytes(_ table: KernelTable) {
    let input = GuardedBuffer((0...255).map { UInt8($0) })
    for factor in [1, 3, 255] as [UInt8] {
      let entries = (0...255).map { UInt8($0) &* factor &+ 77 }
      let output = GuardedBuffer<UInt8>(count: 256, repeating: 0)
      table.bytes.lookUp(count: 256, table: entries, input: input.pointer, output: output.pointer)
      #expect(output.values == entries)
    }
  }

  @Test(
    "PRELU is the rounded real result, in every form",
    arguments: variants([0, 1, 5, 8, 16, 17, 31, 33, 63, 64, 65, 130]))
  func parametricRelu(_ table: KernelTable, _ columns: Int) {
    var random = SplitMix(seed: 103)
    let rows = 3
    for isSigned in [true, false] {
      func value(_ byte: UInt8) -> Int { isSigned ? Int(Int8(bitPattern: byte)) : Int(byte) }
      let (lower, upper): (Int32, Int32) = isSigned ? (-128, 127) : (0, 255)
      for form in [ElementwiseKernels.BinaryForm.vectors, .rightScalar] {
        let input = GuardedBuffer(random.integers(rows * columns, in: UInt8.min...UInt8.max))
        // A row of slopes for all rows, or a slope per row.
        let slopes = GuardedBuffer(random.integers(form == .vectors ? columns : rows, in: UInt8.min...UInt8.max))
        let output = GuardedBuffer<UInt8>(count: rows * columns, repeating: 0xA5)
        table.bytes.parametricRelu(
          form: form, rows: rows, columns: columns,
          left: ByteKernels.Operand(pointer: input.pointer, stride: columns, zeroPoint: 11),
          right: ByteKernels.Operand(pointer: slopes.pointer, stride: form == .vectors ? 0 : 1, zeroPoint: 60),
          factor: 0.7, slopeFactor: 0.009, isSigned: isSigned, output: output.pointer, outputStride: columns,
          zeroPoint: 20, lower: lower, upper: upper)
        for index in 0..<rows * columns {
          let x = Double(value(input.pointer[index]) - 11)
          let slope = Double(value(slopes.pointer[form == .vectors ? index % columns : index / columns]) - 60)
          let exact = 20 + (x < 0 ? x * slope * Double(Float(0.009)) : x * Double(Float(0.7)))
          let wanted = min(max(exact, Double(lower)), Double(upper))
          #expect(abs(Double(value(output.pointer[index])) - wanted) <= 0.501, "element \(index)")
        }
      }
    }
  }

  @Test(
    "the maximum and minimum of two bytes, in every form and in place",
    arguments: variants([0, 1, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130]))
  func extremes(_ table: KernelTable, _ columns: Int) {
    var random = SplitMix(seed: 104)
    let rows = 3
    for isSigned in [true, false] {
      func value(_ byte: UInt8) -> Int { isSigned ? Int(Int8(bitPattern: byte)) : Int(byte) }
      for form in [ElementwiseKernels.BinaryForm.vectors, .leftScalar, .rightScalar] {
        for isMaximum in [true, false] {
          let left = random.integers(form == .leftScalar ? rows : rows * columns, in: UInt8.min...UInt8.max)
          let right = random.integers(form == .rightScalar ? rows : rows * columns, in: UInt8.min...UInt8.max)
          let expected = (0..<rows * columns).map { index -> UInt8 in
            let x = left[form == .leftScalar ? index / columns : index]
            let y = right[form == .rightScalar ? index / columns : index]
            return (value(x) > value(y)) == isMaximum ? x : y
          }
          let leftBuffer = GuardedBuffer(left), rightBuffer = GuardedBuffer(right)
          func combine(into output: UnsafeMutablePointer<UInt8>) {
            table.bytes.extreme(
              isMaximum: isMaximum, form: form, rows: rows, columns: columns, left: leftBuffer.pointer,
              leftStride: form == .leftScalar ? 1 : columns, right: rightBuffer.pointer,
              rightStride: form == .rightScalar ? 1 : columns, isSigned: isSigned, output: output, outputStride: columns
            )
          }
          let output = GuardedBuffer<UInt8>(count: rows * columns, repeating: 0xA5)
          combine(into: output.pointer)
          #expect(output.values == expected, "\(form), maximum \(isMaximum), signed \(isSigned)")
          let operand = form == .leftScalar ? rightBuffer : leftBuffer
          combine(into: operand.pointer)
          #expect(operand.values == expected, "in place, \(form)")
        }
      }
    }
  }

  @Test(
    "the position of the extreme byte, where the first of equal bytes wins",
    arguments: variants([1, 2, 4, 5, 8, 15, 16, 17, 21, 33, 64, 100, 1000]))
  func positions(_ table: KernelTable, _ columns: Int) {
    var random = SplitMix(seed: 105)
    let rows = 9
    // Few distinct values, so that there are ties, and rows that only contain the ends of the range.
    var values = random.integers(rows * columns, in: UInt8(125)...UInt8(131))
    for index in 0..<columns {
      values[index] = 0
      values[columns + index] = 255
      values[2 * columns + index] = 128
      values[3 * columns + index] = 127
    }
    let input = GuardedBuffer(values)
    for isSigned in [true, false] {
      for isMaximum in [true, false] {
        let output = GuardedBuffer<Int32>(count: rows, repeating: -1)
        table.bytes.positionsOfExtremes(
          isMaximum: isMaximum, rows: rows, columns: columns, input: input.pointer, isSigned: isSigned,
          output: output.pointer)
        let expected = (0..<rows).map { row -> Int32 in
          let numbers = values[row * columns..<(row + 1) * columns].map {
            isSigned ? Int(Int8(bitPattern: $0)) : Int($0)
          }
          let best = isMaximum ? numbers.max() : numbers.min()
          return Int32(numbers.firstIndex { $0 == best } ?? -1)
        }
        #expect(output.values == expected, "maximum \(isMaximum), signed \(isSigned)")
      }
    }
  }
}
