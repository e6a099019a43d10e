import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// The common part of NON_MAX_SUPPRESSION_V4 and V5: selects boxes by decreasing score and skips those that overlap a
/// selected box.
///
/// - Shapes: boxes `[n, 4]` (two opposite corners, y before x), scores `[n]`, then scalars: the maximum number of
///   results, the overlap at which a box is skipped, the score that must be exceeded, and in V5 the softness sigma.
///   Outputs: indices `[most]`, in V5 their scores `[most]`, and the count.
/// - Types: float32 and int32.
/// - Throws: `invalidInput` in a run for a negative sigma.
/// - Source: operators 120 and 121 of the model format; Bodla et al., "Soft-NMS" (2017). With a sigma above 0, the
///   score of an overlapping box that isn't skipped is reduced by a Gaussian of the overlap. Equal scores are ordered
///   by index. Outputs beyond the count are 0.
protocol NonMaxSuppressionOperator: Operator {
  init()
  static var isSoft: Bool { get }
}

extension NonMaxSuppressionOperator {
  static var types: [TypeCombination] {
    .one(
      .float32, .float32, .int32, .float32, .float32, .float32,
      to: .int32, isSoft ? .float32 : .int32, .int32)
  }

  init(parsing node: NodeReader) throws {
    let inputs = Self.isSoft ? 6 : 5
    let outputs = Self.isSoft ? 3 : 2
    try node.require(inputs: inputs...inputs, outputs: outputs...outputs)
    self.init()
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let limit = try node.integer(2)
    guard limit >= 0 else { throw node.invalid("requests at most \(limit) boxes; the limit must not be negative") }
    return Self.isSoft ? [[limit], [limit], []] : [[limit], []]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let boxes = try node.input(0)
    let scores = try node.input(1)
    guard boxes.shape.rank == 2, boxes.shape[1] == 4, scores.shape == [boxes.shape[0]] else {
      throw node.invalid("boxes \(boxes) and scores \(scores) must have the shapes [n×4] and [n]")
    }
    for index in 3..<(Self.isSoft ? 6 : 5) where try node.input(index).shape.elementCount != 1 {
      throw node.invalid("input \(try node.input(index)) must contain one number")
    }
    // The capacity of the outputs.
    let limit = try node.output(0).shape.elementCount
    let count = boxes.shape[0]
    let suppression = BoxSuppression(
      count: count, limit: limit, boxes: try context.inputSlot(0), scores: try context.inputSlot(1),
      overlapThreshold: try context.inputSlot(3), scoreThreshold: try context.inputSlot(4),
      sigma: Self.isSoft ? try context.inputSlot(5) : nil,
      candidates: try context.scratch(bytes: count * MemoryLayout<ScoreHeap.Entry>.stride),
      checked: try context.scratch(bytes: Self.isSoft ? count * MemoryLayout<Int32>.stride : 0),
      selectedBoxes: try context.scratch(bytes: min(limit, count) * MemoryLayout<CornerBox>.stride),
      indices: try context.outputSlot(0), results: Self.isSoft ? try context.outputSlot(1) : nil,
      total: try context.outputSlot(Self.isSoft ? 2 : 1), location: node.node.location)
    // Every candidate is compared with every selected box. With softness, this requires an exponential function and
    // another insertion into the heap.
    let kept = Double(min(limit, count))
    let work =
      ScoreHeap.work(entries: count) * (Self.isSoft ? 1 + kept / 8 : 1) + Double(count)
      * (20 + (Self.isSoft ? 15 : 3) * kept)
      + Double(limit)
    return PreparedOperator(work: work) { run, _ in try suppression.run(run) }
  }
}

/// NON_MAX_SUPPRESSION_V4: see `NonMaxSuppressionOperator`.
struct NonMaxSuppressionV4Operator: NonMaxSuppressionOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.nonMaxSuppressionV4, versions: 1...1, types: Self.types)
  }
  static let isSoft = false
}

/// NON_MAX_SUPPRESSION_V5: with scores and softness; see `NonMaxSuppressionOperator`.
struct NonMaxSuppressionV5Operator: NonMaxSuppressionOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.nonMaxSuppressionV5, versions: 1...1, types: Self.types)
  }
  static let isSoft = true
}

private struct BoxSuppression: Sendable {
  let count: Int
  let limit: Int
  let boxes: TensorSlot
  let scores: TensorSlot
  let overlapThreshold: TensorSlot
  let scoreThreshold: TensorSlot
  let sigma: TensorSlot?
  let candidates: TensorSlot
  /// For each box, the number of selected boxes that have already reduced its score.
  let checked: TensorSlot
  let selectedBoxes: TensorSlot
  let indices: TensorSlot
  let results: TensorSlot?
  let total: TensorSlot
  let location: RuntimeError.Location

  func run(_ run: RunContext) throws {
    let indices = run.pointer(indices, as: Int32.self)
    indices.update(repeating: 0, count: limit)
    if let results { run.pointer(results, as: Float.self).update(repeating: 0, count: limit) }
    let sigma = sigma.map { run.pointer($0, as: Float.self)[0] } ?? 0
    guard sigma >= 0 else {
      throw RuntimeError(.invalidInput, "sigma must not be negative, got \(sigma)", location: location)
    }
    let scores = run.pointer(scores, as: Float.self)
    let threshold = run.pointer(scoreThreshold, as: Float.self)[0]
    var heap = ScoreHeap(run.pointer(candidates, as: ScoreHeap.Entry.self))
    for index in 0..<count where scores[index] > threshold {
      heap.append(.init(score: scores[index], index: Int32(truncatingIfNeeded: index)))
    }
    heap.order()
    let selected =
      sigma > 0 ? selectSoftly(&heap, sigma: sigma, threshold: threshold, run) : select(&heap, run)
    run.pointer(total, as: Int32.self)[0] = Int32(truncatingIfNeeded: selected)
  }

  @inline(__always)
  private func box(_ index: Int32, _ run: RunContext) -> CornerBox {
    let numbers = run.pointer(boxes, as: Float.self) + 4 &* Int(index)
    return CornerBox(corner: numbers[0], numbers[1], and: numbers[2], numbers[3])
  }

  private func keep(_ entry: ScoreHeap.Entry, _ box: CornerBox, at position: Int, _ run: RunContext) {
    run.pointer(indices, as: Int32.self)[position] = entry.index
    run.pointer(selectedBoxes, as: CornerBox.self)[position] = box
    if let results { run.pointer(results, as: Float.self)[position] = entry.score }
  }

  private func select(_ heap: inout ScoreHeap, _ run: RunContext) -> Int {
    let overlapThreshold = run.pointer(overlapThreshold, as: Float.self)[0]
    let kept = run.pointer(selectedBoxes, as: CornerBox.self)
    var selected = 0
    while selected < limit, let entry = heap.pop() {
      let box = box(entry.index, run)
      // Latest first, because boxes with similar scores are likely to be close in the image.
      var other = selected &- 1
      while other >= 0, !(kept[other].intersectionOverUnion(with: box) >= overlapThreshold) { other &-= 1 }
      guard other < 0 else { continue }
      keep(entry, box, at: selected, run)
      selected &+= 1
    }
    return selected
  }

  /// Selects boxes with softness. A candidate whose score was reduced goes back to the queue. Later, it is only
  /// compared with the boxes selected in the meantime.
  private func selectSoftly(_ heap: inout ScoreHeap, sigma: Float, threshold: Float, _ run: RunContext) -> Int {
    let overlapThreshold = run.pointer(overlapThreshold, as: Float.self)[0]
    let kept = run.pointer(selectedBoxes, as: CornerBox.self)
    let checked = run.pointer(checked, as: Int32.self)
    checked.update(repeating: 0, count: count)
    let exponent = -0.5 / sigma
    var selected = 0
    while selected < limit, var entry = heap.pop() {
      let box = box(entry.index, run)
      let original = entry.score
      var isSuppressed = false
      var other = selected &- 1
      while other >= Int(checked[Int(entry.index)]) {
        let overlap = kept[other].intersectionOverUnion(with: box)
        isSuppressed = overlap >= overlapThreshold
        if isSuppressed { break }
        entry.score *= exp(exponent * overlap * overlap)
        if entry.score <= threshold { break }
        other &-= 1
      }
      checked[Int(entry.index)] = Int32(truncatingIfNeeded: selected)
      if isSuppressed { continue }
      if entry.score == original {
        keep(entry, box, at: selected, run)
        selected &+= 1
      } else if entry.score > threshold {
        heap.push(entry)
      }
    }
    return selected
  }
}

/// A priority queue of scores in the caller's memory: the highest score first, and the lowest index for equal scores.
///
/// Selections rarely need all candidates in order. A heap returns them one by one, without sorting the rest or
/// allocating memory.
struct ScoreHeap {
  struct Entry: BitwiseCopyable, Sendable {
    var score: Float
    var index: Int32

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      score > other.score || (score == other.score && index < other.index)
    }
  }

  /// Returns the approximate work of filling and emptying a heap with a number of entries, in nanoseconds.
  static func work(entries: Int) -> Double {
    Double(entries) * (10 + 6 * Double(Int.bitWidth - entries.leadingZeroBitCount))
  }

  private let entries: UnsafeMutablePointer<Entry>
  private(set) var count = 0

  /// Creates an empty heap.
  ///
  /// - Parameter memory: Memory for the maximum number of entries in the heap.
  init(_ memory: UnsafeMutablePointer<Entry>) { entries = memory }

  /// Adds an entry without restoring the order. Call `order()` after the last one.
  @inline(__always)
  mutating func append(_ entry: Entry) {
    entries[count] = entry
    count &+= 1
  }

  mutating func order() {
    var position = count / 2
    while position > 0 {
      position &-= 1
      sink(position)
    }
  }

  /// Removes and returns the first entry.
  mutating func pop() -> Entry? {
    guard count > 0 else { return nil }
    let first = entries[0]
    count &-= 1
    entries[0] = entries[count]
    sink(0)
    return first
  }

  mutating func push(_ entry: Entry) {
    var position = count
    count &+= 1
    while position > 0 {
      let parent = (position &- 1) / 2
      guard entry.precedes(entries[parent]) else { break }
      entries[position] = entries[parent]
      position = parent
    }
    entries[position] = entry
  }

  private func sink(_ start: Int) {
    guard start < count else { return }
    let entry = entries[start]
    var position = start
    while true {
      var child = 2 &* position &+ 1
      guard child < count else { break }
      if child &+ 1 < count, entries[child &+ 1].precedes(entries[child]) { child &+= 1 }
      guard entries[child].precedes(entry) else { break }
      entries[position] = entries[child]
      position = child
    }
    entries[position] = entry
  }
}
