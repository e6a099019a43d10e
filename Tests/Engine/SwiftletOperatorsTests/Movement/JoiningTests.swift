import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Concatenating and splitting")
struct JoiningTests {
  private func concatenate(_ operands: [Operand], _ type: ElementType = .float32, axis: Int32, activation: Int8 = 0)
    -> SingleNode
  {
    SingleNode(
      .concatenation, operands, gives: [type],
      options: ConcatenationOptions.with { [$0.axis(axis), $0.fusedActivation(code: activation)] })
  }

  @Test(
    "concatenates inputs along any axis",
    arguments: [
      (0, [1, 2, 3, 4, 5, 6, 7, 8], [4, 2]), (1, [1, 2, 5, 6, 3, 4, 7, 8], [2, 4]),
      (-1, [1, 2, 5, 6, 3, 4, 7, 8], [2, 4]),
    ] as [(Int32, [Float], [Int])])
  func joins(axis: Int32, expected: [Float], shape: [Int]) throws {
    let result = try concatenate(
      [try .input([Float(1), 2, 3, 4], [2, 2]), .constant([Float(5), 6, 7, 8], [2, 2])], axis: axis)()
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == shape)
  }

  @Test("ignores empty inputs")
  func joinsEmpty() throws {
    let result = try concatenate(
      [try .input([Int64](), [2, 0]), try .input([Int64(3), 4], [2, 1])], .int64, axis: 1)()
    #expect(try result.values() == [Int64(3), 4])
    #expect(result.shape == [2, 1])
  }

  @Test("does nothing for empty inputs that would be requantized, however many rows they have")
  func skipsEmptyRequantized() throws {
    var graph = TestGraph()
    let empty = graph.input(.uint8, [1 << 20, 0], scale: 0.5, zeroPoint: 10)
    let bytes = graph.input(.uint8, [1 << 20, 1], scale: 1, zeroPoint: 4)
    graph.add(
      .concatenation, [empty, bytes], [graph.output(.uint8, [], scale: 1, zeroPoint: 4)],
      options: ConcatenationOptions.with { [$0.axis(1)] })
    let program = try CompiledModel(try graph.model()).program
    #expect(program.steps.count == 1)
  }

  @Test("requantizes bytes whose scale differs from the output's")
  func requantizes() throws {
    let node = SingleNode(
      .concatenation,
      [
        try .input([UInt8(0), 10, 255], scale: 0.5, zeroPoint: 10),
        try .input([UInt8(7), 8, 9], scale: 1, zeroPoint: 4),
      ], gives: [.uint8], scale: 1, zeroPoint: 4, options: ConcatenationOptions.with { [$0.axis(0)] })
    // (0 - 10) / 2 + 4, (10 - 10) / 2 + 4, and (255 - 10) / 2 + 4 with halves rounded away from zero; the second input
    // is unchanged.
    #expect(try node().values() == [UInt8(0), 4, 127, 7, 8, 9])
  }

  @Test(
    "rejects inconsistent inputs",
    arguments: [
      ([2, 2], [2, 3], 0), ([2, 2], [4], 0), ([2, 2], [2, 2], 2), ([2, 2], [2, 2], -3),
    ] as [([Int], [Int], Int32)])
  func refuses(first: [Int], second: [Int], axis: Int32) throws {
    func operand(_ shape: [Int]) throws -> Operand {
      try .input([Float](repeating: 0, count: shape.reduce(1, *)), shape)
    }
    let node = concatenate([try operand(first), try operand(second)], axis: axis)
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test("rejects an activation")
  func refusesActivation() throws {
    let node = concatenate([try .input([Float(1)])], axis: 0, activation: 1)
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test(
    "packs inputs along a new axis, and unpacks them",
    arguments: [
      (0, [1, 2, 3, 4, 5, 6], [3, 2]), (1, [1, 3, 5, 2, 4, 6], [2, 3]), (-1, [1, 3, 5, 2, 4, 6], [2, 3]),
      (-2, [1, 2, 3, 4, 5, 6], [3, 2]),
    ] as [(Int32, [Int16], [Int])])
  func stacks(axis: Int32, expected: [Int16], shape: [Int]) throws {
    let rows: [[Int16]] = [[1, 2], [3, 4], [5, 6]]
    let packed = try SingleNode(
      .pack, try rows.map { try .input($0) }, gives: [.int16],
      options: PackOptions.with { [$0.valuesCount(3), $0.axis(axis)] })()
    #expect(try packed.values() == expected)
    #expect(packed.shape.dimensions == shape)
    let unpacked = try SingleNode(
      .unpack, [try .input(expected, shape)], gives: [.int16, .int16, .int16],
      options: UnpackOptions.with { [$0.count(3), $0.axis(axis)] }
    ).run()
    #expect(try unpacked.map { try $0.values(as: Int16.self) } == rows)
    #expect(unpacked.allSatisfy { $0.shape == [2] })
  }

  @Test("rejects stacking a number of tensors that differs from the options", arguments: [0, 1, 3] as [Int32])
  func refusesStack(count: Int32) throws {
    let operands = [try Operand.input([Float(1)]), try .input([Float(1)])]
    let packing = SingleNode(.pack, operands, gives: [.float32], options: PackOptions.with { [$0.valuesCount(count)] })
    #expect(throws: RuntimeError.self) { try packing() }
    let unpacking = SingleNode(
      .unpack, [try .input([Float(1), 2])], gives: [.float32, .float32],
      options: UnpackOptions.with { [$0.count(count)] })
    #expect(throws: RuntimeError.self) { try unpacking.run() }
  }

  @Test("splits into equal pieces")
  func cutsEqually() throws {
    let node = SingleNode(
      .split, [.constant([Int32(1)], []), try .input((1...8).map { UInt8($0) }, [2, 4])], gives: [.uint8, .uint8],
      options: SplitOptions.with { [$0.splitCount(2)] })
    #expect(try node.run().map { try $0.values(as: UInt8.self) } == [[1, 2, 5, 6], [3, 4, 7, 8]])
  }

  @Test(
    "splits into pieces of given sizes, one of which can be the remainder",
    arguments: [
      ([1, 3], [[1], [2, 3, 4]]), ([-1, 1], [[1, 2, 3], [4]]), ([0, -1], [[], [1, 2, 3, 4]]),
      ([4, -1], [[1, 2, 3, 4], []]),
    ] as [([Int32], [[Float]])])
  func cutsBySize(sizes: [Int32], expected: [[Float]]) throws {
    let node = SingleNode(
      .splitV, [try .input([Float(1), 2, 3, 4]), .constant(sizes), .constant([Int32(0)], [])],
      gives: [.float32, .float32],
      options: SplitVOptions.with { [$0.splitCount(2)] })
    #expect(try node.run().map { try $0.values(as: Float.self) } == expected)
  }

  @Test(
    "rejects pieces that don't add up to the input",
    arguments: [
      [1, 2], [5, -1], [-1, -1], [-2, 6], [4], [1, 1, 2], [.max, .max],
    ] as [[Int32]])
  func refusesPieces(sizes: [Int32]) throws {
    let node = SingleNode(
      .splitV, [try .input([Float(1), 2, 3, 4]), .constant(sizes), .constant([Int32(0)], [])],
      gives: [.float32, .float32],
      options: SplitVOptions.with { [$0.splitCount(2)] })
    #expect(throws: RuntimeError.self) { try node.run() }
  }

  @Test("rejects equal pieces of an indivisible length")
  func refusesUnequal() throws {
    let node = SingleNode(
      .split, [.constant([Int32(0)], []), try .input([Float(1), 2, 3])], gives: [.float32, .float32],
      options: SplitOptions.with { [$0.splitCount(2)] })
    #expect(throws: RuntimeError.self) { try node.run() }
  }
}
