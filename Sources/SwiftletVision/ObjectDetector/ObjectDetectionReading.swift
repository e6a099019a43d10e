import SwiftletFlatBuffers
import SwiftletRuntime
import SwiftletSchema

/// Reads the objects out of a model's outputs.
protocol ObjectDetectionReading {
  /// The detections that pass the options, in the coordinates of the model's input.
  func detections(_ model: VisionModel, filter: CategoryFilter) throws -> [RelativeDetection]
}

/// A model that has suppressed overlapping boxes itself and gives boxes, classes, scores and a count.
struct PostprocessedDetections: ObjectDetectionReading {
  /// Positions in the model's outputs.
  struct Outputs: Sendable, Hashable {
    var boxes: Int
    var classes: Int
    var scores: Int
    var count: Int
  }

  /// Where left, top, right and bottom stand in a box.
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
  /// Neighbouring rows that stand for classes of one box.
  let classesPerBox: Int
  let calibrator: ScoreCalibrator?
  let options: ObjectDetectorOptions

  func detections(_ model: VisionModel, filter: CategoryFilter) throws -> [RelativeDetection] {
    let boxes = try model.withRealOutput(outputs.boxes) { Array($0) }
    let classes = try model.withRealOutput(outputs.classes) { Array($0) }
    let scores = try model.withRealOutput(outputs.scores) { Array($0) }
    let announced = try model.withRealOutput(outputs.count) { $0.first ?? 0 }
    let capacity = min(boxes.count / 4, classes.count, scores.count)
    let count = announced > 0 ? Int(min(announced, Float(capacity))) : 0
    var result: [RelativeDetection] = []
    for group in stride(from: 0, to: count, by: classesPerBox) {
      guard options.maxResults < 0 || result.count < options.maxResults else { break }
      var found: [RelativeDetection.ScoredClass] = []
      for row in group..<min(group + classesPerBox, count) {
        let value = classes[row]
        guard value.isFinite, abs(value) < 1e9 else { continue }
        let category = Int(value)
        let score = try calibrator?.calibrated(scores[row], category: category) ?? scores[row]
        if filter.allows(category), score >= options.scoreThreshold {
          found.append(.init(index: category, score: score))
        }
      }
      guard !found.isEmpty else { continue }
      let box = boxes[(group * 4)..<(group * 4 + 4)]
      func side(_ position: Int) -> Float { box[group * 4 + position] }
      let detection = RelativeDetection(
        left: side(boxOrder.left), top: side(boxOrder.top), width: side(boxOrder.right) - side(boxOrder.left),
        height: side(boxOrder.bottom) - side(boxOrder.top), classes: found)
      if detection.isUsable { result.append(detection) }
    }
    return result
  }
}

/// A model that gives raw boxes and scores; decoding and suppression are done here.
struct RawDetections: ObjectDetectionReading {
  /// Boxes that overlap a better one by more are dropped.
  static let suppressionThreshold: Float = 0.3

  let decoder: BoxDecoder
  let boxesOutput: Int
  let scoresOutput: Int
  let options: ObjectDetectorOptions

  func detections(_ model: VisionModel, filter: CategoryFilter) throws -> [RelativeDetection] {
    let candidates = try model.withRealOutput(boxesOutput) { boxes in
      try model.withRealOutput(scoresOutput) { scores in
        decoder.detections(
          boxes: boxes, scores: scores, threshold: options.scoreThreshold, allows: filter.allows)
      }
    }
    return NonMaximumSuppression.greedy(
      candidates, threshold: Self.suppressionThreshold, limit: options.maxResults)
  }
}
