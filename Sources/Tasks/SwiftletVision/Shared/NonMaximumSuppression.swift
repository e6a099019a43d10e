import SwiftletBase
import SwiftletImage

/// Reduces overlapping detections of one object to one. Its memory is reused for the next image.
///
/// Every detection is compared with all detections that are kept, so the time is quadratic if none overlap. If there
/// are more than ``maximumCandidates`` detections, only the best are compared, so that a small model that returns a
/// million boxes does not take hours.
struct NonMaximumSuppression: Sendable {
  /// The maximum number of candidates: twice the number of boxes of detectors for images of 512 × 512 pixels.
  static let maximumCandidates = 1 << 16

  private var ranking = ScoreRanking(limit: maximumCandidates)
  private var remaining: [Int] = []
  private var group: [Int] = []
  private var rest: [Int] = []

  /// Keeps the best detection of each group of overlapping ones.
  ///
  /// - Parameters:
  ///   - detections: The detections in any order; equal scores keep their order.
  ///   - threshold: The intersection over union with a kept detection above which a detection is dropped, 0…1.
  ///   - limit: The maximum number of detections to keep; `nil` for all.
  ///   - kept: On return, the kept detections, best first.
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

  /// Replaces each group of overlapping detections by one detection with the best score. Its box and keypoints are the
  /// mean over the group, weighted by score.
  ///
  /// - Parameter kept: On return, one detection per group, best first.
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
        // The group contains the reference itself, unless its box is empty.
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

/// A box during processing: coordinates are fractions of the model's input, later of the image.
///
/// Single precision, as in MediaPipe.
typealias RelativeBox = UprightBox<Float>

extension RelativeBox {
  /// Whether the box has a defined, nonnegative size. Boxes without an area are valid: MediaPipe reports them.
  var isDefined: Bool { width >= 0 && height >= 0 && x.isFinite && y.isFinite && right.isFinite && bottom.isFinite }

  /// Returns the axis-aligned box around the corners of this box, projected by `projection`.
  func projected(by projection: ImageProjection) -> RelativeBox {
    let box = projection.boundingBox(left: x, top: y, right: right, bottom: bottom)
    return RelativeBox(x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top)
  }

  /// Returns the box in whole pixels. Every coordinate and size is truncated toward zero and clamped to the image
  /// separately, so a box that begins left of the image keeps its width.
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

/// The valid range of confidence and overlap options.
enum ConfidenceOption {
  /// Checks a value.
  ///
  /// - Parameter name: The name of the option, for the message.
  /// - Throws: `TaskError` (`invalidOption`) unless the value is in 0…1.
  static func check(_ value: Float, _ name: String) throws(TaskError) {
    guard (0...1).contains(value) else {
      throw TaskError(.invalidOption, "\(name) must be in 0...1, got \(value)")
    }
  }
}
