import SwiftletEngine
import SwiftletSchema

/// TOPK_V2: the largest elements of every row in decreasing order, and their positions.
///
/// - Shapes: data of rank 1 or more; k, one element; both outputs have the data's shape with a last axis of k.
/// - Types: data float32, int8, uint8, int16, int32, or int64; k int32 or int16; indices int32 or int16.
/// - Source: operator 48 of the model format. Equal elements are in order of position, and NaN comes last.
struct TopKOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .topkV2, versions: 1...3,
      types: [ElementType.float32, .int8, .uint8, .int16, .int32, .int64].map {
        TypeCombination(inputs: [TypeSet($0), [.int32, .int16]], outputs: [TypeSet($0), [.int32, .int16]])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2, outputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let count = max(0, try node.integer(1))
    guard let size = input.shape.dimensions.last, count <= size else {
      throw node.invalid("cannot take \(count) elements of every row of input \(input)")
    }
    guard try node.output(1).elementType == .int32 || size <= Int(Int16.max) + 1, size <= Int(Int32.max) else {
      throw node.invalid("rows of input \(input) are too long for indices \(try node.output(1))")
    }
    let shape = Shape(input.shape.dimensions.dropLast() + [count])
    return [shape, shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .float32: try prepared(Float.self, context)
    case .int8: try prepared(Int8.self, context)
    case .uint8: try prepared(UInt8.self, context)
    case .int16: try prepared(Int16.self, context)
    case .int32: try prepared(Int32.self, context)
    default: try prepared(Int64.self, context)
    }
  }

  private func prepared<Element: Comparable & BitwiseCopyable & Sendable>(
    _ type: Element.Type, _ context: PrepareContext
  ) throws -> PreparedOperator {
    let shape = try context.node.output(0).shape
    guard shape.elementCount > 0 else { return .empty }
    let size = try context.node.input(0).shape.innermost
    let count = shape.innermost
    let source = try context.inputSlot(0)
    let values = try context.outputSlot(0)
    let indices = try context.outputSlot(1)
    let hasWideIndices = try context.node.output(1).elementType == .int32
    let rows = shape.elementCount / count
    // Every element may move down through the whole heap.
    let levels = Double(Int.bitWidth - count.leadingZeroBitCount)
    let steps = RowSelection<Element>.steps(size: size, capacity: count)
    let cost = Double(steps) * (2 + 3 * levels)
    @Sendable func select(_ run: RunContext, row: Int, heap: UnsafeMutablePointer<Int32>, steps: Range<Int>) {
      let elements = UnsafePointer(run.pointer(source, as: type)) + row &* size
      let selection = RowSelection(elements: elements, best: heap, size: size, capacity: count)
      for rank in selection.run(steps) {
        let index = selection.best[rank]
        run.pointer(values, as: type)[row &* count &+ rank] = elements[Int(index)]
        if hasWideIndices {
          run.pointer(indices, as: Int32.self)[row &* count &+ rank] = index
        } else {
          run.pointer(indices, as: Int16.self)[row &* count &+ rank] = Int16(truncatingIfNeeded: index)
        }
      }
    }
    guard cost > PreparedOperator.Stage.maximumTileNanoseconds else {
      context.requireWorkerScratch(bytes: count * MemoryLayout<Int32>.size)
      return PreparedOperator(items: rows, cost: cost) { run, rows in
        for row in rows {
          select(run, row: row, heap: run.workerScratch.assumingMemoryBound(to: Int32.self), steps: 0..<steps)
        }
      }
    }
    let heaps = try context.scratch(elements: [rows, count], of: Int32.self)
    return PreparedOperator(
      stages: PreparedOperator.Stage.inOrder(lanes: rows, items: steps, cost: cost / Double(steps)) { run, row, part in
        select(run, row: row, heap: run.pointer(heaps, as: Int32.self) + row &* count, steps: part)
      })
  }
}

/// The best elements of one row, in a heap whose root is the worst of them.
private struct RowSelection<Element: Comparable & BitwiseCopyable> {
  let elements: UnsafePointer<Element>
  /// The positions of the elements selected so far.
  let best: UnsafeMutablePointer<Int32>
  /// The size of the row.
  let size: Int
  let capacity: Int

  /// Returns whether the element at position `a` precedes the element at `b`.
  @inline(__always)
  private func isBefore(_ a: Int32, _ b: Int32) -> Bool {
    let (first, second) = (elements[Int(a)], elements[Int(b)])
    if first > second { return true }
    if first < second { return false }
    // Only NaN differs from itself.
    let isFirstNumber = first == first
    guard isFirstNumber == (second == second) else { return isFirstNumber }
    return a < b
  }

  /// Returns the number of steps of `run` for a row: load the first elements, build the heap, process all other
  /// elements, sort, and write the results.
  static func steps(size: Int, capacity: Int) -> Int { size + capacity / 2 + 2 * capacity - 1 }

  /// Runs a range of steps, which must follow the previous ones. Returns the ranks whose elements are final and can be
  /// written next.
  func run(_ steps: Range<Int>) -> Range<Int> {
    var begin = 0
    /// Returns the steps among the next `count`, relative to the first of these.
    func part(_ count: Int) -> Range<Int> {
      defer { begin &+= count }
      let lower = min(max(steps.lowerBound &- begin, 0), count)
      return lower..<min(max(steps.upperBound &- begin, lower), count)
    }
    for position in part(capacity) { best[position] = Int32(truncatingIfNeeded: position) }
    for step in part(capacity / 2) { sink(capacity / 2 &- 1 &- step, in: capacity) }
    for step in part(size &- capacity) {
      let candidate = Int32(truncatingIfNeeded: capacity &+ step)
      guard isBefore(candidate, best[0]) else { continue }
      best[0] = candidate
      sink(0, in: capacity)
    }
    // The worst elements move to the back one by one.
    for step in part(capacity &- 1) {
      let end = capacity &- 1 &- step
      let worst = best[0]
      best[0] = best[end]
      best[end] = worst
      sink(0, in: end)
    }
    return part(capacity)
  }

  /// Moves the element at `start` down until no worse element is below it.
  private func sink(_ start: Int, in count: Int) {
    var root = start
    while true {
      var worst = root
      let left = 2 &* root &+ 1
      if left < count, isBefore(best[worst], best[left]) { worst = left }
      if left &+ 1 < count, isBefore(best[worst], best[left &+ 1]) { worst = left &+ 1 }
      guard worst != root else { return }
      let moved = best[root]
      best[root] = best[worst]
      best[worst] = moved
      root = worst
    }
  }
}
