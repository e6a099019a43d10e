package import SwiftletImage
package import SwiftletTasks

/// Where objects are, whatever they are: an object detection model read without regard to classes.
///
/// One caller at a time.
package final class ObjectLocalizer {
  /// A place where there is an object.
  package struct Finding: Sendable, Hashable {
    /// As fractions of the upright picture, cut at its edges; never without an area.
    package var left, top, right, bottom: Float
    /// The best score that the model gives any class there.
    package var score: Float
  }

  private let model: VisionModel
  private var decoder: any ObjectDetectionOutputDecoder
  private let overlapThreshold: Float
  private var found = DetectionList()
  private var candidates = DetectionList()
  private var kept = DetectionList()
  private var suppression = NonMaximumSuppression()

  /// - Parameters:
  ///   - context: The model, of any form that ``ObjectDetector`` runs.
  ///   - scoreThreshold: places with a lower score are left out.
  ///   - overlapThreshold: of two places that overlap by more (intersection over union) only the better is kept,
  ///     whatever their classes.
  /// - Throws: `TaskError` when the model is missing or is not an object detection model.
  package init(_ context: ModelContext, scoreThreshold: Float, overlapThreshold: Float) throws {
    model = try VisionModel(context, input: .stretched)
    decoder = try ObjectDetectionOutputDecoders.decoder(
      model, ObjectDetectorOptions(baseOptions: context.options, scoreThreshold: scoreThreshold),
      try CategoryFilter(allow: [], deny: [], labels: nil))
    self.overlapThreshold = overlapThreshold
  }

  /// The objects in a picture of any size and in any of the eight orientations, best first.
  ///
  /// - Throws: `TaskError` when the model cannot run or gives outputs that contradict each other.
  package func findings(in image: InputImage) throws -> [Finding] {
    let toUpright = try model.run(image).followed(by: image.orientation.storedToUpright)
    try decoder.decode(model, into: &found)
    candidates.removeAll()
    for index in found.boxes.indices {
      guard let best = found.classes(index).max(by: { $0.score < $1.score }) else { continue }
      candidates.append(found.boxes[index])
      candidates.appendClass(best)
    }
    try suppression.greedy(candidates, threshold: overlapThreshold, limit: nil, into: &kept)
    return kept.boxes.indices.compactMap { index in
      let box = kept.boxes[index].projected(by: toUpright)
      func clipped(_ side: Float) -> Float { min(max(side, 0), 1) }
      let finding = Finding(
        left: clipped(box.x), top: clipped(box.y), right: clipped(box.right), bottom: clipped(box.bottom),
        score: kept.score(index))
      return finding.right > finding.left && finding.bottom > finding.top ? finding : nil
    }
  }
}
