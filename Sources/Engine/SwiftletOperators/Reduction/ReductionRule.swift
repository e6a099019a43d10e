import SwiftletBase
import SwiftletEngine
import SwiftletKernels

/// The arithmetic of a reduction: the combination of elements, and the conversion of the result.
protocol ReductionRule: Sendable {
  associatedtype Element: BitwiseCopyable
  associatedtype Output: BitwiseCopyable
  associatedtype Accumulator: BitwiseCopyable

  /// The result for no elements.
  var empty: Output { get }
  /// Returns the accumulator after the first element.
  func begin(_ element: Element) -> Accumulator
  func combine(_ accumulator: Accumulator, _ element: Element) -> Accumulator
  func finish(_ accumulator: Accumulator) -> Output

  /// The alternative that kernels implement; `nil` if there is none.
  var kernel: FloatReduction? { get }

  /// Whether partial results of interleaved elements may be merged. This allows vectorization if the compiler itself
  /// may not change the order.
  static var usesLanes: Bool { get }
  /// Merges two partial results. Only called for rules that use lanes.
  func merge(_ first: Accumulator, _ second: Accumulator) -> Accumulator
}

extension ReductionRule {
  var kernel: FloatReduction? { nil }
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
}

extension PreparedOperator {
  /// The number of outputs per item, so that their accumulators stay in the L1 cache.
  private static let outputsPerItem = 512

  /// Reduces input 0 to output 0 by `rule`.
  ///
  /// - Parameter cost: The time per element in nanoseconds.
  static func reduction(
    _ rule: some ReductionRule, _ context: PrepareContext, cost: Double = 0.25
  ) throws -> PreparedOperator {
    try reduction(rule.loops, context, cost: cost)
  }

  /// Creates the reduction for any rule, compiled once.
  static func reduction(
    _ loops: ReductionLoops, _ context: PrepareContext, cost: Double = 0.25
  ) throws -> PreparedOperator {
    let axes = try ReductionAxes(context.node)
    let plan = ReductionPlan(shape: try context.node.input(0).shape, isReduced: axes.isReduced)
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    guard plan.outputCount > 0 else { return .empty }
    guard plan.reducedCount > 0 else {
      return PreparedOperator(items: plan.outputCount, cost: 0.5) { run, range in
        loops.fillEmpty(run.pointer(destination) + range.lowerBound &* loops.outputBytes, range.count)
      }
    }
    if let kernel = loops.kernel, let fast = try floatReduction(kernel, plan, context) { return fast }
    context.requireWorkerScratch(bytes: outputsPerItem * loops.accumulatorBytes)
    switch plan.innerLoop {
    case .runs(let length):
      return runs(loops, plan, length: length, from: source, to: destination, cost: cost)
    case .columns(let inner, let rows, let stride):
      return columns(
        loops, plan, inner: inner, rows: rows, stride: stride, from: source, to: destination, cost: cost)
    }
  }

  private static func runs(
    _ loops: ReductionLoops, _ plan: ReductionPlan, length: Int, from source: TensorSlot, to destination: TensorSlot,
    cost: Double
  ) -> PreparedOperator {
    let outer = plan.outer
    let repeated = plan.repeated
    let repetitions = max(1, plan.reducedCount / length)
    // Along the innermost group of outputs, runs are evenly spaced.
    let inner = outer.last ?? ReductionPlan.Group(count: 1, stride: 0)
    // The start of each run is computed separately.
    let itemCost = cost * Double(plan.reducedCount) + 10 * Double(repetitions - 1) + 3
    return PreparedOperator(items: plan.outputCount, cost: itemCost) { run, range in
      var first = range.lowerBound
      while first < range.upperBound {
        let part = first..<min(range.upperBound, first &+ outputsPerItem)
        var start = first
        while start < part.upperBound {
          let count = min(inner.count &- start % inner.count, part.upperBound &- start)
          let offset = ReductionPlan.offset(of: start, in: outer)
          for repetition in 0..<repetitions {
            let element = offset &+ ReductionPlan.offset(of: repetition, in: repeated)
            loops.combineRuns(
              ReductionLoops.Runs(
                elements: run.pointer(source) + element &* loops.elementBytes,
                accumulators: run.workerScratch + (start &- first) &* loops.accumulatorBytes, count: count,
                distance: inner.stride, length: length, continues: repetition > 0))
          }
          start &+= count
        }
        loops.finish(run.workerScratch, run.pointer(destination) + first &* loops.outputBytes, part.count)
        first = part.upperBound
      }
    }
  }

  private static func columns(
    _ loops: ReductionLoops, _ plan: ReductionPlan, inner: Int, rows: Int, stride: Int, from source: TensorSlot,
    to destination: TensorSlot, cost: Double
  ) -> PreparedOperator {
    let outer = plan.outer
    let repeated = plan.repeated
    let repetitions = plan.reducedCount / rows
    let pieces = (inner + outputsPerItem - 1) / outputsPerItem
    let width = (inner + pieces - 1) / pieces
    let items = plan.outputCount / inner * pieces
    let itemCost = cost * Double(plan.reducedCount) * Double(max(width, 4)) + 5
    return PreparedOperator(items: items, cost: itemCost) { run, range in
      let (input, accumulators) = (UnsafeRawPointer(run.pointer(source)), run.workerScratch)
      for item in range {
        let (row, piece) = item.quotientAndRemainder(dividingBy: pieces)
        let first = piece &* width
        let count = min(width, inner &- first)
        guard count > 0 else { continue }
        let start = input + (ReductionPlan.offset(of: row, in: outer) &+ first) &* loops.elementBytes
        loops.begin(start, accumulators, count)
        for repetition in 0..<max(repetitions, 1) {
          // The first row has initialized the accumulators.
          let done = repetition == 0 ? 1 : 0
          let element = ReductionPlan.offset(of: repetition, in: repeated) &+ done &* stride
          loops.combineRows(
            ReductionLoops.Rows(
              elements: start + element &* loops.elementBytes, accumulators: accumulators, rows: rows &- done,
              stride: stride, count: count))
        }
        loops.finish(accumulators, run.pointer(destination) + (row &* inner &+ first) &* loops.outputBytes, count)
      }
    }
  }
}

/// The maximum of integers.
///
/// Separate from the minimum, because a condition inside the loop would prevent vectorization.
struct IntegerMaximum<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  let empty = Element.min

  func begin(_ element: Element) -> Element { element }
  func combine(_ best: Element, _ element: Element) -> Element { max(best, element) }
  func finish(_ best: Element) -> Element { best }
}

/// The minimum of integers.
struct IntegerMinimum<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  let empty = Element.max

  func begin(_ element: Element) -> Element { element }
  func combine(_ best: Element, _ element: Element) -> Element { min(best, element) }
  func finish(_ best: Element) -> Element { best }
}

/// The maximum of floats. A number always takes precedence over NaN.
struct FloatMaximum: ReductionRule {
  static let usesLanes = true
  let kernel: FloatReduction? = FloatReduction(operation: .maximum)
  let empty = -Float.greatestFiniteMagnitude

  func begin(_ element: Float) -> Float { element > -.infinity ? element : -.infinity }
  func combine(_ best: Float, _ element: Float) -> Float { element > best ? element : best }
  func merge(_ first: Float, _ second: Float) -> Float { second > first ? second : first }
  func finish(_ best: Float) -> Float { best }
}

/// The minimum of floats. A number always takes precedence over NaN.
struct FloatMinimum: ReductionRule {
  static let usesLanes = true
  let kernel: FloatReduction? = FloatReduction(operation: .minimum)
  let empty = Float.greatestFiniteMagnitude

  func begin(_ element: Float) -> Float { element < .infinity ? element : .infinity }
  func combine(_ best: Float, _ element: Float) -> Float { element < best ? element : best }
  func merge(_ first: Float, _ second: Float) -> Float { second < first ? second : first }
  func finish(_ best: Float) -> Float { best }
}

/// Whether any Boolean is true. Every byte except 0 is true.
struct Disjunction: ReductionRule {
  let empty: UInt8 = 0

  func begin(_ element: UInt8) -> UInt8 { element }
  func combine(_ result: UInt8, _ element: UInt8) -> UInt8 { result | element }
  func finish(_ result: UInt8) -> UInt8 { result == 0 ? 0 : 1 }
}

/// Whether every Boolean is true.
///
/// Separate from `Disjunction`, because a condition inside the loop would prevent vectorization.
struct Conjunction: ReductionRule {
  let empty: UInt8 = 1

  func begin(_ element: UInt8) -> UInt8 { element == 0 ? 0 : 1 }
  func combine(_ result: UInt8, _ element: UInt8) -> UInt8 { min(result, element) }
  func finish(_ result: UInt8) -> UInt8 { result == 0 ? 0 : 1 }
}

struct FloatProduct: ReductionRule {
  static let usesLanes = true
  let empty: Float = 1

  func begin(_ element: Float) -> Float { element }
  func combine(_ product: Float, _ element: Float) -> Float { product * element }
  func merge(_ first: Float, _ second: Float) -> Float { first * second }
  func finish(_ product: Float) -> Float { product }
}

/// Products of plain integers, which wrap on overflow, as in the reference.
struct IntegerProduct<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  let empty: Element = 1

  func begin(_ element: Element) -> Element { element }
  func combine(_ product: Element, _ element: Element) -> Element { product &* element }
  func finish(_ product: Element) -> Element { product }
}

/// Products of quantized numbers, rescaled after every factor so that they stay in range.
///
/// - Source: `QuantizedReduceProd` of the reference runtime. Each of the `count` rescalings includes the `count`-th
///   root of the output scale.
struct QuantizedProduct<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  private let multiplier: QuantizedMultiplier
  private let inputZeroPoint: Int32
  private let outputZeroPoint: Int32

  let empty: Element

  init(input: (scale: Float, zeroPoint: Int32), output: (scale: Float, zeroPoint: Int32), count: Int) {
    multiplier = QuantizedMultiplier(Double(input.scale) / pow(Double(output.scale), 1 / Double(max(count, 1))))
    inputZeroPoint = input.zeroPoint
    outputZeroPoint = output.zeroPoint
    let one = (1 / output.scale).rounded(.toNearestOrAwayFromZero)
    empty = Element(clamping: Int64(max(-1e9, min(1e9, one))) + Int64(output.zeroPoint))
  }

  func begin(_ element: Element) -> Int32 { Int32(truncatingIfNeeded: element) &- inputZeroPoint }
  func combine(_ product: Int32, _ element: Element) -> Int32 {
    multiplier.apply(Int64(product) &* Int64(Int32(truncatingIfNeeded: element) &- inputZeroPoint))
  }
  func finish(_ product: Int32) -> Element {
    Element(clamping: multiplier.apply(Int64(product)) &+ outputZeroPoint)
  }
}
