import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Slicing")
struct SlicingTests {
  private static let cube = (0..<24).map { Int32($0) }

  /// Options of a strided slice.
  struct Masks: Sendable {
    var begin: Int32 = 0
    var end: Int32 = 0
    var ellipsis: Int32 = 0
    var newAxis: Int32 = 0
    var shrink: Int32 = 0
    var isEndRelative = false
  }

  private func slice(
    _ begin: [Int32], _ end: [Int32], _ strides: [Int32], _ masks: Masks = Masks(), shape: [Int] = [2, 3, 4]
  ) throws -> Tensor {
    let values = Array(Self.cube.prefix(shape.reduce(1, *)))
    return try SingleNode(
      .stridedSlice, [try .input(values, shape), .constant(begin), .constant(end), .constant(strides)], gives: [.int32],
      options: StridedSliceOptions.with {
        [
          $0.beginMask(masks.begin), $0.endMask(masks.end), $0.ellipsisMask(masks.ellipsis),
          $0.newAxisMask(masks.newAxis), $0.shrinkAxisMask(masks.shrink), $0.offset(masks.isEndRelative),
        ]
      })()
  }

  @Test(
    "supports positive and negative strides, and clamps to the axis",
    arguments: [
      ([1, 0, 0], [2, 3, 4], [1, 2, 3], [12, 15, 20, 23], [1, 2, 2]),
      ([-1, -1, -1], [-9, -9, -9], [-1, -2, -3], [23, 20, 15, 12, 11, 8, 3, 0], [2, 2, 2]),
      ([0, 0, 2], [99, 1, 99], [1, 1, 1], [2, 3, 14, 15], [2, 1, 2]),
      ([-99, 2, 3], [1, -99, 0], [1, -1, -1], [11, 10, 9, 7, 6, 5, 3, 2, 1], [1, 3, 3]),
      ([1], [2], [1], [12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23], [1, 3, 4]),
      ([1, 2, 0], [1, 1, 4], [1, 1, 1], [], [0, 0, 4]),
    ] as [([Int32], [Int32], [Int32], [Int32], [Int])])
  func takesSteps(begin: [Int32], end: [Int32], strides: [Int32], expected: [Int32], size: [Int]) throws {
    let result = try slice(begin, end, strides)
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == size)
  }

  @Test(
    "interprets its masks like the reference",
    arguments: [
      (
        [9, 1, 9], [9, 9, 9], [1, 1, -1], Masks(begin: 5, end: 5),
        [7, 6, 5, 4, 11, 10, 9, 8, 19, 18, 17, 16, 23, 22, 21, 20], [2, 2, 4]
      ),
      ([1, -1], [0, 0], [1, 1], Masks(shrink: 3), [20, 21, 22, 23], [4]),
      (
        [0, 1], [0, 0], [1, 1], Masks(newAxis: 1, shrink: 2), [12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23],
        [1, 3, 4]
      ),
      ([0, -1], [0, 0], [1, 1], Masks(ellipsis: 1, shrink: 2), [3, 7, 11, 15, 19, 23], [2, 3]),
      ([1, 0, 0, 1], [2, 0, 0, 2], [1, 1, 1, 1], Masks(ellipsis: 2, newAxis: 4), [13, 17, 21], [1, 3, 1, 1]),
      ([0, 1, 0], [1, 2, 2], [1, 1, 1], Masks(isEndRelative: true), [4, 5, 8, 9], [1, 2, 2]),
    ] as [([Int32], [Int32], [Int32], Masks, [Int32], [Int])])
  func readsMasks(begin: [Int32], end: [Int32], strides: [Int32], masks: Masks, expected: [Int32], size: [Int]) throws {
    let result = try slice(begin, end, strides, masks)
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == size)
  }

  @Test("selects one element at a negative index, whatever the stride")
  func shrinksBackwards() throws {
    #expect(try slice([-1], [0], [-1], Masks(shrink: 1), shape: [3]).values() == [Int32(2)])
  }

  @Test("an empty ellipsis consumes an axis, as in the reference")
  func ellipsisTakesAnAxis() throws {
    let result = try slice([0, 1], [0, 2], [1, 1], Masks(ellipsis: 1), shape: [3])
    #expect(try result.values() == [Int32(0), 1, 2])
  }

  @Test(
    "rejects a stride of 0, two ellipses, an index out of range, and too many positions",
    arguments: [
      ([0], [1], [0], Masks()), ([0], [1], [.min], Masks()), ([5], [6], [1], Masks(shrink: 1)),
      ([0, 0], [1, 1], [1, 1], Masks(ellipsis: 3)), ([0, 0], [1], [1], Masks()),
      (Array(repeating: 0, count: 32), Array(repeating: 1, count: 32), Array(repeating: 1, count: 32), Masks()),
    ] as [([Int32], [Int32], [Int32], Masks)])
  func refuses(begin: [Int32], end: [Int32], strides: [Int32], masks: Masks) {
    #expect(throws: RuntimeError.self) { try slice(begin, end, strides, masks) }
  }

  @Test(
    "extracts a box, to the end if its size is -1",
    arguments: [
      ([0, 1, 2], [2, 1, -1], [6, 7, 18, 19], [2, 1, 2]), ([0, 0, 0], [-1, -1, -1], cube, [2, 3, 4]),
      ([1, 3, 0], [1, 0, 2], [], [1, 0, 2]),
    ] as [([Int32], [Int32], [Int32], [Int])])
  func cutsBox(begin: [Int32], size: [Int32], expected: [Int32], shape: [Int]) throws {
    let result = try SingleNode(
      .slice, [try .input(Self.cube, [2, 3, 4]), .constant(begin), .constant(size)], gives: [.int32])()
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == shape)
  }

  @Test(
    "rejects boxes outside the input",
    arguments: [
      ([0, 0], [1, 4]), ([0, 2], [1, 2]), ([-1, 0], [1, 1]), ([0, 0], [-2, 1]), ([0], [1]), ([.max, 0], [.max, 1]),
      ([3, 0], [-1, 1]),
    ] as [([Int64], [Int64])])
  func refusesBox(begin: [Int64], size: [Int64]) throws {
    let node = SingleNode(
      .slice, [try .input([Float](repeating: 0, count: 6), [2, 3]), .constant(begin), .constant(size)],
      gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }
}
