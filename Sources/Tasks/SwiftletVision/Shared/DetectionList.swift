import SwiftletImage

/// A list of detections during processing, in memory that is reused for the next image.
///
/// Coordinates are fractions of the model's input.
struct DetectionList {
  struct ScoredClass: Sendable, Hashable {
    var index: Int
    var score: Float
  }

  /// The ends of a detection's classes and keypoints in the arrays below.
  private struct Ends {
    var classes: Int
    var keypoints: Int
  }

  /// The budget that a model's detections are charged to; `nil` for detections from another list.
  var results: ResultBudget?
  private var countedBoxes = 0
  private var countedClasses = 0
  private var countedKeypoints = 0

  private(set) var boxes: [RelativeBox] = []
  private var ends: [Ends] = []
  private var allClasses: [ScoredClass] = []
  private var allKeypoints: [NormalizedPoint] = []

  var count: Int { boxes.count }

  /// Returns the classes of detection `index`, best first.
  func classes(_ index: Int) -> ArraySlice<ScoredClass> {
    allClasses[(index == 0 ? 0 : ends[index - 1].classes)..<ends[index].classes]
  }

  func keypoints(_ index: Int) -> ArraySlice<NormalizedPoint> {
    allKeypoints[(index == 0 ? 0 : ends[index - 1].keypoints)..<ends[index].keypoints]
  }

  /// Returns the best score of detection `index`.
  func score(_ index: Int) -> Float { classes(index).first?.score ?? 0 }

  /// Removes all detections, but keeps the allocated memory.
  mutating func removeAll() {
    boxes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    allClasses.removeAll(keepingCapacity: true)
    allKeypoints.removeAll(keepingCapacity: true)
    (countedBoxes, countedClasses, countedKeypoints) = (0, 0, 0)
  }

  /// Charges the detections that were appended since the last call, including the results that the task creates from
  /// them. Call it after every few detections.
  ///
  /// - Throws: `TaskError` (`limitExceeded`) if there is no room for them.
  mutating func chargeNew() throws(TaskError) {
    guard let results else { return }
    let advice = "set maxResults or a higher threshold"
    try results.charge(boxes.count - countedBoxes, each: 256, for: "detections", advice: advice)
    try ResultCategory.charge(allClasses.count - countedClasses, to: results)
    try results.charge(allKeypoints.count - countedKeypoints, each: 64, for: "keypoints of detections", advice: advice)
    (countedBoxes, countedClasses, countedKeypoints) = (boxes.count, allClasses.count, allKeypoints.count)
  }

  /// Appends a detection without classes and keypoints.
  mutating func append(_ box: RelativeBox) {
    boxes.append(box)
    ends.append(Ends(classes: allClasses.count, keypoints: allKeypoints.count))
  }

  /// Appends a class to the last detection.
  mutating func appendClass(_ scored: ScoredClass) {
    allClasses.append(scored)
    ends[ends.count - 1].classes += 1
  }

  /// Appends a keypoint to the last detection.
  mutating func appendKeypoint(_ point: NormalizedPoint) {
    allKeypoints.append(point)
    ends[ends.count - 1].keypoints += 1
  }

  /// Appends detection `index` of another list.
  mutating func append(_ index: Int, of other: DetectionList) {
    append(other.boxes[index])
    for scored in other.classes(index) { appendClass(scored) }
    for point in other.keypoints(index) { appendKeypoint(point) }
  }

  /// Replaces the last detection's box and keypoints by the mean of some detections of another list, weighted by their
  /// scores.
  mutating func blendLast(with members: [Int], of other: DetectionList) {
    var (left, top, right, bottom, total) = (Float(0), Float(0), Float(0), Float(0), Float(0))
    for member in members { total += other.score(member) }
    guard total > 0, let last = boxes.indices.last else { return }
    for member in members {
      let box = other.boxes[member]
      let weight = other.score(member)
      left += box.x * weight
      top += box.y * weight
      right += box.right * weight
      bottom += box.bottom * weight
    }
    (left, top) = (left / total, top / total)
    boxes[last] = RelativeBox(x: left, y: top, width: right / total - left, height: bottom / total - top)
    let first = last == 0 ? 0 : ends[last - 1].keypoints
    for position in 0..<(ends[last].keypoints - first) {
      var (x, y) = (Float(0), Float(0))
      for member in members {
        let points = other.keypoints(member)
        let weight = other.score(member)
        x += points[points.startIndex + position].x * weight
        y += points[points.startIndex + position].y * weight
      }
      allKeypoints[first + position] = NormalizedPoint(x: x / total, y: y / total)
    }
  }
}

extension DetectionList {
  /// Returns the box of a detection in whole pixels of the stored image.
  func pixelBox(_ index: Int, _ projection: ImageProjection, in image: InputImage) -> PixelRect {
    boxes[index].projected(by: projection).pixelBox(imageWidth: image.width, imageHeight: image.height)
  }
}
