import SwiftletBase
import SwiftletImage

/// Reduces overlapping detections of one object to one. Its memory is reused for the next image.
///
/// Every detection is compared with all that are kept, which takes the square of their number where none overlap. Of
/// more than ``maximumCandidates`` only the best are compared, so that a small model that announces a million boxes does
/// not take hours.
struct NonMaximumSuppression: Sendable {
  /// Twice the boxes of detectors for images of 512 × 512 pixels.
  static let maximumCandidates = 1 << 16

  private var ranking = ScoreRanking(limit: maximumCandidates)
  private var remaining: [Int] = []
  private var group: [Int] = []
  private var rest: [Int] = []

  /// Keeps the best detection of each group of overlapping ones.
  ///
  /// - Parameters:
  ///   - detections: in any order; equal scores keep their order.
  ///   - threshold: detections that overlap a kept one by more are dropped; intersection over union, 0…1.
  ///   - limit: the most that are kept; `nil` for all.
  ///   - kept: becomes the kept detections, best first.
  /// - Throws: `TaskError` after the deadline of the call.
  mutating func greedy(
    _ detections: DetectionList, threshold: Float, limit: Int?, into kept: inout DetectionList
  ) throws(TaskError) {
    kept.removeAll()
    try rank(detections)
    var steps = StepCounter()
    for entry in ranking.entries {
      try steps.step(1 + kept.count)
      guard limit.map({ kept.count < $0 }) ?? true else { return }
      let box = detections.boxes[entry.index]
      if !kept.boxes.contains(where: { $0.intersectionOverUnion(with: box) > threshold }) {
        kept.append(entry.index, of: detections)
      }
    }
  }

  /// Replaces each group of overlapping detections by one with the best score, whose box and keypoints are the mean
  /// over the group, weighted by score.
  ///
  /// - Parameter kept: becomes one detection a group, best first.
  /// - Throws: `TaskError` after the deadline of the call.
  /// - Source: the blending rule of "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs" (Bazarevsky et
  ///   al. 2019), in the form that MediaPipe runs.
  mutating func weighted(
    _ detections: DetectionList, threshold: Float, into kept: inout DetectionList
  ) throws(TaskError) {
    kept.removeAll()
    try rank(detections)
    var steps = StepCounter()
    remaining.removeAll(keepingCapacity: true)
    for entry in ranking.entries { remaining.append(entry.index) }
    while let best = remaining.first {
      try steps.step(remaining.count)
      let reference = detections.boxes[best]
      group.removeAll(keepingCapacity: true)
      rest.removeAll(keepingCapacity: true)
      for index in remaining {
        // The reference itself is in the group unless its box is empty.
        if detections.boxes[index].intersectionOverUnion(with: reference) > threshold {
          group.append(index)
        } else {
          rest.append(index)
        }
      }
      kept.append(best, of: detections)
      kept.blendLast(with: group, of: detections)
      guard rest.count < remaining.count else { return }
      swap(&remaining, &rest)
    }
  }

  private mutating func rank(_ detections: DetectionList) throws(TaskError) {
    ranking.removeAll()
    for index in detections.boxes.indices {
      ranking.insert(ScoreRanking.Entry(index: index, score: detections.score(index)))
    }
    try ranking.sortInTime()
  }
}

/// A box while a detection is worked on: coordinates are fractions of the model's input, later of the image.
///
/// Single precision, as MediaPipe works in it.
typealias RelativeBox = UprightBox<Float>

extension RelativeBox {
  /// Boxes with a negative or undefined size stand for nothing. Those without an area are kept: MediaPipe reports them.
  var isDefined: Bool { width >= 0 && height >= 0 && x.isFinite && y.isFinite && right.isFinite && bottom.isFinite }

  /// The upright box around this one's corners in the coordinates that `projection` leads to.
  func projected(by projection: ImageProjection) -> RelativeBox {
    let box = projection.boundingBox(left: x, top: y, right: right, bottom: bottom)
    return RelativeBox(x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top)
  }

  /// The box in whole pixels: every number is cut toward zero and clamped to the image by itself, so that a box which
  /// begins left of the image keeps its width.
  ///
  /// - Source: the rule of MediaPipe's detection transformation.
  func pixelBox(imageWidth: Int, imageHeight: Int) -> PixelRect {
    func pixels(_ fraction: Float, _ size: Int) -> Double {
      let value = fraction * Float(size)
      return value.isNaN ? 0 : Double(Int(min(max(value, 0), Float(size))))
    }
    return PixelRect(
      x: pixels(x, imageWidth), y: pixels(y, imageHeight), width: pixels(width, imageWidth),
      height: pixels(height, imageHeight))
  }
}

/// The range of confidences and overlaps that options of tasks take.
enum ConfidenceOption {
  /// - Parameter name: the option's, for the message.
  /// - Throws: `TaskError` (`invalidOption`) unless the value is in 0…1.
  static func check(_ value: Float, _ name: String) throws(TaskError) {
    guard (0...1).contains(value) else {
      throw TaskError(.invalidOption, "\(name) must be in 0...1, got \(value)")
    }
  }
}
