@testable import SwiftletKernels
import Testing

@Suite("Exact requantization")
struct RequantizeTests {
  @Test(
    "vectors equal scalar fixed-point arithmetic for every shift",
    arguments: variants([0, 1, 3, 4, 7, 8, 15, 16, 17, 33, 64, 70]))
  func equalsScalarArithmetic(_ table: KernelTable, _ columns: Int) {
    var random = SplitMix(seed: 31)
    let rows = 5
    var multipliers: [Int32] = [], shifts: [Int32] = []
    for column in 0..<columns {
      multipliers.append(Int32.random(in: 1 << 30...Int32.max, using: &random))
      shifts.append(Int32(column % 63 - 31))
    }
    if columns > 2 {
      multipliers[1] = .max
      multipliers[2] = 0
    }
    var values = random.integers(rows * columns, in: Int32.min...Int32.max)
    for (index, extreme) in ([.min, .max, 0, -1, 1, 2, -2, 3, -3] as [Int32]).enumerated() where index < values.count {
      values[index] = extreme
    }
    for index in values.indices where index % 3 == 0 { values[index] >>= 18 }
    let input = GuardedBuffer(values)
    let multiplierBuffer = GuardedBuffer(multipliers), shiftBuffer = GuardedBuffer(shifts)
    let one = GuardedBuffer<Int32>([1_518_500_250]), minusNine = GuardedBuffer<Int32>([-9])

    for perColumn in [true, false] {
      func expected(_ index: Int, _ zeroPoint: Int32, _ lower: Int32, _ upper: Int32) -> Int32 {
        let factor =
          perColumn
          ? QuantizedMultiplier(multiplier: multipliers[index % columns], shift: shifts[index % columns])
          : QuantizedMultiplier(multiplier: 1_518_500_250, shift: -9)
        return min(max(factor.apply(values[index]) &+ zeroPoint, lower), upper)
      }
      let bytes = GuardedBuffer<Int8>(count: rows * columns, repeating: 0)
      let halves = GuardedBuffer<Int16>(count: rows * columns, repeating: 0)
      table.quantization.requantize(
        rows: rows, columns: columns, input: input.pointer, inputStride: columns,
        multipliers: perColumn && columns > 0 ? multiplierBuffer.pointer : one.pointer,
        shifts: perColumn && columns > 0 ? shiftBuffer.pointer : minusNine.pointer, parameterStride: perColumn ? 1 : 0,
        zeroPoint: -3, lower: -128, upper: 120, toBytes: bytes.pointer, outputStride: columns)
      table.quantization.requantize(
        rows: rows, columns: columns, input: input.pointer, inputStride: columns,
        multipliers: perColumn && columns > 0 ? multiplierBuffer.pointer : one.pointer,
        shifts: perColumn && columns > 0 ? shiftBuffer.pointer : minusNine.pointer, parameterStride: perColumn ? 1 : 0,
        zeroPoint: 0, lower: -32768, upper: 32767, toInt16: halves.pointer, outputStride: columns)
      for index in values.indices {
        #expect(Int32(bytes.pointer[index]) == expected(index, -3, -128, 120), "element \(index)")
        #expect(Int32(halves.pointer[index]) == expected(index, 0, -32768, 32767), "element \(index)")
      }
    }
  }
}
