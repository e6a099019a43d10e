import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// Decodes the objects from a model's outputs.
protocol ObjectDetectionOutputDecoder {
  /// Writes the detections that pass the options to `list`, in coordinates of the model's input.
  mutating func decode(_ model: VisionModel, into list: inout DetectionList) throws
}

/// A decoder for models that perform non-maximum suppression themselves and return boxes, classes, scores, and a count.
struct PostprocessedOutputDecoder: ObjectDetectionOutputDecoder {
  /// The indices of the model's outputs.
  struct Outputs: Sendable, Hashable {
    var boxes: Int
    var classes: Int
    var scores: Int
    var count: Int
  }

  /// The indices of left, top, right, and bottom in a box.
  struct BoxOrder: Sendable, Hashable {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    static let topLeftBottomRight = BoxOrder(left: 1, top: 0, right: 3, bottom: 2)
    static let leftTopRightBottom = BoxOrder(left: 0, top: 1, right: 2, bottom: 3)
  }

  let outputs: Outputs
  let boxOrder: BoxOrder
  /// The number of consecutive rows with classes of the same box.
  let classesPerBox: Int
  let calibrator: ScoreCalibrator?
  let filter: CategoryFilter
  let options: ObjectDetectorOptions

  func decode(_ model: VisionModel, into list: inout DetectionList) throws {
    list.removeAll()
    list.results = model.base.results
    var steps = StepCounter()
    let announced = try model.withRealOutput(outputs.count) { $0.first ?? 0 }
    try model.withRealOutput(outputs.boxes) { boxes in
      try model.withRealOutput(outputs.classes) { classes in
        try model.withRealOutput(outputs.scores) { scores in
          let capacity = min(boxes.count / 4, classes.count, scores.count)
          // A capacity that no float represents exactly is rounded, possibly up. The last limit is exact.
          let boxCount = announced > 0 ? Int(min(announced, Float(capacity))) : 0
          let (rowCount, overflow) = boxCount.multipliedReportingOverflow(by: classesPerBox)
          let count = overflow ? capacity : min(rowCount, capacity)
          for first in stride(from: 0, to: count, by: classesPerBox) {
            guard options.maxResults.map({ list.count < $0 }) ?? true else { return }
            try steps.step(classesPerBox)
            let rows = first..<min(first + classesPerBox, count)
            try append(rows, boxes: boxes, classes: classes, scores: scores, to: &list)
            try list.chargeNew()
          }
        }
      }
    }
  }

  /// Appends the detection in `rows` if its box is valid and one of its classes passes the filter.
  private func append(
    _ rows: Range<Int>, boxes: UnsafeBufferPointer<Float>, classes: UnsafeBufferPointer<Float>,
    scores: UnsafeBufferPointer<Float>, to list: inout DetectionList
  ) throws(TaskError) {
    func side(_ position: Int) -> Float { boxes[rows.lowerBound * 4 + position] }
    let box = RelativeBox(
      x: side(boxOrder.left), y: side(boxOrder.top), width: side(boxOrder.right) - side(boxOrder.left),
      height: side(boxOrder.bottom) - side(boxOrder.top))
    guard box.isDefined else { return }
    var isNew = true
    for row in rows {
      let value = classes[row]
      guard value.isFinite, abs(value) < 1e9 else { continue }
      let category = Int(value)
      let score = try calibrator?.calibrated(scores[row], category: category) ?? scores[row]
      guard filter.allows(category), score >= options.scoreThreshold else { continue }
      if isNew { list.append(box) }
      isNew = false
      list.appendClass(.init(index: category, score: score))
    }
  }
}

/// A decoder for models that return raw boxes and scores. It decodes the boxes and performs non-maximum suppression.
struct RawOutputDecoder: ObjectDetectionOutputDecoder {
  /// The intersection over union with a better box above which a box is dropped.
  private static let suppressionThreshold: Float = 0.3

  private let decoder: BoxDecoder
  private let boxesOutput: Int
  private let scoresOutput: Int
  private let classes: [Int]
  private let options: ObjectDetectorOptions
  private var candidates = DetectionList()
  private var suppression = NonMaximumSuppression()

  init(
    decoder: BoxDecoder, boxesOutput: Int, scoresOutput: Int, filter: CategoryFilter, options: ObjectDetectorOptions
  ) {
    self.decoder = decoder
    self.boxesOutput = boxesOutput
    self.scoresOutput = scoresOutput
    self.options = options
    // The count is at most the number of scores, as `RawDetectionOutputs` has checked.
    classes = (0..<decoder.classCount).filter(filter.allows)
  }

  mutating func decode(_ model: VisionModel, into list: inout DetectionList) throws {
    candidates.removeAll()
    candidates.results = model.base.results
    try model.withRealOutput(boxesOutput) { boxes in
      try model.withRealOutput(scoresOutput) { scores in
        try decoder.decode(
          boxes: boxes, scores: scores, threshold: options.scoreThreshold, classes: classes, into: &candidates)
      }
    }
    try suppression.greedy(
      candidates, threshold: Self.suppressionThreshold, limit: options.maxResults, into: &list)
  }
}
