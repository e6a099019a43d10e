import Foundation
import SwiftletSchema

/// Finds objects of the classes a model knows, with a box each.
///
/// Runs models whose boxes are already suppressed in the model (four outputs: boxes, classes, scores, count) and models with raw
/// boxes and scores that describe their anchors in metadata.
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other.
public final class ObjectDetector: Sendable {
  private let pipeline: Serialized<ObjectDetectorPipeline>

  /// A detector with default options.
  ///
  /// - Throws: `VisionTaskError` when the file is missing or is not an object detection model.
  public convenience init(modelPath: String) throws {
    try self.init(options: ObjectDetectorOptions(baseOptions: BaseOptions(modelAssetPath: modelPath)))
  }

  /// - Throws: `VisionTaskError` when options contradict each other or the model is not an object detection model.
  public init(options: ObjectDetectorOptions) throws {
    try options.validate()
    pipeline = Serialized(try ObjectDetectorPipeline(options))
  }

  /// Finds the objects in a picture of any size; blocks until done.
  ///
  /// - Throws: `VisionTaskError` for mirrored orientations.
  public func detect(image: MPImage) throws -> ObjectDetectorResult {
    try pipeline.withLock { try $0.detect(image) }
  }
}

/// The steps from a picture to objects.
final class ObjectDetectorPipeline {
  private let model: VisionModel
  private let reading: any ObjectDetectionReading
  private let labels: LabelMap?
  private let filter: CategoryFilter
  private var clock = ImageModeClock()

  init(_ options: ObjectDetectorOptions) throws {
    model = try VisionModel(
      options.baseOptions,
      input: .init(keepsAspectRatio: false, border: .replicate, defaultNormalization: nil))
    reading = try ObjectDetectionForm.reading(model, options)
    labels = try Self.labels(model, locale: options.displayNamesLocale)
    filter = try CategoryFilter(
      allow: options.categoryAllowlist, deny: options.categoryDenylist, labels: labels)
  }

  /// Class names hang on the class output of models with four outputs and on the scores of those with two.
  private static func labels(_ model: VisionModel, locale: String) throws -> LabelMap? {
    guard let outputs = model.metadata?.outputs else { return nil }
    let (name, position, kind): (String, Int, AssociatedFile.Kind) =
      model.outputs.count == 4 ? ("category", 1, .tensorValueLabels) : ("score", 1, .tensorAxisLabels)
    let described =
      ObjectDetectionForm.metadata(named: name, model) ?? (outputs.indices.contains(position) ? outputs[position] : nil)
    do {
      return try described?.labels(kind, locale: locale, from: model.files)
    } catch {
      throw VisionTaskError.invalid("\(error)")
    }
  }

  func detect(_ image: MPImage) throws -> ObjectDetectorResult {
    let projection = try model.run(image)
    let found = try reading.detections(model, filter: filter)
    var detections: [Detection] = []
    for item in found {
      let placed = item.projected(by: projection)
      let detection = Detection(
        categories: categories(item.classes),
        boundingBox: placed.pixelBox(imageWidth: image.width, imageHeight: image.height),
        keypoints: placed.keypoints.isEmpty
          ? nil
          : placed.keypoints.map {
            NormalizedKeypoint(location: CGPoint(x: CGFloat($0.x), y: CGFloat($0.y)))
          })
      // Detections with the very same box are one object with several classes.
      if let twin = detections.firstIndex(where: { $0.boundingBox == detection.boundingBox }) {
        detections[twin].categories += detection.categories
      } else {
        detections.append(detection)
      }
    }
    return ObjectDetectorResult(detections: detections, timestampInMilliseconds: clock.next())
  }

  /// With names, where the model has any for these classes; the numbers are then left out, as in MediaPipe.
  private func categories(_ classes: [RelativeDetection.ScoredClass]) -> [ResultCategory] {
    func name(_ index: Int, _ names: [String]?) -> String? {
      guard let names, names.indices.contains(index) else { return nil }
      return names[index]
    }
    let isNamed = classes.contains { name($0.index, labels?.labels) != nil }
    return classes.map {
      ResultCategory(
        index: isNamed ? -1 : $0.index, score: $0.score, categoryName: name($0.index, labels?.labels),
        displayName: name($0.index, labels?.displayNames))
    }
  }
}
