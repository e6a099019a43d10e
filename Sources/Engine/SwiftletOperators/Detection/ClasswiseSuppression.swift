import SwiftletEngine

/// Suppression within each class, and then the best of all classes.
struct ClasswiseSuppression<Element: DetectionScore>: Sendable {
  private let layout: DetectionLayout
  private let columns: ScoreColumns<Element>
  /// The most detections per class.
  private let limit: Int
  /// `limit` entries per class, best first.
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
