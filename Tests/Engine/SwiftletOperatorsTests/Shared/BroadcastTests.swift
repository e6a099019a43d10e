import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Broadcasting")
struct BroadcastTests {
  static let pairs: [(Shape, Shape, Shape)] = [
    ([], [], []), ([1], [], [1]), ([5], [], [5]), ([], [2, 3], [2, 3]), ([2, 3], [3], [2, 3]),
    ([3, 1], [1, 4], [3, 4]),
    ([2, 3, 4], [2, 1, 4], [2, 3, 4]), ([2, 1, 4, 1], [1, 3, 1, 5], [2, 3, 4, 5]), ([1, 1, 1], [1], [1, 1, 1]),
    ([2, 0, 3], [1, 1, 3], [2, 0, 3]), ([0], [1], [0]), ([7, 1, 1, 5], [7, 2, 3, 5], [7, 2, 3, 5]),
    ([2, 1, 2, 1, 2, 1, 2, 1], [1, 3, 1, 3, 1, 3, 1, 3], [2, 3, 2, 3, 2, 3, 2, 3]),
    ([2, 3, 2, 3, 2, 3, 2, 3], [3, 2, 3], [2, 3, 2, 3, 2, 3, 2, 3]),
  ]

  /// Returns the offset of an operand's element by definition, index by index.
  static func offset(of position: Int, in shape: Shape, output: Shape) -> Int {
    var rest = position
    var result = 0
    var step = 1
    for axis in (0..<output.rank).reversed() {
      let index = rest % output[axis]
      rest /= output[axis]
      let own = axis - (output.rank - shape.rank)
      guard own >= 0 else { continue }
      if shape[own] != 1 { result += index * step }
      step *= shape[own]
    }
    return result
  }

  @Test("returns the same shape as NumPy", arguments: pairs)
  func shape(left: Shape, right: Shape, expected: Shape) {
    #expect(Broadcast.shape(of: [left, right]) == expected)
    #expect(Broadcast.shape(of: [right, left]) == expected)
  }

  @Test("rejects dimensions that differ and are not 1")
  func refusesShapes() {
    #expect(Broadcast.shape(of: [[2], [3]]) == nil)
    #expect(Broadcast.shape(of: [[2, 3], [2]]) == nil)
    #expect(Broadcast.shape(of: [[0], [2]]) == nil)
    #expect(Broadcast.shape(of: [[1, 2], [1], [3]]) == nil)
  }

  @Test("finds every element in any range", arguments: pairs)
  func offsets(left: Shape, right: Shape, output: Shape) {
    let broadcast = Broadcast([left, right, output], to: output)
    #expect(broadcast.count == output.elementCount)
    let shapes = [left, right, output]
    for start in Set([0, 1, 2, 5, broadcast.count / 2, broadcast.count - 1])
    where start >= 0 && start <= broadcast.count {
      for end in Set([start, start + 1, start + 7, broadcast.count]) where end >= start && end <= broadcast.count {
        var seen = start
        broadcast.forEachBlock(in: start..<end) { block in
          #expect(block.output == seen)
          for row in 0..<block.rows {
            for column in 0..<block.columns {
              for (operand, shape) in zip(broadcast.operands, shapes) {
                let found =
                  broadcast.offset(of: block, in: operand) + row * operand.rowStride + column * operand.innerStride
                #expect(found == Self.offset(of: seen, in: shape, output: output))
              }
              seen += 1
            }
          }
        }
        #expect(seen == end)
      }
    }
  }

  @Test("merges dimensions that are contiguous in every operand")
  func collapses() {
    let dense = Broadcast([[2, 3, 4], [2, 3, 4]], to: [2, 3, 4])
    #expect(dense.columns == 24)
    #expect(dense.rows == 1)
    let channels = Broadcast([[1, 5, 6, 7], [7]], to: [1, 5, 6, 7])
    #expect(channels.columns == 7)
    #expect(channels.rows == 30)
    #expect(channels.outer.isEmpty)
    let scalar = Broadcast([[4, 5], [1, 1]], to: [4, 5])
    #expect(scalar.columns == 20)
    #expect(scalar.operands[1].innerStride == 0)
  }

  @Test("supports a short row that is repeated over many others on either side", arguments: [1, 2, 3, 5, 31], [1, 3])
  func repeatsShortRows(columns: Int, threads: Int) throws {
    let rows = 4 * 256 / columns + 259
    let long = (0..<rows * columns).map { Float($0) }
    let short = (0..<columns).map { Float($0) * 1000 + 1 }
    let options = RuntimeOptions(threads: threads)
    let shape = [rows, columns]
    let difference = try evaluate(
      .sub, [try .input(long, shape), try .input(short)], to: .float32, run: options
    ).values(as: Float.self)
    let reversed = try evaluate(
      .sub, [try .input(short), try .input(long, shape)], to: .float32, run: options
    ).values(as: Float.self)
    for index in long.indices {
      try #require(difference[index] == long[index] - short[index % columns])
      try #require(reversed[index] == short[index % columns] - long[index])
    }
  }

  @Test("names both shapes when it rejects them")
  func refusalNamesShapes() throws {
    let error = try #require(throws: RuntimeError.self) {
      try evaluate(
        .add, [try .input([Float](repeating: 0, count: 6), [2, 3]), try .input([Float(0), 0])], to: .float32)
    }
    #expect(error.code == .invalidModel)
    #expect(error.message.contains("[2×3]"))
    #expect(error.message.contains("[2]"))
  }
}
