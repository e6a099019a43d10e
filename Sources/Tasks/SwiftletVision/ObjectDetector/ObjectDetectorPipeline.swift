import SwiftletBase
package import SwiftletImage
import SwiftletSchema
package import SwiftletTasks

/// The steps from an image to objects.
final class ObjectDetectorPipeline: VisionPipeline {
  private let model: VisionModel
  private var decoder: any ObjectDetectionOutputDecoder
  let labels: LabelMap?
  private var found = DetectionList()
  /// The index of each box's detection. The dictionary is reused between calls.
  private var places: [PixelRect: Int] = [:]

  init(_ options: ObjectDetectorOptions, _ context: ModelContext) throws {
    model = try VisionModel(context, input: .stretched)
    labels = try Self.labels(model, locale: options.displayNamesLocale)
    let filter = try CategoryFilter(
      allow: options.categoryAllowlist, deny: options.categoryDenylist, labels: labels)
    decoder = try ObjectDetectionOutputDecoders.decoder(model, options, filter)
  }

  /// Returns the labels. For models with four outputs, the label file is in the metadata of the class output; for
  /// models with two outputs, in the metadata of the scores.
  private static func labels(_ model: VisionModel, locale: String) throws -> LabelMap? {
    guard let outputs = model.base.metadata?.outputs else { return nil }
    let (name, position, kind): (String, Int, AssociatedFile.Kind) =
      model.outputs.count == 4 ? ("category", 1, .tensorValueLabels) : ("score", 1, .tensorAxisLabels)
    let described =
      ObjectDetectionOutputDecoders.metadata(named: name, model)
      ?? (outputs.indices.contains(position) ? outputs[position] : nil)
    return try model.base.labels(of: described, kind, locale: locale)
  }

  func process(_ input: VisionInput) throws -> [ObjectDetection] {
    let projection = try model.run(input.image, region: input.region)
    try decoder.decode(model, into: &found)
    var detections: [ObjectDetection] = []
    detections.reserveCapacity(found.count)
    // Boxes are looked up, so that the time does not grow quadratically with their number.
    places.removeAll(keepingCapacity: true)
    var steps = StepCounter(every: 256)
    for index in found.boxes.indices {
      try steps.step()
      let box = found.pixelBox(index, projection, in: input.image)
      let categories = categories(found.classes(index))
      // Detections with exactly the same box are one object with several categories.
      if let twin = places[box] {
        detections[twin].categories += categories
      } else {
        places[box] = detections.count
        let keypoints = found.keypoints(index)
        detections.append(
          ObjectDetection(
            categories: categories, box: box, keypoints: keypoints.isEmpty ? [] : keypoints.map { projection($0) }))
      }
    }
    return detections
  }

  /// Returns the categories for classes, with their names if the model has labels for them.
  private func categories(_ classes: ArraySlice<DetectionList.ScoredClass>) -> [ResultCategory] {
    func name(_ index: Int, _ names: [String]?) -> String? {
      guard let names, names.indices.contains(index) else { return nil }
      return names[index]
    }
    return classes.map {
      ResultCategory(
        index: $0.index, score: $0.score, categoryName: name($0.index, labels?.labels),
        displayName: name($0.index, labels?.displayNames))
    }
  }
}

/// Localizes objects regardless of their category: it runs an object detection model and ignores the classes.
///
/// - Thread safety: one caller at a time.
package final class ObjectLocalizer {
  /// The position of an object.
  package struct Finding: Sendable, Hashable {
    /// The left edge, as a fraction of the upright image. Boxes are clipped to the image and always have an area.
    package var left, top, right, bottom: Float
    /// The best score of any class.
    package var score: Float
  }

  private let model: VisionModel
  private var decoder: any ObjectDetectionOutputDecoder
  private let overlapThreshold: Float
  private var found = DetectionList()
  private var candidates = DetectionList()
  private var kept = DetectionList()
  private var suppression = NonMaximumSuppression()

  /// Creates a localizer.
  ///
  /// - Parameters:
  ///   - context: A model of any kind that ``ObjectDetector`` supports.
  ///   - scoreThreshold: The minimum score of a finding.
  ///   - overlapThreshold: The intersection over union above which only the better of two findings is kept, whatever
  ///     their classes.
  /// - Throws: `TaskError` if the model is missing or is not an object detection model.
  package init(_ context: ModelContext, scoreThreshold: Float, overlapThreshold: Float) throws {
    model = try VisionModel(context, input: .stretched)
    decoder = try ObjectDetectionOutputDecoders.decoder(
      model, ObjectDetectorOptions(baseOptions: context.options, scoreThreshold: scoreThreshold),
      try CategoryFilter(allow: [], deny: [], labels: nil))
    self.overlapThreshold = overlapThreshold
  }

  /// Returns the objects in an image of any size and in any of the eight orientations, best first.
  ///
  /// - Throws: `TaskError` if the model cannot run or its outputs contradict each other.
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
