import SwiftletImage

/// Reduces overlapping detections of one object to one.
enum NonMaximumSuppression {
  /// Keeps the best detection of each group of overlapping ones.
  ///
  /// - Parameters:
  ///   - detections: in any order; equal scores keep their order.
  ///   - threshold: detections that overlap a kept one by more are dropped; intersection over union, 0…1.
  ///   - limit: the most that are kept; negative for all.
  /// - Returns: the kept detections, best first.
  static func greedy(_ detections: [RelativeDetection], threshold: Float, limit: Int) -> [RelativeDetection] {
    var kept: [RelativeDetection] = []
    for index in order(detections) {
      guard limit < 0 || kept.count < limit else { break }
      let candidate = detections[index]
      if !kept.contains(where: { $0.intersectionOverUnion(with: candidate) > threshold }) { kept.append(candidate) }
    }
    return kept
  }

  /// Replaces each group of overlapping detections by one with the best score, whose box and keypoints are the mean over the group,
  /// weighted by score.
  ///
  /// - Returns: one detection a group, best first.
  /// - Source: the blending rule of "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs" (Bazarevsky et al. 2019), in the form that
  ///   MediaPipe runs.
  static func weighted(_ detections: [RelativeDetection], threshold: Float) -> [RelativeDetection] {
    var remaining = order(detections)
    var result: [RelativeDetection] = []
    while let best = remaining.first {
      let reference = detections[best]
      var group: [Int] = []
      var rest: [Int] = []
      for index in remaining {
        // The reference itself is in the group unless its box is empty.
        if detections[index].intersectionOverUnion(with: reference) > threshold {
          group.append(index)
        } else {
          rest.append(index)
        }
      }
      result.append(group.isEmpty ? reference : blend(group.map { detections[$0] }, into: reference))
      guard rest.count < remaining.count else { break }
      remaining = rest
    }
    return result
  }

  private static func order(_ detections: [RelativeDetection]) -> [Int] {
    detections.indices.sorted { (detections[$0].score, $1) > (detections[$1].score, $0) }
  }

  private static func blend(_ group: [RelativeDetection], into reference: RelativeDetection) -> RelativeDetection {
    var (left, top, right, bottom, total) = (Float(0), Float(0), Float(0), Float(0), Float(0))
    var keypoints = [NormalizedPoint](repeating: NormalizedPoint(x: 0, y: 0), count: reference.keypoints.count)
    for member in group {
      let weight = member.score
      total += weight
      left += member.left * weight
      top += member.top * weight
      right += member.right * weight
      bottom += member.bottom * weight
      for index in keypoints.indices {
        keypoints[index].x += member.keypoints[index].x * weight
        keypoints[index].y += member.keypoints[index].y * weight
      }
    }
    guard total > 0 else { return reference }
    var result = reference
    result.left = left / total
    result.top = top / total
    result.width = right / total - result.left
    result.height = bottom / total - result.top
    result.keypoints = keypoints.map { NormalizedPoint(x: $0.x / total, y: $0.y / total) }
    return result
  }
}
