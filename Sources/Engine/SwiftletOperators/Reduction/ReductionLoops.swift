import SwiftletEngine

/// The loops of a reduction over elements that only they know: all that is compiled for a rule.
struct ReductionLoops: Sendable {
  /// Bytes of an element.
  let elementBytes: Int
  let accumulatorBytes: Int
  let outputBytes: Int
  /// What kernels have instead, if they do.
  let kernel: FloatReduction?
  /// Writes `count` results of no elements at all.
  let fillEmpty: @Sendable (_ output: UnsafeMutableRawPointer, _ count: Int) -> Void
  /// Combines contiguous elements.
  let combineRuns: @Sendable (Runs) -> Void
  /// Begins an accumulator with each of `count` elements.
  let begin: @Sendable (_ elements: UnsafeRawPointer, _ accumulators: UnsafeMutableRawPointer, _ count: Int) -> Void
  /// Combines rows with the accumulators, element by element.
  let combineRows: @Sendable (Rows) -> Void
  /// Writes the results of `count` accumulators.
  let finish: @Sendable (_ accumulators: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, _ count: Int) -> Void

  struct Runs {
    var elements: UnsafeRawPointer
    var accumulators: UnsafeMutableRawPointer
    /// The number of accumulators, and how many elements lie between their first ones.
    var count: Int
    var distance: Int
    /// At least 1.
    var length: Int
    /// Whether the accumulators hold the result so far.
    var continues: Bool
  }

  struct Rows {
    var elements: UnsafeRawPointer
    var accumulators: UnsafeMutableRawPointer
    var rows: Int
    /// Elements from one row to the next.
    var stride: Int
    var count: Int
  }
}

extension ReductionRule {
  var loops: ReductionLoops {
    ReductionLoops(
      elementBytes: MemoryLayout<Element>.stride, accumulatorBytes: MemoryLayout<Accumulator>.stride,
      outputBytes: MemoryLayout<Output>.stride, kernel: kernel
    ) { output, count in
      output.assumingMemoryBound(to: Output.self).update(repeating: empty, count: count)
    } combineRuns: {
      combine($0)
    } begin: { elements, accumulators, count in
      let elements = elements.assumingMemoryBound(to: Element.self)
      let accumulators = accumulators.assumingMemoryBound(to: Accumulator.self)
      for index in 0..<count { accumulators[index] = begin(elements[index]) }
    } combineRows: {
      combine($0)
    } finish: { accumulators, output, count in
      let accumulators = accumulators.assumingMemoryBound(to: Accumulator.self)
      let output = output.assumingMemoryBound(to: Output.self)
      for index in 0..<count { output[index] = finish(accumulators[index]) }
    }
  }

  @inline(__always)
  private func combine(_ runs: ReductionLoops.Runs) {
    let accumulators = runs.accumulators.assumingMemoryBound(to: Accumulator.self)
    for index in 0..<runs.count {
      let start = runs.elements.assumingMemoryBound(to: Element.self) + index &* runs.distance
      if Self.usesLanes {
        let result = combine(run: start, count: runs.length)
        accumulators[index] = runs.continues ? merge(accumulators[index], result) : result
      } else {
        var result = runs.continues ? combine(accumulators[index], start.pointee) : begin(start.pointee)
        for position in 1..<max(runs.length, 1) { result = combine(result, start[position]) }
        accumulators[index] = result
      }
    }
  }

  /// Combines rows into the accumulators, four at a time so that these are loaded and stored less often.
  @inline(__always)
  private func combine(_ rows: ReductionLoops.Rows) {
    let start = rows.elements.assumingMemoryBound(to: Element.self)
    let accumulators = rows.accumulators.assumingMemoryBound(to: Accumulator.self)
    let count = rows.count
    var row = 0
    while row &+ 4 <= rows.rows {
      let row0 = start + row &* rows.stride
      let row1 = row0 + rows.stride
      let row2 = row1 + rows.stride
      let row3 = row2 + rows.stride
      for column in 0..<count {
        var value = combine(accumulators[column], row0[column])
        value = combine(value, row1[column])
        value = combine(value, row2[column])
        accumulators[column] = combine(value, row3[column])
      }
      row &+= 4
    }
    while row < rows.rows {
      let elements = start + row &* rows.stride
      for column in 0..<count { accumulators[column] = combine(accumulators[column], elements[column]) }
      row &+= 1
    }
  }
}
