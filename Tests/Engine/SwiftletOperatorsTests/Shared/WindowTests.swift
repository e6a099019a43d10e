import SwiftletBase
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Windows")
struct WindowTests {
  private func axis(
    input: Int, window: Int, stride: Int = 1, dilation: Int = 1, before: Int = 0, output: Int
  ) -> WindowAxis {
    WindowAxis(
      inputSize: input, windowSize: window, stride: stride, dilation: dilation, paddingBefore: before,
      outputSize: output)
  }

  /// Returns the positions of all taps.
  private func positions(_ table: IndirectionBuffer, _ rows: Range<Int>) -> [Int32] {
    let scratch = AlignedBytes(zeroed: max(4, table.scratchBytes(rows: rows.count)))
    let positions = table.positions(rows, scratch: scratch.start)
    return (0..<rows.count * table.taps).map { positions[$0] }
  }

  @Test("know the elements that are inside the input")
  func knowInsideElements() {
    for (input, window, stride, dilation, before) in [
      (5, 3, 1, 1, 1), (5, 3, 2, 2, 2), (2, 7, 1, 1, 3), (9, 2, 3, 4, 1),
    ] {
      let axis = axis(input: input, window: window, stride: stride, dilation: dilation, before: before, output: 4)
      for position in 0..<4 {
        let inside = (0..<window).filter { (0..<input).contains(axis.start(position) + $0 * dilation) }
        #expect(Array(axis.elements(at: position)) == inside)
      }
    }
  }

  @Test("become one tap if the window is contiguous")
  func mergeWholeWindows() {
    let geometry = WindowGeometry(
      batch: 1, height: axis(input: 6, window: 2, stride: 2, output: 3), width: axis(input: 4, window: 4, output: 1),
      channels: 3)
    let rows = WindowRows(geometry, channels: 3)
    #expect(rows.taps == 1)
    #expect(rows.tapDepth == 24)
    #expect(rows.distance == 24)
  }

  @Test("become one tap per line if lines are contiguous")
  func mergeLines() {
    let geometry = WindowGeometry(
      batch: 1, height: axis(input: 4, window: 3, output: 2), width: axis(input: 5, window: 3, output: 3), channels: 2)
    let rows = WindowRows(geometry, channels: 2)
    #expect(rows.taps == 3)
    #expect(rows.tapDepth == 6)
    #expect(rows.distance == nil)
    #expect(positions(rows.table(), 3..<5) == [10, 20, 30, 12, 22, 32])
    #expect(rows.table().hasFixedTaps)
  }

  @Test("have fixed taps if their distances are the same in every row, without padding")
  func haveFixedTaps() {
    func isFixed(_ entries: [Int32], taps: Int) -> Bool {
      IndirectionBuffer(nil, rows: entries.count / taps, taps: taps, readsPadding: true) { first, _, positions in
        for (index, entry) in entries.enumerated() { positions[index] = entry }
      }.hasFixedTaps
    }
    #expect(isFixed([0, 5, 9, 7, 12, 16], taps: 3))
    #expect(isFixed([3, 0, 7, 4], taps: 2))
    #expect(!isFixed([0, 5, 9, 7, 12, 17], taps: 3))
    #expect(!isFixed([0, 5, -1, 4], taps: 2))
    #expect(!isFixed([-1, -1], taps: 2))
    #expect(isFixed([4, 0, 9], taps: 1))
    #expect(!isFixed([4, -1, 9], taps: 1))
  }

  @Test("keep their elements separate if padding or groups separate them")
  func keepElementsApart() {
    let padded = WindowGeometry(
      batch: 1, height: axis(input: 2, window: 1, output: 2), width: axis(input: 2, window: 3, before: 1, output: 2),
      channels: 4)
    let rows = WindowRows(padded, channels: 4)
    #expect(rows.taps == 3 && rows.tapDepth == 4)
    #expect(rows.table().readsPadding && !rows.table().hasFixedTaps)
    #expect(positions(rows.table(), 0..<4) == [-1, 0, 4, 0, 4, -1, -1, 8, 12, 8, 12, -1])

    let grouped = WindowGeometry(
      batch: 1, height: axis(input: 2, window: 2, output: 1), width: axis(input: 2, window: 2, output: 1), channels: 4)
    #expect(WindowRows(grouped, channels: 2).taps == 4)
    #expect(!WindowRows(grouped, channels: 2).table().readsPadding)
  }

  @Test("need no table if rows are evenly spaced")
  func needNoTable() {
    func distance(_ input: (Int, Int), stride: (Int, Int), output: (Int, Int)) -> Int? {
      let geometry = WindowGeometry(
        batch: 1, height: axis(input: input.0, window: 1, stride: stride.0, output: output.0),
        width: axis(input: input.1, window: 1, stride: stride.1, output: output.1), channels: 8)
      return WindowRows(geometry, channels: 8).distance
    }
    #expect(distance((4, 4), stride: (1, 1), output: (4, 4)) == 8)
    #expect(distance((4, 4), stride: (2, 2), output: (2, 2)) == nil)
    #expect(distance((1, 8), stride: (2, 2), output: (1, 4)) == 16)
    #expect(distance((8, 1), stride: (2, 2), output: (4, 1)) == 16)
  }

  @Test("have the same positions if they aren't stored, from any row on", arguments: [1, 2])
  func computePositionsInTheRun(_ phases: Int) {
    let geometry = WindowGeometry(
      batch: 1, height: axis(input: 7, window: 3, stride: 2, before: 1, output: 4),
      width: axis(input: 6, window: 3, before: 1, output: 5), channels: 2, columnPhases: phases)
    let rows = WindowRows(geometry, channels: 2)
    let stored = rows.table(), computed = rows.table(isStored: false)
    #expect(!stored.isMadeInRun && computed.isMadeInRun)
    #expect(computed.readsPadding && stored.scratchBytes(rows: 5) == 0)
    for first in 0..<20 {
      for end in first + 1...20 { #expect(positions(computed, first..<end) == positions(stored, first..<end)) }
    }
    // The window in row 1 and column 4 of the output.
    let columns = phases == 1 ? [3, 4, 5] : [4, 2, 5]
    let line = columns.map { Int32(2 * $0) }
    #expect(positions(stored, 9..<10) == (1...3).flatMap { row in line.map { Int32(12 * row) + $0 } })
  }

  @Test("have no positions without outputs")
  func haveNoRows() {
    let geometry = WindowGeometry(
      batch: 1, height: axis(input: 3, window: 3, before: 1, output: 3), width: axis(input: 1, window: 3, output: 0),
      channels: 2)
    let table = WindowRows(geometry, channels: 2).table()
    #expect(positions(table, 0..<0) == [])
  }

  @Test("indirection buffers that are too long to keep are created in the run, with the same positions")
  func makeLongTablesInTheRun() {
    let length = (1 << 24) + 2
    let table = IndirectionBuffer(nil, rows: length, taps: 1, readsPadding: false) { first, end, positions in
      for row in first..<end { positions[row - first] = Int32(row) }
    }
    #expect(table.scratchBytes(rows: 10) == 40)
    #expect(positions(table, length - 3..<length) == [Int32(length - 3), Int32(length - 2), Int32(length - 1)])
  }
}
