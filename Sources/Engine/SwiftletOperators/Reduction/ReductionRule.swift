import SwiftletEngine

/// The arithmetic of a reduction: how elements are combined, and what becomes of the result.
protocol ReductionRule: Sendable {
  associatedtype Element: BitwiseCopyable
  associatedtype Output: BitwiseCopyable
  associatedtype Accumulator: BitwiseCopyable

  /// The result for no elements at all.
  var empty: Output { get }
  /// The result so far after the first element.
  func begin(_ element: Element) -> Accumulator
  func combine(_ accumulator: Accumulator, _ element: Element) -> Accumulator
  func finish(_ accumulator: Accumulator) -> Output

  /// Whether partial results of interleaved elements may be merged: lets the compiler use vectors where it may not
  /// change the order itself.
  static var usesLanes: Bool { get }
  /// Joins two partial results. Only called for rules that use lanes.
  func merge(_ first: Accumulator, _ second: Accumulator) -> Accumulator
}

extension ReductionRule {
  static var usesLanes: Bool { false }
  func merge(_ first: Accumulator, _ second: Accumulator) -> Accumulator { first }

  /// Combines `count` ≥ 1 contiguous elements.
  @inline(__always)
  func combine(run elements: UnsafePointer<Element>, count: Int) -> Accumulator {
    var index = 1
    var result = begin(elements[0])
    if Self.usesLanes, count >= 16 {
      var lane1 = begin(elements[1])
      var lane2 = begin(elements[2])
      var lane3 = begin(elements[3])
      var lane4 = begin(elements[4])
      var lane5 = begin(elements[5])
      var lane6 = begin(elements[6])
      var lane7 = begin(elements[7])
      index = 8
      while index &+ 8 <= count {
        let block = elements + index
        result = combine(result, block[0])
        lane1 = combine(lane1, block[1])
        lane2 = combine(lane2, block[2])
        lane3 = combine(lane3, block[3])
        lane4 = combine(lane4, block[4])
        lane5 = combine(lane5, block[5])
        lane6 = combine(lane6, block[6])
        lane7 = combine(lane7, block[7])
        index &+= 8
      }
      result = merge(
        merge(merge(result, lane4), merge(lane2, lane6)), merge(merge(lane1, lane5), merge(lane3, lane7)))
    }
    while index < count {
      result = combine(result, elements[index])
      index &+= 1
    }
    return result
  }

  /// Adds `count` ≥ 1 contiguous elements to a result.
  @inline(__always)
  func combine(_ result: Accumulator, run elements: UnsafePointer<Element>, count: Int) -> Accumulator {
    if Self.usesLanes { return merge(result, combine(run: elements, count: count)) }
    var result = result
    for index in 0..<count { result = combine(result, elements[index]) }
    return result
  }
}

extension PreparedOperator {
  /// Columns are combined in pieces of this many outputs, so that their accumulators stay in the first cache.
  private static let columnsPerItem = 512

  /// Reduces input 0 to output 0 by `rule`.
  ///
  /// - Parameter cost: nanoseconds per element.
  static func reduction<Rule: ReductionRule>(
    _ rule: Rule, _ context: PrepareContext, cost: Double = 0.25
  ) throws -> PreparedOperator {
    let axes = try ReductionAxes(context.node)
    let plan = ReductionPlan(shape: try context.node.input(0).shape, isReduced: axes.isReduced)
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    guard plan.outputCount > 0 else { return .empty }
    guard plan.reducedCount > 0 else {
      return PreparedOperator(items: plan.outputCount, cost: 0.5) { run, range in
        let output = run.pointer(destination, as: Rule.Output.self)
        for index in range { output[index] = rule.empty }
      }
    }
    if let rule = rule as? any FloatRule, let fast = try floatReduction(rule, plan, context) { return fast }
    switch plan.innerLoop {
    case .runs(let length):
      return runs(rule, plan, length: length, from: source, to: destination, cost: cost)
    case .columns(let inner, let rows, let stride):
      context.requireWorkerScratch(bytes: columnsPerItem * MemoryLayout<Rule.Accumulator>.stride)
      return columns(
        rule, plan, inner: inner, rows: rows, stride: stride, from: source, to: destination, cost: cost)
    }
  }

  private static func runs<Rule: ReductionRule>(
    _ rule: Rule, _ plan: ReductionPlan, length: Int, from source: TensorSlot, to destination: TensorSlot, cost: Double
  ) -> PreparedOperator {
    let outer = plan.outer
    let repeated = plan.repeated
    let repetitions = plan.reducedCount / length
    // Where a run begins is found anew for each.
    let itemCost = cost * Double(plan.reducedCount) + 10 * Double(repetitions - 1) + 3
    return PreparedOperator(items: plan.outputCount, cost: itemCost) { run, range in
      let output = run.pointer(destination, as: Rule.Output.self)
      let input = UnsafePointer(run.pointer(source, as: Rule.Element.self))
      for index in range {
        let start = input + ReductionPlan.offset(of: index, in: outer)
        var result = rule.combine(run: start, count: length)
        for repetition in 1..<max(repetitions, 1) {
          let next = start + ReductionPlan.offset(of: repetition, in: repeated)
          result = rule.combine(result, run: next, count: length)
        }
        output[index] = rule.finish(result)
      }
    }
  }

  private static func columns<Rule: ReductionRule>(
    _ rule: Rule, _ plan: ReductionPlan, inner: Int, rows: Int, stride: Int, from source: TensorSlot,
    to destination: TensorSlot, cost: Double
  ) -> PreparedOperator {
    let outer = plan.outer
    let repeated = plan.repeated
    let repetitions = plan.reducedCount / rows
    let pieces = (inner + columnsPerItem - 1) / columnsPerItem
    let width = (inner + pieces - 1) / pieces
    let items = plan.outputCount / inner * pieces
    let itemCost = cost * Double(plan.reducedCount) * Double(max(width, 4)) + 5
    return PreparedOperator(items: items, cost: itemCost) { run, range in
      let input = UnsafePointer(run.pointer(source, as: Rule.Element.self))
      let accumulators = run.workerScratch.assumingMemoryBound(to: Rule.Accumulator.self)
      for item in range {
        let (row, piece) = item.quotientAndRemainder(dividingBy: pieces)
        let first = piece &* width
        let count = min(width, inner &- first)
        guard count > 0 else { continue }
        let start = input + (ReductionPlan.offset(of: row, in: outer) &+ first)
        for column in 0..<count { accumulators[column] = rule.begin(start[column]) }
        accumulate(rule, accumulators, start, rows: 1..<rows, stride: stride, count: count)
        for repetition in 1..<max(repetitions, 1) {
          let next = start + ReductionPlan.offset(of: repetition, in: repeated)
          accumulate(rule, accumulators, next, rows: 0..<rows, stride: stride, count: count)
        }
        let output = run.pointer(destination, as: Rule.Output.self) + (row &* inner &+ first)
        for column in 0..<count { output[column] = rule.finish(accumulators[column]) }
      }
    }
  }

  /// Combines rows into the accumulators, four at a time so that these are loaded and stored less often.
  @inline(__always)
  private static func accumulate<Rule: ReductionRule>(
    _ rule: Rule, _ accumulators: UnsafeMutablePointer<Rule.Accumulator>, _ start: UnsafePointer<Rule.Element>,
    rows: Range<Int>, stride: Int, count: Int
  ) {
    var row = rows.lowerBound
    while row &+ 4 <= rows.upperBound {
      let row0 = start + row &* stride
      let row1 = row0 + stride
      let row2 = row1 + stride
      let row3 = row2 + stride
      for column in 0..<count {
        var value = rule.combine(accumulators[column], row0[column])
        value = rule.combine(value, row1[column])
        value = rule.combine(value, row2[column])
        accumulators[column] = rule.combine(value, row3[column])
      }
      row &+= 4
    }
    while row < rows.upperBound {
      let elements = start + row &* stride
      for column in 0..<count { accumulators[column] = rule.combine(accumulators[column], elements[column]) }
      row &+= 1
    }
  }
}
