import SwiftletEngine

/// The loops of a reduction. Only the loops know the element type, and only they are compiled per rule.
struct ReductionLoops: Sendable {
  /// The element size in bytes.
  let elementBytes: Int
  let accumulatorBytes: Int
  let outputBytes: Int
  /// The alternative that kernels implement, if any.
  let kernel: FloatReduction?
  /// Writes `count` results of reductions without elements.
  let fillEmpty: @Sendable (_ output: UnsafeMutableRawPointer, _ count: Int) -> Void
  /// Combines contiguous elements.
  let combineRuns: @Sendable (Runs) -> Void
  /// Initializes `count` accumulators, each with one element.
  let begin: @Sendable (_ elements: UnsafeRawPointer, _ accumulators: UnsafeMutableRawPointer, _ count: Int) -> Void
  /// Combines rows with the accumulators, element by element.
  let combineRows: @Sendable (Rows) -> Void
  /// Writes the results of `count` accumulators.
  let finish: @Sendable (_ accumulators: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, _ count: Int) -> Void

  struct Runs {
    var elements: UnsafeRawPointer
    var accumulators: UnsafeMutableRawPointer
    /// The number of accumulators, and the number of elements between their first elements.
    var count: Int
    var distance: Int
    /// The number of elements per run, at least 1.
    var length: Int
    /// Whether the accumulators contain the result so far.
    var continues: Bool
  }

  struct Rows {
    var elements: UnsafeRawPointer
    var accumulators: UnsafeMutableRawPointer
    var rows: Int
    /// The number of elements between two rows.
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

  /// Combines rows with the accumulators, four at a time, which reduces loads and stores of the accumulators.
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
