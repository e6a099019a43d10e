import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Moves of a few bytes")
struct ElementMovesTests {
  /// Returns bytes from 1 to 251, between zeros.
  private func moved(_ count: Int) -> [UInt8] {
    let source = AlignedBytes(zeroed: count + 64), target = AlignedBytes(zeroed: count + 64)
    for index in 0..<count + 64 { source.bytes[index] = UInt8(index % 251 + 1) }
    moveBytes(count, from: UnsafeRawPointer(source.start) + 3, to: target.start + 5)
    return Array(target.bytes)
  }

  @Test("exactly the requested number of bytes is moved")
  func moves() {
    for count in Array(0...300) + [511, 1024, 1025] {
      let bytes = moved(count)
      var expected = [UInt8](repeating: 0, count: count + 64)
      for index in 0..<count { expected[index + 5] = UInt8((index + 3) % 251 + 1) }
      #expect(bytes == expected, "\(count) bytes")
    }
  }

  @Test("an element of any size is repeated to the end, and no further", arguments: [1, 2, 4, 8, 16])
  func fills(size: Int) {
    for isUniform in [false, true] {
      let element = AlignedBytes(zeroed: 16)
      for index in 0..<size { element.bytes[index] = isUniform ? 7 : UInt8(index + 1) }
      for count in [0, 1, 2, 3, 7, 8, 9, 33] {
        let target = AlignedBytes(zeroed: count * size + 32)
        ElementFill(element.start, elementBytes: size).fill(target.start, byteCount: count * size)
        let expected =
          (0..<count * size).map { isUniform ? UInt8(7) : UInt8($0 % size + 1) } + [UInt8](repeating: 0, count: 32)
        #expect(Array(target.bytes) == expected, "\(count) elements")
      }
    }
  }

  @Test("a number fills all bytes of its element", arguments: [1, 2, 4, 8, 16])
  func fillsNumbers(size: Int) {
    for value in [Int64(0), 5, -3] {
      let target = AlignedBytes(zeroed: 3 * size)
      ElementFill(value, elementBytes: size).fill(target.start, byteCount: 3 * size)
      // Little-endian, with the sign in all bytes except the upper half of sixteen.
      let one = (0..<size).map { byte in byte < 8 ? UInt8(truncatingIfNeeded: value >> Int64(8 * byte)) : 0 }
      #expect(Array(target.bytes) == one + one + one)
    }
  }

  @Test("rows are split into tiles that cover each row once", arguments: [1, 2, 3, 4, 20], [1, 2, 5])
  func rowTiles(step: Int, threads: Int) {
    for (images, rows) in [(1, 1), (2, 7), (3, 64), (1, 1000), (2, 0)] {
      for cost in [0.1, 300, 5000] {
        let tiling = RowTiling(images: images, rows: rows, cost: cost, step: step, threads: threads)
        var next = [Int](repeating: 0, count: images)
        for tile in 0..<tiling.tileCount {
          let (image, part) = tiling.block(tile)
          #expect(part.lowerBound == next[image] && part.count <= tiling.rowBlock)
          #expect(step > 16 || part.lowerBound % step == 0)
          next[image] = part.upperBound
        }
        #expect(next == [Int](repeating: rows, count: images))
      }
    }
  }

  @Test("columns are split if rows are long", arguments: [1, 100, 1 << 20, 1 << 20 + 1, 3 << 20])
  func lanes(columns: Int) {
    let lanes = ColumnLanes(columns: columns)
    #expect(lanes.count == (columns <= 1 << 20 ? 1 : columns == 3 << 20 ? 3 : 2))
    var next = 0
    for lane in 0..<lanes.count {
      #expect(lanes.range(lane).lowerBound == next)
      next = lanes.range(lane).upperBound
    }
    #expect(next == columns)
    #expect(lanes.width == Double(min(columns, 1 << 20)))
  }

  /// A spaced axis, element by element: the destination of each input element, or `nil` if it is cropped.
  @Test("a dilated axis keeps the elements that remain after cropping", arguments: [0, 1, 4], [0, 1, 3])
  func spacedAxes(size: Int, interior: Int) {
    for before in -6...3 {
      for after in -6...3 {
        let axis = SpacedAxis(size: size, interior: interior, before: before, after: after)
        let whole = size == 0 ? 0 : (size - 1) * (interior + 1) + 1
        #expect(axis.spacedSize == whole + before + after)
        guard let result = axis.spacedSize, result > 0 else { continue }
        let places = (0..<size).map { $0 * (interior + 1) + before }
        let inside = (0..<size).filter { (0..<result).contains(places[$0]) }
        let kept = axis.kept(in: result)
        #expect(Array(kept.elements) == inside)
        if let first = inside.first { #expect(kept.start == places[first]) }
      }
    }
  }

  @Test("huge sizes are invalid")
  func spacedLimits() {
    func size(_ size: Int, _ interior: Int, _ before: Int, _ after: Int) -> Int? {
      SpacedAxis(size: size, interior: interior, before: before, after: after).spacedSize
    }
    let most = 1 << 40
    #expect(size(1, most, 0, 0) == 1 && size(1, most + 1, 0, 0) == nil)
    #expect(size(1, 0, most, 0) == most + 1 && size(1, 0, most + 1, 0) == nil)
    #expect(size(1, 0, 0, -most) == 1 - most && size(1, 0, 0, -most - 1) == nil)
    #expect(size(2, most, 0, 0) == most + 2 && size(3, most, 0, 0) == nil)
    #expect(size(2, -1, 0, 0) == nil)
  }

  /// Two axes, each with padding or cropping on either side, and an inner axis that is merged with them or not.
  @Test(
    "PAD returns the input in its position and the value elsewhere",
    arguments: [(0, 0), (2, 1), (-1, 2), (1, -2), (-1, -1), (-3, 2), (4, -3)])
  func pads(first: (Int, Int)) throws {
    for second in [(0, 0), (1, 2), (-1, 1), (2, -1), (-4, 1)] {
      for inner in [(0, 0), (1, 0), (0, -1)] {
        let sizes = [3, 4, 2], paddings = [first, second, inner]
        let shape = zip(sizes, paddings).map { $0 + $1.0 + $1.1 }
        guard shape.allSatisfy({ $0 >= 0 }) else { continue }
        let probe = Probe(
          .padV2,
          [
            .values((0..<24).map { Int16($0) }, sizes),
            .ints(paddings.flatMap { [Int32($0.0), Int32($0.1)] }, [3, 2]), .constant([Int16(-1)], []),
          ], [.of(.int16)])
        let result = try probe.run()[0]
        #expect(result.shape == Shape(shape))
        var expected: [Int16] = []
        for x in 0..<shape[0] {
          for y in 0..<shape[1] {
            for z in 0..<shape[2] {
              let place = [x - first.0, y - second.0, z - inner.0]
              let isInside = zip(place, sizes).allSatisfy { $0 >= 0 && $0 < $1 }
              expected.append(isInside ? Int16((place[0] * 4 + place[1]) * 2 + place[2]) : -1)
            }
          }
        }
        #expect(try result.values() == expected)
      }
    }
  }

  @Test("MIRROR_PAD mirrors over three axes", arguments: [MirrorPadMode.reflect, .symmetric])
  func mirrors(mode: MirrorPadMode) throws {
    let sizes = [3, 4, 3]
    for paddings in [
      [(1, 2), (3, 1), (2, 0)], [(0, 1), (2, 0), (0, 2)], [(0, 0), (1, 3), (2, 2)], [(2, 1), (0, 0), (0, 0)],
    ] {
      let shape = zip(sizes, paddings).map { $0 + $1.0 + $1.1 }
      let probe = Probe(
        .mirrorPad,
        [.values((0..<36).map { Int32($0) }, sizes), .ints(paddings.flatMap { [Int32($0.0), Int32($0.1)] }, [3, 2])],
        [.of(.int32)], MirrorPadOptions.with { [$0.mode(mode)] })
      func source(_ position: Int, _ axis: Int) -> Int {
        let place = position - paddings[axis].0, last = sizes[axis] - 1, edge = mode == .reflect ? 0 : 1
        if place < 0 { return -place - edge }
        return place > last ? 2 * last - place + edge : place
      }
      var expected: [Int32] = []
      for x in 0..<shape[0] {
        for y in 0..<shape[1] {
          for z in 0..<shape[2] { expected.append(Int32((source(x, 0) * 4 + source(y, 1)) * 3 + source(z, 2))) }
        }
      }
      #expect(try probe.run()[0].values() == expected)
    }
  }
}
