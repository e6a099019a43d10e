import SwiftletBase
import SwiftletEngine
import SwiftletImage

/// Decodes a detector's raw outputs to boxes, keypoints, and scores.
///
/// - Source: the decoding rules of MediaPipe's detectors.
struct BoxDecoder: Sendable, Hashable {
  /// The order of coordinates in a raw box.
  enum BoxFormat: Sendable, Hashable {
    case centerYXHeightWidth
    case centerXYWidthHeight
  }

  var anchors: [Anchor]
  var classCount: Int
  /// The number of coordinates per box, including keypoints.
  var coordinateCount: Int
  var boxOffset = 0
  var keypointOffset = 4
  var keypointCount = 0
  var valuesPerKeypoint = 2
  var format: BoxFormat
  var xScale: Float
  var yScale: Float
  var widthScale: Float
  var heightScale: Float
  var appliesExponential = false
  var appliesSigmoid: Bool
  /// The limit to which the magnitude of raw scores is clamped before the sigmoid.
  var scoreClip: Float?

  /// Checks the parameters.
  ///
  /// - Throws: `TaskError` if the parameters contradict each other.
  func validate() throws(TaskError) {
    guard classCount > 0, coordinateCount >= 4, boxOffset >= 0, boxOffset <= coordinateCount - 4 else {
      throw .invalidModel("the detector metadata has \(classCount) classes and \(coordinateCount) numbers per box")
    }
    guard keypointCount >= 0, keypointCount <= coordinateCount else {
      throw .invalidModel("the detector metadata has \(keypointCount) keypoints in \(coordinateCount) numbers per box")
    }
    if keypointCount > 0 {
      guard keypointOffset >= 0, (2...coordinateCount).contains(valuesPerKeypoint),
        keypointOffset <= coordinateCount - keypointCount * valuesPerKeypoint
      else {
        throw .invalidModel(
          "the detector metadata's \(keypointCount) keypoints of \(valuesPerKeypoint) numbers are inconsistent with \(coordinateCount) numbers per box"
        )
      }
    }
    guard [xScale, yScale, widthScale, heightScale].allSatisfy({ $0.isFinite && $0 != 0 }) else {
      throw .invalidModel("the detector metadata has a scale of 0 or one that is not finite")
    }
  }

  /// Appends the detections whose best allowed class reaches `threshold`.
  ///
  /// - Parameters:
  ///   - boxes: `anchors.count × coordinateCount` elements.
  ///   - scores: `anchors.count × classCount` elements.
  ///   - classes: The classes that may be reported, each below `classCount`.
  /// - Throws: `TaskError` if a run returns other element counts than the model's shapes specify, if there is no room
  ///   for the detections, and after the deadline of the call.
  func decode(
    boxes: UnsafeBufferPointer<Float>, scores: UnsafeBufferPointer<Float>, threshold: Float, classes: [Int],
    into list: inout DetectionList
  ) throws(TaskError) {
    // These products do not overflow: they are the element counts of the outputs, which were checked before.
    guard boxes.count == anchors.count * coordinateCount, scores.count == anchors.count * classCount else {
      throw .invalidModel(
        "the model gave \(boxes.count) numbers of boxes and \(scores.count) scores for \(anchors.count) boxes of \(coordinateCount) numbers and \(classCount) classes"
      )
    }
    var steps = StepCounter()
    for (index, anchor) in anchors.enumerated() {
      try steps.step(1 + classes.count)
      var best: DetectionList.ScoredClass?
      for category in classes {
        let value = scores[index * classCount + category]
        if value > best?.score ?? -.infinity { best = .init(index: category, score: value) }
      }
      guard var best else { continue }
      best.score = activated(best.score)
      guard best.score >= threshold else { continue }
      let raw = UnsafeBufferPointer(rebasing: boxes[(index * coordinateCount)..<((index + 1) * coordinateCount)])
      let box = box(raw, anchor: anchor)
      guard box.isDefined else { continue }
      list.append(box)
      list.appendClass(best)
      for keypoint in 0..<keypointCount { list.appendKeypoint(self.keypoint(keypoint, raw, anchor: anchor)) }
      try list.chargeNew()
    }
  }

  private func activated(_ raw: Float) -> Float {
    guard appliesSigmoid else { return raw }
    let clipped = scoreClip.map { min(max(raw, -$0), $0) } ?? raw
    return RoundedFunctions.sigmoid(clipped)
  }

  private func box(_ raw: UnsafeBufferPointer<Float>, anchor: Anchor) -> RelativeBox {
    let isYFirst = format == .centerYXHeightWidth
    let first = raw[boxOffset]
    let second = raw[boxOffset + 1]
    let third = raw[boxOffset + 2]
    let fourth = raw[boxOffset + 3]
    let centerX = (isYFirst ? second : first) / xScale * anchor.width + anchor.centerX
    let centerY = (isYFirst ? first : second) / yScale * anchor.height + anchor.centerY
    let rawWidth = (isYFirst ? fourth : third) / widthScale
    let rawHeight = (isYFirst ? third : fourth) / heightScale
    let width = (appliesExponential ? RoundedFunctions.exponential(rawWidth) : rawWidth) * anchor.width
    let height = (appliesExponential ? RoundedFunctions.exponential(rawHeight) : rawHeight) * anchor.height
    // Left edge and size are computed from the corners, so that rounding matches MediaPipe's.
    let left = centerX - width / 2
    let top = centerY - height / 2
    return RelativeBox(x: left, y: top, width: centerX + width / 2 - left, height: centerY + height / 2 - top)
  }

  private func keypoint(_ index: Int, _ raw: UnsafeBufferPointer<Float>, anchor: Anchor) -> NormalizedPoint {
    let offset = keypointOffset + index * valuesPerKeypoint
    let isYFirst = format == .centerYXHeightWidth
    let (x, y) = isYFirst ? (raw[offset + 1], raw[offset]) : (raw[offset], raw[offset + 1])
    return NormalizedPoint(
      x: x / xScale * anchor.width + anchor.centerX, y: y / yScale * anchor.height + anchor.centerY)
  }
}

extension BoxDecoder {
  /// Returns the decoder for a BlazeFace-like detector with one class: fixed-size anchors, x before y, sigmoid scores.
  ///
  /// - Parameters:
  ///   - interpolatedAspectRatio: 1 for two anchors per layer and cell, 0 for one.
  ///   - scale: The divisor of raw coordinates; `nil` for the width of the input.
  /// - Throws: `TaskError` for invalid strides.
  /// - Source: the constants of MediaPipe's published face, palm and pose detectors.
  static func blaze(
    inputWidth: Int, inputHeight: Int, strides: [Int], keypointCount: Int, interpolatedAspectRatio: Float = 1,
    scale: Float? = nil
  ) throws(TaskError) -> BoxDecoder {
    let anchors = try SSDAnchorLayout(
      inputWidth: inputWidth, inputHeight: inputHeight, strides: strides, minimumScale: 0.1484375, maximumScale: 0.75,
      aspectRatios: [1], interpolatedAspectRatio: interpolatedAspectRatio, hasFixedSize: true
    ).anchors()
    let scale = scale ?? Float(inputWidth)
    return BoxDecoder(
      anchors: anchors, classCount: 1, coordinateCount: 4 + 2 * keypointCount, keypointCount: keypointCount,
      format: .centerXYWidthHeight, xScale: scale, yScale: scale, widthScale: scale, heightScale: scale,
      appliesSigmoid: true, scoreClip: 100)
  }
}

/// Detects the outputs of a detector that contain the raw boxes and the raw scores.
enum RawDetectionOutputs {
  /// Returns the indices of both outputs: boxes first, as in published models, or scores first if only that order
  /// matches.
  ///
  /// The outputs have an element for every box and class in the metadata, so neither count exceeds the memory of a run.
  ///
  /// - Throws: `TaskError` with the expected shapes.
  static func find(
    _ outputs: [TensorSpec], decoder: BoxDecoder, task: String
  ) throws(TaskError) -> (boxes: Int, scores: Int) {
    let boxCount = decoder.anchors.count
    func holds(_ spec: TensorSpec, _ perBox: Int) -> Bool {
      let (expected, overflow) = boxCount.multipliedReportingOverflow(by: perBox)
      return !overflow && expected > 0 && spec.shape.elementCount == expected && spec.shape.dimensions.last == perBox
    }
    for (boxes, scores) in [(0, 1), (1, 0)] where outputs.count == 2 {
      if holds(outputs[boxes], decoder.coordinateCount), holds(outputs[scores], decoder.classCount) {
        return (boxes, scores)
      }
    }
    let found = SanitizedText.list(outputs.map(\.description))
    throw .invalidModel(
      "this is not a \(task) detection model of a known form: expected outputs [1 × \(boxCount) × \(decoder.coordinateCount)] and [1 × \(boxCount) × \(decoder.classCount)], found \(found)"
    )
  }
}
