import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Repetition, ranges and sums")
struct RepetitionTests {
  @Test(
    "repeats along every axis",
    arguments: [
      ([1, 2], [1, 2, 1, 2, 3, 4, 3, 4], [2, 4]), ([2, 1], [1, 2, 3, 4, 1, 2, 3, 4], [4, 2]), ([0, 5], [], [0, 10]),
      ([1, 1], [1, 2, 3, 4], [2, 2]),
    ] as [([Int32], [Float], [Int])])
  func repeats(multiples: [Int32], expected: [Float], shape: [Int]) throws {
    let result = try SingleNode(
      .tile, [try .input([Float(1), 2, 3, 4], [2, 2]), .constant(multiples)], gives: [.float32])()
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == shape)
  }

  @Test("repeats up to eight axes at once")
  func repeatsDeeply() throws {
    let ones = [Int](repeating: 1, count: 6)
    let node = SingleNode(
      .tile, [try .input([Int8(1), 2, 3, 4], [2] + ones + [2]), .constant([Int64](repeating: 2, count: 8))],
      gives: [.int8])
    let result = try node()
    #expect(result.shape == [4, 2, 2, 2, 2, 2, 2, 4])
    let expected = (0..<1024).map { (index: Int) -> Int8 in
      let (row, column) = (index / 256 % 2, index % 2)
      return Int8(2 * row + column + 1)
    }
    #expect(try result.values() == expected)
  }

  @Test("rejects inconsistent multiples", arguments: [[1], [1, -1], [1, 1, 1], [.max, .max]] as [[Int64]])
  func refusesMultiples(multiples: [Int64]) throws {
    let node = SingleNode(.tile, [try .input([Float(1), 2], [1, 2]), .constant(multiples)], gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test(
    "broadcasts axes of size 1 and adds leading axes",
    arguments: [
      ([2, 1], [2, 3], [5, 5, 5, 6, 6, 6]), ([1, 2], [3, 2], [5, 6, 5, 6, 5, 6]), ([2], [2, 2], [5, 6, 5, 6]),
      ([2, 1], [2, 0], []),
    ] as [([Int], [Int32], [Int16])])
  func broadcasts(shape: [Int], target: [Int32], expected: [Int16]) throws {
    let result = try SingleNode(
      .broadcastTo, [try .input([Int16(5), 6], shape), try .input(target)], gives: [.int16])()
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == target.map { Int($0) })
  }

  @Test("rejects shapes that it cannot broadcast to", arguments: [[3], [1], [2, 1], [-1]] as [[Int32]])
  func refusesBroadcast(target: [Int32]) throws {
    let node = SingleNode(.broadcastTo, [try .input([Float(5), 6]), .constant(target)], gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test(
    "finds the shape that two shapes broadcast to",
    arguments: [
      ([2, 1, 3], [4, 1], [2, 4, 3]), ([], [5], [5]), ([1], [7], [7]), ([0], [1], [0]),
    ] as [([Int64], [Int64], [Int64])])
  func broadcastsShapes(first: [Int64], second: [Int64], expected: [Int64]) throws {
    let node = SingleNode(.broadcastArgs, [try .input(first), try .input(second)], gives: [.int64])
    #expect(try node().values() == expected)
  }

  @Test("reports sizes that do not broadcast")
  func refusesSizes() throws {
    let node = SingleNode(.broadcastArgs, [try .input([Int32(2), 3]), try .input([Int32(2)])], gives: [.int32])
    let error = #expect(throws: RuntimeError.self) { try node() }
    #expect(error?.code == .invalidInput)
  }

  @Test("fills a shape with a value")
  func fills() throws {
    let result = try SingleNode(.fill, [try .input([Int32(2), 3]), try .input([Float(1.5)], [])], gives: [.float32])()
    #expect(result.shape == [2, 3])
    #expect(try result.values() == [Float](repeating: 1.5, count: 6))
    let negative = SingleNode(.fill, [.constant([Int32(-1)]), .constant([Float(1.5)], [])], gives: [.float32])
    #expect(throws: RuntimeError.self) { try negative() }
  }

  @Test("rejects a fill beyond the tensor limit")
  func refusesGiants() throws {
    let node = SingleNode(.fill, [try .input([Int32.max, .max]), try .input([Float(1)], [])], gives: [.float32])
    let error = #expect(throws: RuntimeError.self) { try node() }
    #expect(error?.code == .limitExceeded)
  }

  @Test(
    "counts from start up to, but not including, the limit",
    arguments: [
      (0, 5, 2, [0, 2, 4]), (5, 0, -2, [5, 3, 1]), (3, 3, 1, []), (-1, 1, 5, [-1]), (.max - 1, .max, 1, [.max - 1]),
    ] as [(Int32, Int32, Int32, [Int32])])
  func counts(start: Int32, limit: Int32, delta: Int32, expected: [Int32]) throws {
    let node = SingleNode(
      .range, [try .input([start], []), .constant([limit], []), .constant([delta], [])], gives: [.int32])
    #expect(try node().values() == expected)
  }

  @Test("counts with fractions")
  func countsFractions() throws {
    let node = SingleNode(
      .range, [.constant([Float(1)], []), try .input([Float(2)], []), .constant([Float(0.3)], [])], gives: [.float32])
    let step: Float = 0.3
    #expect(try node().values() == [1, 1 + step, 1 + step + step, 1 + step + step + step])
  }

  @Test(
    "rejects ranges that never end",
    arguments: [
      (0, 5, 0), (0, 5, -1), (5, 0, 1), (.nan, 1, 1), (0, .infinity, 1), (0, 1, .leastNonzeroMagnitude),
    ] as [(Float, Float, Float)])
  func refusesEndless(start: Float, limit: Float, delta: Float) throws {
    let node = SingleNode(
      .range, [try .input([start], []), .constant([limit], []), .constant([delta], [])], gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test("rejects integer ranges across all of 64 bits")
  func refusesOverflow() throws {
    let node = SingleNode(
      .range, [try .input([Int64.min], []), .constant([Int64.max], []), .constant([Int64(1)], [])], gives: [.int64])
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test(
    "adds up along an axis",
    arguments: [
      (1, false, false, [1, 3, 6, 4, 9, 15]), (1, true, false, [0, 1, 3, 0, 4, 9]),
      (1, false, true, [6, 5, 3, 15, 11, 6]),
      (-1, true, true, [5, 3, 0, 11, 6, 0]), (0, false, false, [1, 2, 3, 5, 7, 9]),
      (0, true, true, [4, 5, 6, 0, 0, 0]),
    ] as [(Int32, Bool, Bool, [Int32])])
  func addsUp(axis: Int32, isExclusive: Bool, isReverse: Bool, expected: [Int32]) throws {
    let node = SingleNode(
      .cumsum, [try .input([Int32(1), 2, 3, 4, 5, 6], [2, 3]), .constant([axis], [])], gives: [.int32],
      options: CumsumOptions.with { [$0.exclusive(isExclusive), $0.reverse(isReverse)] })
    #expect(try node().values() == expected)
  }
}
