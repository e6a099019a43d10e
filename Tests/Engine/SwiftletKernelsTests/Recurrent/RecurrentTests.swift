@testable import SwiftletKernels
import Testing

@Suite("Integer LSTM")
struct RecurrentTests {
  /// Returns all 16-bit numbers, in an order that is independent of the order of other seeds.
  private func everyNumber(seed: UInt64) -> [Int16] {
    var random = SplitMix(seed: seed)
    return (Int16.min...Int16.max).shuffled(using: &random)
  }

  @Test(
    "cells equal the scalar fixed-point functions for every gate", arguments: variants(Array(Int32(-15)...(-9))))
  func updatesCells(_ table: KernelTable, _ exponent: Int32) {
    // All numbers for the usual scale, and an eighth of them for the other scales.
    func numbers(seed: UInt64) -> [Int16] { Array(everyNumber(seed: seed).prefix(exponent == -11 ? 1 << 16 : 1 << 13)) }
    let input = numbers(seed: 1), forget = numbers(seed: 2), new = numbers(seed: 3), cells = numbers(seed: 4)
    for (isCoupled, limit) in [(false, Int16(0)), (true, 0), (false, 9000)] {
      var result = cells
      input.withUnsafeBufferPointer { input in
        forget.withUnsafeBufferPointer { forget in
          new.withUnsafeBufferPointer { new in
            table.recurrent.updateCells(
              count: cells.count, input: isCoupled ? nil : input.baseAddress, forget: forget.baseAddress!,
              new: new.baseAddress!, cellExponent: exponent, limit: limit, cells: &result)
          }
        }
      }
      let differing = cells.indices.first { index in
        result[index]
          != expectedCell(
            isCoupled ? nil : input[index], forget[index], new[index], cells[index], exponent: exponent, limit: limit)
      }
      #expect(differing == nil)
    }
  }

  private func expectedCell(
    _ input: Int16?, _ forget: Int16, _ new: Int16, _ cell: Int16, exponent: Int32, limit: Int16
  ) -> Int16 {
    let keeping = ShortFixedPoint.logistic(forget, integerBits: 3)
    let admitted = input.map { ShortFixedPoint.logistic($0, integerBits: 3) } ?? (Int16.max - keeping)
    let kept = FixedPoint.roundingDivide(Int32(keeping) * Int32(cell), byPowerOfTwo: 15)
    let added = FixedPoint.roundingDivide(
      Int32(admitted) * Int32(ShortFixedPoint.hyperbolicTangent(new, integerBits: 3)), byPowerOfTwo: 30 + exponent)
    let result = Int16(clamping: kept + added)
    return limit > 0 ? min(max(result, -limit), limit) : result
  }

  @Test(
    "outputs equal the scalar fixed-point functions for every cell",
    arguments: variants(Array(Int32(-15)...(-9))))
  func emits(_ table: KernelTable, _ exponent: Int32) {
    let gate = everyNumber(seed: 5), cells = everyNumber(seed: 6)
    let factor = QuantizedMultiplier(0x1p-23 * 1.37)
    var result = [Int8](repeating: 0, count: cells.count)
    table.recurrent.emit(
      count: cells.count, gate: gate, cells: cells, cellExponent: exponent, factor: factor, zeroPoint: -7,
      into: &result)
    let differing = cells.indices.first { index in
      let tangent = ShortFixedPoint.hyperbolicTangent(cells[index], integerBits: Int(15 + exponent))
      let product = Int32(ShortFixedPoint.logistic(gate[index], integerBits: 3)) * Int32(tangent)
      return result[index] != Int8(clamping: factor.apply(product) &- 7)
    }
    #expect(differing == nil)
    #expect(Set(result).count > 200)
  }

  @Test("sums are rescaled and added like in scalar arithmetic", arguments: variants([0, 1, 7, 8, 16, 19, 64, 70]))
  func rescales(_ table: KernelTable, _ count: Int) {
    var random = SplitMix(seed: 8)
    let sums = random.integers(count, in: -2_000_000...2_000_000 as ClosedRange<Int32>)
    let multipliers = random.integers(count, in: (1 << 30)...Int32.max)
    let shifts = random.integers(count, in: -12...(-5) as ClosedRange<Int32>)
    let addend = random.integers(count, in: Int16.min...Int16.max)
    let result = GuardedBuffer<Int16>(count: max(count, 1), repeating: 0)
    let guarded = (GuardedBuffer(sums), GuardedBuffer(multipliers), GuardedBuffer(shifts), GuardedBuffer(addend))
    table.recurrent.rescale(
      count: count, sums: guarded.0.pointer, multipliers: guarded.1.pointer, shifts: guarded.2.pointer,
      adding: guarded.3.pointer, into: result.pointer)
    for index in 0..<count {
      let factor = QuantizedMultiplier(multiplier: multipliers[index], shift: shifts[index])
      #expect(result.pointer[index] == Int16(clamping: factor.apply(sums[index]) + Int32(addend[index])))
    }
  }

  @Test("nothing past the cells is read or written", arguments: variants([0, 1, 3, 8, 15, 16, 17, 40]))
  func staysInside(_ table: KernelTable, _ count: Int) {
    var random = SplitMix(seed: 9)
    func numbers() -> GuardedBuffer<Int16> { GuardedBuffer(random.integers(count, in: Int16.min...Int16.max)) }
    let input = numbers(), forget = numbers(), new = numbers(), cells = numbers()
    let before = cells.values
    let output = GuardedBuffer<Int8>([Int8](repeating: 0, count: count))
    let factor = QuantizedMultiplier(0x1p-23)
    table.recurrent.updateCells(
      count: count, input: input.pointer, forget: forget.pointer, new: new.pointer, cellExponent: -11, limit: 0,
      cells: cells.pointer)
    table.recurrent.emit(
      count: count, gate: input.pointer, cells: cells.pointer, cellExponent: -11, factor: factor, zeroPoint: 3,
      into: output.pointer)
    for index in 0..<count {
      #expect(
        cells.pointer[index]
          == expectedCell(
            input.pointer[index], forget.pointer[index], new.pointer[index], before[index], exponent: -11, limit: 0))
    }
  }
}
