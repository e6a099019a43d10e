import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Gathering")
struct GatheringTests {
  private func gather(_ indices: [Int32], _ shape: [Int], axis: Int32, batch: Int32 = 0) throws -> SingleNode {
    SingleNode(
      .gather, [try .input((0..<12).map { Float($0) }, [2, 3, 2]), try .input(indices, shape)], gives: [.float32],
      options: GatherOptions.with { [$0.axis(axis), $0.batchDimensions(batch)] })
  }

  @Test(
    "gathers elements by index",
    arguments: [
      ([1], [], 0, 0, [6, 7, 8, 9, 10, 11], [3, 2]),
      ([2, 0], [2], 1, 0, [4, 5, 0, 1, 10, 11, 6, 7], [2, 2, 2]),
      ([1, 1, 0], [3], -1, 0, [1, 1, 0, 3, 3, 2, 5, 5, 4, 7, 7, 6, 9, 9, 8, 11, 11, 10], [2, 3, 3]),
      ([0, 2], [2, 1], 1, 1, [0, 1, 10, 11], [2, 1, 2]),
      ([2, 1], [2], 1, -1 + 1, [4, 5, 2, 3, 10, 11, 8, 9], [2, 2, 2]),
      ([1, 0], [2, 1], -1, 1, [1, 3, 5, 6, 8, 10], [2, 3, 1]),
      ([], [0], 0, 0, [], [0, 3, 2]),
    ] as [([Int32], [Int], Int32, Int32, [Float], [Int])])
  func takesSteps(indices: [Int32], shape: [Int], axis: Int32, batch: Int32, expected: [Float], size: [Int]) throws {
    let result = try gather(indices, shape, axis: axis, batch: batch)()
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == size)
  }

  @Test("gathers rows of every size, with indices of every type", arguments: [1, 3, 15, 16, 17, 33, 64, 256, 257])
  func takesRows(length: Int) throws {
    let rows = 5, indices = [4, 0, 3, 3, 1, 2, 0]
    let data = (0..<rows * length).map { Float($0) }
    let expected = indices.flatMap { Array(data[$0 * length..<($0 + 1) * length]) }
    func gathered<Index: TensorScalar & BinaryInteger>(_ type: Index.Type) throws -> [Float] {
      try SingleNode(
        .gather, [try .input(data, [rows, length]), try .input(indices.map { Index($0) }, [indices.count])],
        gives: [.float32], options: GatherOptions.with { [$0.axis(0), $0.batchDimensions(0)] })().values()
    }
    #expect(try gathered(Int32.self) == expected)
    #expect(try gathered(Int64.self) == expected)
    #expect(try gathered(Int16.self) == expected)
  }

  @Test("reports the index that is out of range", arguments: [3, -1, .max, .min] as [Int32])
  func refusesIndex(index: Int32) throws {
    let node = try gather([0, index], [2], axis: 1)
    let error = #expect(throws: RuntimeError.self) { try node() }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains("\(index)") == true)
    #expect(error?.location?.operatorName == "GATHER")
  }

  @Test(
    "rejects inconsistent axes and batch axes",
    arguments: [(3, 0), (-4, 0), (0, 1), (1, 2), (1, -2)] as [(Int32, Int32)])
  func refusesAxes(axis: Int32, batch: Int32) throws {
    let node = try gather([0, 0], [2], axis: axis, batch: batch)
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test(
    "gathers slices by index vectors",
    arguments: [
      ([1, 2, 0, 0], [2, 2], [10, 11, 0, 1], [2, 2]), ([0, 1, 1], [3], [3], []),
      ([1], [1, 1], [6, 7, 8, 9, 10, 11], [1, 3, 2]),
      ([], [2, 0], (0..<24).map { Float($0 % 12) }, [2, 2, 3, 2]),
    ] as [([Int64], [Int], [Float], [Int])])
  func takesParts(indices: [Int64], shape: [Int], expected: [Float], size: [Int]) throws {
    let node = SingleNode(
      .gatherND, [try .input((0..<12).map { Float($0) }, [2, 3, 2]), try .input(indices, shape)], gives: [.float32])
    let result = try node()
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == size)
  }

  @Test(
    "rejects index vectors that are out of range or too long",
    arguments: [
      ([2, 0], [1, 2]), ([0, -1], [1, 2]), ([0, 0, 0, 0], [1, 4]),
    ] as [([Int16], [Int])])
  func refusesVectors(indices: [Int16], shape: [Int]) throws {
    let node = SingleNode(
      .gatherND, [try .input((0..<12).map { Float($0) }, [2, 3, 2]), try .input(indices, shape)], gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test("looks up rows, as real numbers if the table is quantized")
  func looksUp() throws {
    let plain = SingleNode(
      .embeddingLookup, [try .input([Int32(2), 0]), .constant([Float(1), 2, 3, 4, 5, 6], [3, 2])], gives: [.float32])
    #expect(try plain().values() == [Float(5), 6, 1, 2])
    let quantized = SingleNode(
      .embeddingLookup, [try .input([Int32(1)]), .constant([Int8(1), 2, -3, 4], [2, 2], scale: 0.5)], gives: [.float32])
    #expect(try quantized().values() == [Float(-1.5), 2])
    let outside = SingleNode(
      .embeddingLookup, [try .input([Int32(3)]), .constant([Float(1), 2, 3, 4, 5, 6], [3, 2])], gives: [.float32])
    #expect(throws: RuntimeError.self) { try outside() }
    let shifted = SingleNode(
      .embeddingLookup, [try .input([Int32(1)]), .constant([Int8(1), 2, -3, 4], [2, 2], scale: 0.5, zeroPoint: 1)],
      gives: [.float32])
    #expect(throws: RuntimeError.self) { try shifted() }
  }

  @Test("looks rows up by sorted keys")
  func looksUpKeys() throws {
    let node = SingleNode(
      .hashtableLookup,
      [
        try .input([Int32(7), 4, -2]), .constant([Int32(-2), 3, 7]), .constant([Int64(1), 2, 3, 4, 5, 6], [3, 2]),
      ], gives: [.int64, .uint8])
    let results = try node.run()
    #expect(try results[0].values() == [Int64(5), 6, 0, 0, 1, 2])
    #expect(try results[1].values() == [UInt8(1), 0, 1])
  }

  @Test("counts the boundaries below each value")
  func bucketizes() throws {
    func node(_ operand: Operand, _ boundaries: [Float]) -> SingleNode {
      SingleNode(.bucketize, [operand], gives: [.int32], options: BucketizeOptions.with { [$0.boundaries(boundaries)] })
    }
    #expect(try node(try .input([Float(-1), 0, 0.5, 9, .nan]), [0, 1, 1, 5])().values() == [Int32(0), 1, 1, 4, 4])
    #expect(try node(try .input([Int64.min, 1, .max]), [0, 1])().values() == [Int32(0), 2, 2])
    #expect(throws: RuntimeError.self) { try node(try .input([Float(1)]), [1, 0])() }
  }
}
