@testable import SwiftletKernels
import Testing

@Suite("Moving elements")
struct MovementTests {
  static let sizes: [(rows: Int, columns: Int)] = [0, 1, 3, 4, 5, 8, 9, 17].flatMap { rows in
    [0, 1, 4, 7, 8, 11, 16, 19].map { (rows, $0) }
  }

  @Test("matrices of 32-bit words and bytes are transposed", arguments: variants(sizes))
  func transposes(_ table: KernelTable, _ size: (rows: Int, columns: Int)) {
    var random = SplitMix(seed: 121)
    let (rows, columns) = size
    let inputStride = columns + 1, outputStride = rows + 2
    let inputCount = rows == 0 || columns == 0 ? 0 : (rows - 1) * inputStride + columns
    let outputCount = rows == 0 || columns == 0 ? 0 : (columns - 1) * outputStride + rows
    let words = GuardedBuffer(random.integers(inputCount, in: UInt32.min...UInt32.max))
    let bytes = GuardedBuffer(random.integers(inputCount, in: UInt8.min...UInt8.max))
    let wordOutput = GuardedBuffer<UInt32>(count: outputCount, repeating: 77)
    let byteOutput = GuardedBuffer<UInt8>(count: outputCount, repeating: 77)
    table.movement.transpose(
      rows: rows, columns: columns, input: words.pointer, inputStride: inputStride, output: wordOutput.pointer,
      outputStride: outputStride)
    table.movement.transpose(
      rows: rows, columns: columns, input: bytes.pointer, inputStride: inputStride, output: byteOutput.pointer,
      outputStride: outputStride)
    for index in 0..<outputCount {
      let row = index % outputStride, column = index / outputStride
      #expect(wordOutput.pointer[index] == (row < rows ? words.pointer[row * inputStride + column] : 77))
      #expect(byteOutput.pointer[index] == (row < rows ? bytes.pointer[row * inputStride + column] : 77))
    }
  }

  @Test("fills exactly the requested number of elements", arguments: variants(Array(0...20)))
  func fills(_ table: KernelTable, _ count: Int) {
    let output = GuardedBuffer<Int32>(count: count, repeating: 0)
    table.movement.fill(count: count, with: -123_456, output: output.pointer)
    #expect(output.values == [Int32](repeating: -123_456, count: count))
  }

  @Test("3-byte pixels become 32-bit words", arguments: variants([0, 1, 2, 3, 50]))
  func padsPixels(_ table: KernelTable, _ count: Int) {
    var random = SplitMix(seed: 122)
    let input = GuardedBuffer(random.integers(count * 3, in: UInt8.min...UInt8.max))
    let output = GuardedBuffer<UInt32>(count: count, repeating: 0)
    table.movement.padPixels(count: count, input: input.pointer, filler: 0xC3, output: output.pointer)
    for pixel in 0..<count {
      let bytes = (0..<3).map { UInt32(input.pointer[pixel * 3 + $0]) }
      #expect(output.pointer[pixel] == bytes[0] | bytes[1] << 8 | bytes[2] << 16 | 0xC300_0000)
    }
  }
}
