import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Strided copies")
struct StridedCopyTests {
  /// Loops over `counts` in the destination's order, with the source's axes permuted, reversed, or constant.
  private struct Layout {
    var counts: [Int]
    var sourceStrides: [Int]
    var destinationStrides: [Int]
    var sourceStart: Int
    var sourceCount: Int

    init(_ random: inout SplitMix64) {
      let sizes = [1, 2, 3, 4, 5, 16, 17, 33]
      let rank = Int.random(in: 1...5, using: &random)
      counts = (0..<rank).map { _ in sizes[Int.random(in: 0..<(rank > 3 ? 5 : 8), using: &random)] }
      let order = Array(0..<rank).shuffled(using: &random)
      sourceStrides = [Int](repeating: 0, count: rank)
      sourceStart = 0
      sourceCount = 1
      for axis in order {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: continue
        case 1:
          sourceStrides[axis] = -sourceCount
          sourceStart += (counts[axis] - 1) * sourceCount
        default: sourceStrides[axis] = sourceCount
        }
        // Sometimes with gaps.
        sourceCount *= counts[axis] + (Int.random(in: 0..<4, using: &random) == 0 ? 2 : 0)
      }
      destinationStrides = Shape(counts).strides
    }

    /// The source element of every destination element.
    var sources: [Int] {
      (0..<Shape(counts).elementCount).map { position in
        zip(zip(counts, destinationStrides), sourceStrides).reduce(sourceStart) { sum, item in
          sum + position / item.0.1 % item.0.0 * item.1
        }
      }
    }
  }

  private func check<Element: FixedWidthInteger & BitwiseCopyable>(_ type: Element.Type, _ random: inout SplitMix64) {
    let layout = Layout(&random)
    let copy = StridedCopy(
      elementBytes: MemoryLayout<Element>.size, counts: layout.counts, sourceStrides: layout.sourceStrides,
      destinationStrides: layout.destinationStrides, sourceStart: layout.sourceStart)
    let source = (0..<layout.sourceCount).map { Element(truncatingIfNeeded: $0 &* 0x9E37_79B9) }
    let expected = layout.sources.map { source[$0] }
    var result = [Element](repeating: 0, count: expected.count)
    // In pieces of any size, last first, because they must be independent of each other.
    var cuts = [0, copy.itemCount] + (0..<2).map { _ in Int.random(in: 0...copy.itemCount, using: &random) }
    cuts.sort()
    source.withUnsafeBytes { from in
      result.withUnsafeMutableBytes { to in
        guard let from = from.baseAddress, let to = to.baseAddress else { return }
        for piece in zip(cuts, cuts.dropFirst()).reversed() { copy.run(piece.0..<piece.1, from: from, to: to) }
      }
    }
    #expect(result == expected, "\(type) counts \(layout.counts), source strides \(layout.sourceStrides)")
  }

  @Test("move every element to its position, in any order of pieces", arguments: 0..<40)
  func movesElements(seed: UInt64) {
    var random = SplitMix64(state: seed)
    check(UInt8.self, &random)
    check(UInt16.self, &random)
    check(UInt32.self, &random)
    check(UInt64.self, &random)
  }

  @Test("merge loops that are contiguous on both sides into one block")
  func mergesLoops() {
    let copy = StridedCopy(
      elementBytes: 4, counts: [2, 3, 5], sourceStrides: [15, 5, 1], destinationStrides: [15, 5, 1])
    guard case .block(let bytes) = copy.form else { return #expect(Bool(false), "\(copy.form)") }
    #expect(bytes == 120)
  }

  @Test("transpose a matrix in strips of rows")
  func transposesMatrix() {
    let copy = StridedCopy(
      elementBytes: 4, counts: [4000, 7], sourceStrides: [1, 4000], destinationStrides: [7, 1])
    guard case .transposed(let bytes, let rows, let columns, let outer, _) = copy.form else {
      return #expect(Bool(false), "\(copy.form)")
    }
    #expect(bytes == 4 && rows.count == 4000 && columns.count == 7 && outer.isEmpty)
    #expect(copy.itemCount > 1 && copy.itemCount < 20)
  }

  @Test("do nothing if a loop is empty")
  func skipsEmptyLoops() {
    let copy = StridedCopy(
      elementBytes: 4, counts: [3, 0, 2], sourceStrides: [0, 2, 1], destinationStrides: [0, 2, 1])
    #expect(copy.itemCount == 0)
  }

  @Test("fill with elements of any size", arguments: [1, 2, 4, 8, 16], [0, 1, 3, 16, 17])
  func fills(elementBytes: Int, count: Int) {
    let element = (0..<elementBytes).map { UInt8(3 + $0) }
    var result = [UInt8](repeating: 0, count: elementBytes * count + 1)
    element.withUnsafeBytes { element in
      result.withUnsafeMutableBytes { result in
        guard let element = element.baseAddress, let start = result.baseAddress else { return }
        ElementFill(element, elementBytes: elementBytes).fill(start, byteCount: elementBytes * count)
      }
    }
    #expect(result == (0..<count).flatMap { _ in element } + [0])
  }

  @Test("move runs of any length, and nothing else")
  func movesRuns() {
    let source = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
    for count in 1...299 {
      var result = [UInt8](repeating: 0, count: count + 2)
      source.withUnsafeBytes { from in
        result.withUnsafeMutableBytes { to in
          guard let from = from.baseAddress, let to = to.baseAddress else { return }
          moveBytes(count, from: from + 1, to: to + 1)
        }
      }
      #expect(result == [0] + source[1...count] + [0])
    }
  }

  @Test("split very long rows and runs into parts")
  func cutsLongOnes() throws {
    let columns = 3 * StridedCopy.stripColumns + 5
    let copy = StridedCopy(
      elementBytes: 1, counts: [70, columns], sourceStrides: [1, 70], destinationStrides: [columns, 1])
    guard case .transposed = copy.form else {
      Issue.record("no transpose")
      return
    }
    #expect(copy.itemCount == 8)
    var source = [UInt8](repeating: 0, count: 70 * columns)
    for index in stride(from: 0, to: source.count, by: 41) {
      source[index % columns * 70 + index / columns] = UInt8(truncatingIfNeeded: index &* 31 &+ index / 977)
    }
    var result = [UInt8](repeating: 0, count: source.count)
    source.withUnsafeBytes { from in
      result.withUnsafeMutableBytes { to in
        guard let from = from.baseAddress, let to = to.baseAddress else { return }
        for item in (0..<copy.itemCount).reversed() { copy.run(item..<item + 1, from: from, to: to) }
      }
    }
    #expect(
      stride(from: 0, to: source.count, by: 41).allSatisfy { result[$0] == source[$0 % columns * 70 + $0 / columns] })

    let length = 17 << 20
    var graph = TestGraph()
    let halves = (0..<2).map { _ in graph.input(.int8, [2, length]) }
    graph.add(.concatenation, halves, [graph.output(.int8, [])], options: ConcatenationOptions.with { [$0.axis(1)] })
    let stage = try #require(try CompiledModel(try graph.model()).program.steps.first?.stage)
    #expect(stage.work ?? 0 > Double(4 * length) * 0.05)
    // Blocks of one number each, which don't align with the ends of rows.
    let block = 60_001
    let inputs = try (0..<2).map { half in
      var values: [Int8] = []
      values.reserveCapacity(2 * length)
      while values.count < 2 * length {
        let number = Int8(truncatingIfNeeded: values.count / block + half)
        values.append(contentsOf: repeatElement(number, count: min(block, 2 * length - values.count)))
      }
      return try Tensor(values, shape: [2, length])
    }
    let bytes = try graph.session().run(inputs)[0].bytes, parts = inputs.map(\.bytes)
    #expect(
      stride(from: 0, to: bytes.count, by: 997).allSatisfy { position in
        let (row, column) = position.quotientAndRemainder(dividingBy: 2 * length)
        return bytes[position] == parts[column / length][row * length + column % length]
      })
  }
}
