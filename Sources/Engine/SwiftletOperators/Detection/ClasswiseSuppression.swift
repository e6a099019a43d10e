import SwiftletEngine

/// Non-maximum suppression within each class, followed by a selection of the best detections of all classes.
struct ClasswiseSuppression<Element: DetectionScore>: Sendable {
  private let layout: DetectionLayout
  private let columns: ScoreColumns<Element>
  /// The maximum number of detections per class.
  private let limit: Int
  /// The selected entries, `limit` per class, best first.
  private let selected: TensorSlot
  private let counts: TensorSlot
  private let merged: TensorSlot

  init(_ context: PrepareContext, _ layout: DetectionLayout, _ columns: ScoreColumns<Element>) throws {
    let options = layout.options
    self.layout = layout
    self.columns = columns
    limit = min(options.detectionsPerClass, options.maxDetections, layout.boxCount)
    let total = options.classCount.multipliedReportingOverflow(by: limit)
    guard !total.overflow, total.partialValue <= Int(Int32.max) else {
      throw RuntimeError(
        .limitExceeded, "\(options.classCount) classes of \(limit) detections are too many", location: layout.location)
    }
    selected = try context.scratch(elements: [total.partialValue], of: ScoreHeap.Entry.self)
    merged = try context.scratch(elements: [total.partialValue], of: ScoreHeap.Entry.self)
    counts = try context.scratch(elements: [options.classCount], of: Int.self)
    context.requireWorkerScratch(
      bytes: try context.byteCount(elements: [limit], of: CornerBox.self)
        + context.byteCount(elements: [layout.boxCount], of: ScoreHeap.Entry.self))
  }

  var prepared: PreparedOperator {
    let classes = layout.options.classCount
    return PreparedOperator(stages: [
      .init(items: layout.boxCount, cost: 3) { run, range in try layout.checkAnchors(range, run) },
      .init(
        tileCount: classes, work: Double(classes) * layout.suppressionWork(candidates: layout.boxCount, limit: limit)
      ) {
        run, tile in suppress(class: tile, run)
      },
      .init(tileCount: 1, work: ScoreHeap.work(entries: classes * limit)) { run, _ in merge(run) },
    ])
  }

  private func suppress(class index: Int, _ run: RunContext) {
    let scores = run.pointer(layout.scores, as: Element.self) + (layout.firstColumn &+ index)
    let boxes = run.workerScratch.assumingMemoryBound(to: CornerBox.self)
    let candidates = run.workerScratch.advanced(by: limit &* MemoryLayout<CornerBox>.stride)
    var heap = ScoreHeap(candidates.assumingMemoryBound(to: ScoreHeap.Entry.self))
    for box in 0..<layout.boxCount {
      let score = columns.real(scores[box &* layout.columnCount])
      guard score >= layout.options.scoreThreshold else { continue }
      heap.append(.init(score: score, index: Int32(truncatingIfNeeded: box)))
    }
    heap.order()
    let kept = run.pointer(selected, as: ScoreHeap.Entry.self) + index &* limit
    run.pointer(counts, as: Int.self)[index] = layout.suppress(
      &heap, limit: limit, selected: kept, boxes: boxes, run)
  }

  private func merge(_ run: RunContext) {
    layout.clear(run)
    let kept = run.pointer(selected, as: ScoreHeap.Entry.self)
    let counts = run.pointer(counts, as: Int.self)
    var heap = ScoreHeap(run.pointer(merged, as: ScoreHeap.Entry.self))
    for index in 0..<layout.options.classCount {
      for place in (index &* limit)..<(index &* limit &+ counts[index]) {
        heap.append(.init(score: kept[place].score, index: Int32(truncatingIfNeeded: place)))
      }
    }
    heap.order()
    var count = 0
    while count < layout.options.maxDetections, let entry = heap.pop() {
      let place = Int(entry.index)
      let box = layout.decoder.box(Int(kept[place].index), run)
      layout.write(box, class: place / limit, score: entry.score, to: count, run)
      count &+= 1
    }
    run.pointer(layout.count, as: Float.self)[0] = Float(count)
  }
}

/// Non-maximum suppression over all classes at once. A box is ranked by its best class, and reported with its best few
/// classes.
struct JointSuppression<Element: DetectionScore>: Sendable {
  private let layout: DetectionLayout
  private let columns: ScoreColumns<Element>
  private let limit: Int
  /// The number of classes reported per box.
  private let ranks: Int
  private let bestScores: TensorSlot
  private let candidates: TensorSlot
  private let selected: TensorSlot
  private let selectedBoxes: TensorSlot

  init(_ context: PrepareContext, _ layout: DetectionLayout, _ columns: ScoreColumns<Element>) throws {
    self.layout = layout
    self.columns = columns
    limit = min(layout.options.maxDetections, layout.boxCount)
    ranks = min(layout.options.maxClassesPerDetection, layout.options.classCount)
    bestScores = try context.scratch(bytes: layout.boxCount * MemoryLayout<Float>.stride)
    candidates = try context.scratch(bytes: layout.boxCount * MemoryLayout<ScoreHeap.Entry>.stride)
    selected = try context.scratch(bytes: limit * MemoryLayout<ScoreHeap.Entry>.stride)
    selectedBoxes = try context.scratch(bytes: limit * MemoryLayout<CornerBox>.stride)
  }

  var prepared: PreparedOperator {
    PreparedOperator(stages: [
      .init(items: layout.boxCount, cost: 0.3 * Double(layout.options.classCount) + 5) { run, range in
        try layout.checkAnchors(range, run)
        scoreBoxes(range, run)
      },
      .init(tileCount: 1, work: work) { run, _ in select(run) },
    ])
  }

  /// The maximum work of selecting boxes and their classes. All classes are searched for each reported class.
  private var work: Double {
    layout.suppressionWork(candidates: layout.boxCount, limit: limit)
      + Double(limit) * Double(ranks) * (3 * Double(layout.options.classCount) + 10)
  }

  private func scoreBoxes(_ range: Range<Int>, _ run: RunContext) {
    let scores = UnsafePointer(run.pointer(layout.scores, as: Element.self)) + layout.firstColumn
    let best = run.pointer(bestScores, as: Float.self)
    for box in range {
      best[box] = columns.real(
        Element.largest(of: scores + box &* layout.columnCount, count: layout.options.classCount))
    }
  }

  private func select(_ run: RunContext) {
    layout.clear(run)
    let best = run.pointer(bestScores, as: Float.self)
    var heap = ScoreHeap(run.pointer(candidates, as: ScoreHeap.Entry.self))
    for box in 0..<layout.boxCount where best[box] >= layout.options.scoreThreshold {
      heap.append(.init(score: best[box], index: Int32(truncatingIfNeeded: box)))
    }
    heap.order()
    let kept = run.pointer(selected, as: ScoreHeap.Entry.self)
    let boxes = run.pointer(selectedBoxes, as: CornerBox.self)
    let count = layout.suppress(&heap, limit: limit, selected: kept, boxes: boxes, run)
    for position in 0..<count {
      report(boxes[position], index: Int(kept[position].index), position: position, run)
    }
    run.pointer(layout.count, as: Float.self)[0] = Float(count)
  }

  /// Writes the box once per best class, in decreasing order of score and increasing order of class.
  private func report(_ box: CornerBox, index: Int, position: Int, _ run: RunContext) {
    let scores =
      UnsafePointer(run.pointer(layout.scores, as: Element.self))
      + (index &* layout.columnCount &+ layout.firstColumn)
    var last: Int?
    for rank in 0..<ranks {
      var next: Int?
      for candidate in 0..<layout.options.classCount {
        if let last {
          let comesLater = scores[candidate] < scores[last] || (scores[candidate] == scores[last] && candidate > last)
          guard comesLater else { continue }
        }
        if let known = next, !(scores[candidate] > scores[known]) { continue }
        // NaN compares below everything, so it is never selected.
        guard scores[candidate] == scores[candidate] else { continue }
        next = candidate
      }
      guard let next else { return }
      layout.write(
        box, class: next, score: columns.real(scores[next]),
        to: layout.options.maxClassesPerDetection &* position &+ rank, run)
      last = next
    }
  }
}
