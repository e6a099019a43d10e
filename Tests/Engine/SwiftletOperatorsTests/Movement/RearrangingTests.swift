import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Transposing, reversing and blocks")
struct RearrangingTests {
  @Test(
    "permutes the axes",
    arguments: [
      ([1, 0, 2], [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11], [3, 2, 2]),
      ([2, 1, 0], [0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11], [2, 3, 2]),
      ([-1, 0, 1], [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11], [2, 2, 3]),
      ([0, 1, 2], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [2, 3, 2]),
    ] as [([Int32], [Float], [Int])])
  func transposes(order: [Int32], expected: [Float], shape: [Int]) throws {
    let node = SingleNode(
      .transpose, [try .input((0..<12).map { Float($0) }, [2, 3, 2]), .constant(order)], gives: [.float32])
    let result = try node()
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == shape)
  }

  @Test("transposes large tensors equally on any number of threads", arguments: [1, 3])
  func transposesOnThreads(threads: Int) throws {
    let (rows, columns) = (301, 517)
    let values = (0..<(rows * columns)).map { Int16(truncatingIfNeeded: $0) }
    let node = SingleNode(
      .transpose, [try .input(values, [rows, columns]), .constant([Int32(1), 0])], gives: [.int16])
    let expected = (0..<(rows * columns)).map { values[$0 % rows * columns + $0 / rows] }
    #expect(try node.run(RuntimeOptions(threads: threads))[0].values() == expected)
  }

  @Test(
    "rejects permutations with repeated, invalid, or missing axes",
    arguments: [
      [0, 0, 1], [0, 1, 3], [0, 1], [0, 1, -4], [0, 1, 2, 3],
    ] as [[Int32]])
  func refusesOrder(order: [Int32]) throws {
    let node = SingleNode(
      .transpose, [try .input([Float](repeating: 0, count: 12), [2, 3, 2]), .constant(order)], gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test(
    "reverses along any axes",
    arguments: [
      ([0], [4, 5, 6, 1, 2, 3]), ([1], [3, 2, 1, 6, 5, 4]), ([0, -1], [6, 5, 4, 3, 2, 1]), ([], [1, 2, 3, 4, 5, 6]),
    ] as [([Int32], [Float])])
  func reverses(axes: [Int32], expected: [Float]) throws {
    let node = SingleNode(
      .reverseV2, [try .input([Float(1), 2, 3, 4, 5, 6], [2, 3]), .constant(axes)], gives: [.float32])
    #expect(try node().values() == expected)
  }

  @Test(
    "reverses the beginning of every sequence",
    arguments: [
      (0, 1, [4, 8, 3, 1, 5, 6, 7, 2, 9], [2, 3, 1]), (1, 0, [2, 1, 3, 6, 5, 4, 7, 8, 9], [2, 3, 1]),
    ] as [(Int32, Int32, [Int32], [Int32])])
  func reversesSequences(sequenceAxis: Int32, batchAxis: Int32, expected: [Int32], lengths: [Int32]) throws {
    let node = SingleNode(
      .reverseSequence, [try .input((1...9).map { Int32($0) }, [3, 3]), try .input(lengths)], gives: [.int32],
      options: ReverseSequenceOptions.with { [$0.sequenceDimension(sequenceAxis), $0.batchDimension(batchAxis)] })
    #expect(try node().values() == expected)
  }

  @Test("rejects sequences longer than their axis in the run", arguments: [4, -1] as [Int32])
  func refusesLength(length: Int32) throws {
    let node = SingleNode(
      .reverseSequence, [try .input((1...9).map { Float($0) }, [3, 3]), try .input([length, 0, 0])], gives: [.float32],
      options: ReverseSequenceOptions.with { [$0.sequenceDimension(1), $0.batchDimension(0)] })
    let error = #expect(throws: RuntimeError.self) { try node() }
    #expect(error?.code == .invalidInput)
  }

  @Test("rearranges channels as blocks of pixels, and back")
  func blocks() throws {
    let deep = (0..<16).map { UInt8($0) }
    let wide: [UInt8] = [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]
    let enlarged = try SingleNode(
      .depthToSpace, [try .input(deep, [1, 2, 2, 4])], gives: [.uint8],
      options: DepthToSpaceOptions.with { [$0.blockSize(2)] })()
    #expect(try enlarged.values() == wide)
    #expect(enlarged.shape == [1, 4, 4, 1])
    let reduced = try SingleNode(
      .spaceToDepth, [try .input(wide, [1, 4, 4, 1])], gives: [.uint8],
      options: SpaceToDepthOptions.with { [$0.blockSize(2)] })()
    #expect(try reduced.values() == deep)
    #expect(reduced.shape == [1, 2, 2, 4])
  }

  @Test(
    "rejects indivisible blocks",
    arguments: [
      (BuiltinOperator.depthToSpace, Int32(3)), (.depthToSpace, 0), (.spaceToDepth, 3), (.spaceToDepth, -1),
      (.depthToSpace, .max),
    ])
  func refusesBlock(kind: BuiltinOperator, size: Int32) throws {
    let node = SingleNode(
      kind, [try .input([Float](repeating: 0, count: 64), [1, 4, 4, 4])], gives: [.float32],
      options: kind == .depthToSpace
        ? DepthToSpaceOptions.with { [$0.blockSize(size)] } : SpaceToDepthOptions.with { [$0.blockSize(size)] })
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test("moves block positions to the batch, and back")
  func batches() throws {
    let row = (1...5).map { Int8($0) }
    let spread: [Int8] = [-7, 2, 4, 1, 3, 5]
    let batched = try SingleNode(
      .spaceToBatchND,
      [
        try .input(row, [1, 5, 1], scale: 1, zeroPoint: -7), .constant([Int32(2)]), .constant([Int32(1), 0], [1, 2]),
      ], gives: [.int8], scale: 1, zeroPoint: -7)()
    #expect(try batched.values() == spread)
    #expect(batched.shape == [2, 3, 1])
    let joined = try SingleNode(
      .batchToSpaceND, [try .input(spread, [2, 3, 1]), .constant([Int32(2)]), .constant([Int32(1), 0], [1, 2])],
      gives: [.int8])()
    #expect(try joined.values() == row)
    #expect(joined.shape == [1, 5, 1])
  }

  @Test(
    "rejects inconsistent batch blocks and margins",
    arguments: [
      (BuiltinOperator.spaceToBatchND, Int32(2), [Int32(0), 0]), (.spaceToBatchND, 0, [0, 0]),
      (.spaceToBatchND, 2, [-1, 0]),
      (.batchToSpaceND, 2, [0, 0]), (.batchToSpaceND, 1, [3, 3]), (.batchToSpaceND, -1, [0, 0]),
    ])
  func refusesBatches(kind: BuiltinOperator, block: Int32, margins: [Int32]) throws {
    let node = SingleNode(
      kind, [try .input([Float](repeating: 0, count: 5), [1, 5, 1]), .constant([block]), .constant(margins, [1, 2])],
      gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test("sets diagonals")
  func diagonals() throws {
    let made = try SingleNode(.matrixDiag, [try .input([Float(1), 2, 3, 4], [2, 2])], gives: [.float32])()
    #expect(try made.values() == [Float(1), 0, 0, 2, 3, 0, 0, 4])
    #expect(made.shape == [2, 2, 2])
    let replaced = try SingleNode(
      .matrixSetDiag, [try .input([Float](repeating: 9, count: 6), [3, 2]), try .input([Float(1), 2])],
      gives: [.float32])()
    #expect(try replaced.values() == [Float(1), 9, 9, 2, 9, 9])
    let misfit = SingleNode(
      .matrixSetDiag, [try .input([Float](repeating: 9, count: 6), [3, 2]), try .input([Float(1), 2, 3])],
      gives: [.float32])
    #expect(throws: RuntimeError.self) { try misfit() }
  }
}
