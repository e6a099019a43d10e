import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Scattering")
struct ScatteringTests {
  @Test("adds updates at index vectors")
  func scatters() throws {
    let node = SingleNode(
      .scatterND,
      [
        try .input([Int32(2), 0, 2], [3, 1]), try .input([Float(1), 2, 3, 4, 5, 6], [3, 2]), try .input([Int32(3), 2]),
      ],
      gives: [.float32])
    #expect(try node().values() == [Float(3), 4, 0, 0, 6, 8])
  }

  @Test("wraps integers and combines bools in colliding updates")
  func meets() throws {
    let bytes = SingleNode(
      .scatterND, [.constant([Int32(0), 0], [2, 1]), try .input([Int8(100), 100]), .constant([Int32(1)])],
      gives: [.int8])
    #expect(try bytes().values() == [Int8(-56)])
    let truths = SingleNode(
      .scatterND, [.constant([Int32(0), 0], [2, 1]), try .input([true, true]), .constant([Int32(2)])], gives: [.bool])
    #expect(try truths().values() == [true, false])
  }

  @Test(
    "rejects updates that are inconsistent or out of range",
    arguments: [
      ([3], [1, 1], [3, 2]), ([-1], [1, 1], [3, 2]), ([0], [1, 1], [3, 3]), ([0, 0, 0], [1, 3], [3, 2]),
      ([0], [1], [3, 2]), ([0], [1, 1], [3, -2]),
    ] as [([Int32], [Int], [Int32])])
  func refuses(indices: [Int32], indexShape: [Int], shape: [Int32]) throws {
    let node = SingleNode(
      .scatterND, [try .input(indices, indexShape), try .input([Float(1), 2], [1, 2]), .constant(shape)],
      gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test(
    "replaces a box, clamped to the data",
    arguments: [
      ([1, 1], [0, 0, 0, 0, 8, 9]), ([-5, 0], [8, 9, 0, 0, 0, 0]), ([0, 9], [0, 8, 9, 0, 0, 0]),
    ] as [([Int64], [Float])])
  func replacesBox(start: [Int64], expected: [Float]) throws {
    let node = SingleNode(
      .dynamicUpdateSlice,
      [try .input([Float](repeating: 0, count: 6), [2, 3]), try .input([Float(8), 9], [1, 2]), try .input(start)],
      gives: [.float32])
    #expect(try node().values() == expected)
  }

  @Test("rejects a box larger than the data")
  func refusesBox() throws {
    let node = SingleNode(
      .dynamicUpdateSlice, [try .input([Float(1)]), try .input([Float(1), 2]), try .input([Int32(0)])],
      gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test(
    "writes values over a default",
    arguments: [
      ([1, 3], [2], [4], [7, 8], [0, 7, 0, 8]), ([2], [], [3], [5], [0, 0, 5]),
      ([0, 1, 1, 0], [2, 2], [2, 2], [3], [0, 3, 3, 0]),
    ] as [([Int32], [Int], [Int32], [Float], [Float])])
  func densifies(indices: [Int32], indexShape: [Int], shape: [Int32], values: [Float], expected: [Float]) throws {
    let node = SingleNode(
      .sparseToDense,
      [
        try .input(indices, indexShape), .constant(shape), try .input(values, values.count == 1 ? [] : nil),
        .constant([Float(0)], []),
      ], gives: [.float32])
    #expect(try node().values() == expected)
  }

  @Test("rejects sparse values outside the shape", arguments: [4, -1] as [Int32])
  func refusesSparse(index: Int32) throws {
    let node = SingleNode(
      .sparseToDense,
      [try .input([index]), .constant([Int32(4)]), .constant([Float(1)], []), .constant([Float(0)], [])],
      gives: [.float32])
    let error = #expect(throws: RuntimeError.self) { try node() }
    #expect(error?.code == .invalidInput)
  }

  @Test("rejects sparse values for a scalar, which would be unlimited")
  func refusesSparseScalar() throws {
    let node = SingleNode(
      .sparseToDense,
      [
        try .input([Int32](), [1 << 28, 0]), .constant([Int32](), [0]), .constant([Float(1)], []),
        .constant([Float(0)], []),
      ],
      gives: [.float32])
    let error = #expect(throws: RuntimeError.self) { try node() }
    #expect(error?.code == .invalidModel)
  }

  @Test(
    "marks the element at a valid index",
    arguments: [
      (-1, [0, 0, 9, 9, 0, 0, 0, 0, 0], [3, 3]), (0, [0, 9, 0, 0, 0, 0, 9, 0, 0], [3, 3]),
    ] as [(Int32, [Float], [Int])])
  func marks(axis: Int32, expected: [Float], shape: [Int]) throws {
    let node = SingleNode(
      .oneHot,
      [
        try .input([Int32(2), 0, -1]), .constant([Int32(3)], []), .constant([Float(9)], []), .constant([Float(0)], []),
      ],
      gives: [.float32], options: OneHotOptions.with { [$0.axis(axis)] })
    let result = try node()
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == shape)
  }

  @Test("accepts a depth that is computed in the run")
  func marksComputedDepth() throws {
    let node = SingleNode(
      .oneHot, [try .input([Int64(1)]), try .input([Int32(2)], []), .constant([true], []), .constant([false], [])],
      gives: [.bool], options: OneHotOptions.with { [$0.axis(-1)] })
    #expect(try node().values() == [false, true])
  }

  @Test("adds rows by consecutive segments")
  func sumsSegments() throws {
    let node = SingleNode(
      .segmentSum, [try .input([Int32(1), 2, 3, 4, 5, 6], [3, 2]), try .input([Int32(0), 0, 1])], gives: [.int32])
    let result = try node()
    #expect(try result.values() == [Int32(4), 6, 5, 6])
    #expect(result.shape == [2, 2])
    let none = SingleNode(.segmentSum, [try .input([Float](), [0, 2]), try .input([Int32]())], gives: [.float32])
    #expect(try none().shape == [0, 2])
    for numbers in [[1, 1, 1], [0, 2, 2], [0, 1, 0]] as [[Int32]] {
      let refused = SingleNode(
        .segmentSum, [try .input([Int32(1), 2, 3]), try .input(numbers)], gives: [.int32])
      #expect(throws: RuntimeError.self) { try refused() }
    }
  }

  @Test(
    "reduces rows by segments in any order, and ignores negative segment IDs",
    arguments: [
      (BuiltinOperator.unsortedSegmentSum, [Float(8), 0]), (.unsortedSegmentProd, [15, 1]),
      (.unsortedSegmentMax, [5, -Float.greatestFiniteMagnitude]),
      (.unsortedSegmentMin, [3, Float.greatestFiniteMagnitude]),
    ])
  func reducesSegments(kind: BuiltinOperator, expected: [Float]) throws {
    let node = SingleNode(
      kind, [try .input([Float(5), 7, 3]), try .input([Int32(0), -1, 0]), .constant([Int32(2)], [])], gives: [.float32])
    #expect(try node().values() == expected)
    let outside = SingleNode(
      kind, [try .input([Float(5), 7, 3]), try .input([Int32(0), 2, 0]), .constant([Int32(2)], [])], gives: [.float32])
    #expect(throws: RuntimeError.self) { try outside() }
  }
}
