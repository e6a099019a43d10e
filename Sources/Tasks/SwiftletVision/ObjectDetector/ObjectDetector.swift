import Foundation
import SwiftletSchema

/// Finds objects of the classes a model knows, with a box each.
///
/// Runs models whose boxes are already suppressed in the model (four outputs: boxes, classes, scores, count) and models
/// with raw boxes and scores that describe their anchors in metadata.
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other.
public final class ObjectDetector: VisionTask {
  private let runner: VisionTaskRunner<ObjectDetectorPipeline>

  /// The names of the classes that the model knows; empty when it names none.
  package let categoryNames: [String]

  public var liveStream: LiveStream<ObjectDetectorResult> { runner.liveStream }

  /// A detector with default options, for single pictures.
  ///
  /// - Throws: `VisionTaskError` when the model is missing or is not an object detection model.
  public convenience init(model: ModelSource) throws {
    try self.init(options: ObjectDetectorOptions(baseOptions: BaseOptions(model: model)))
  }

  /// - Throws: `VisionTaskError` when options contradict each other or the model is not an object detection model.
  public init(options: ObjectDetectorOptions) throws {
    try options.validate()
    var names: [String] = []
    runner = try VisionTaskRunner(runningMode: options.runningMode, taskName: "objectDetector") {
      let pipeline = try ObjectDetectorPipeline(options)
      names = pipeline.labels?.labels ?? []
      return pipeline
    }
    categoryNames = names
  }

  /// Finds the objects in a picture of any size; blocks until done.
  ///
  /// - Throws: `VisionTaskError` for mirrored orientations, and unless the task runs in image mode.
  public func detect(image: MPImage) throws -> ObjectDetectorResult { try runner.image(image) }

  /// Finds the objects in a picture of any size, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the picture's turn has come.
  public func detect(image: MPImage) async throws -> ObjectDetectorResult { try await runner.imageAsync(image) }

  /// Finds the objects in a frame of a video; blocks until done.
  ///
  /// - Parameter timestamp: the time of the frame, later than that of the last one.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a time that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  public func detect(videoFrame: MPImage, timestamp: Duration) throws -> ObjectDetectorResult {
    try runner.video(videoFrame, timestamp: timestamp)
  }

  /// Finds the objects in a frame of a video, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the frame's turn has come.
  public func detect(videoFrame: MPImage, timestamp: Duration) async throws -> ObjectDetectorResult {
    try await runner.videoAsync(videoFrame, timestamp: timestamp)
  }

  /// Has the objects in a frame of a live stream found; returns at once. The result comes through `liveResults`, unless
  /// the task is busy: then the frame is dropped and counted in `droppedFrameCount`.
  ///
  /// - Parameter timestamp: the time of the frame, later than that of the last one.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a time that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed.
  public func detectAsync(image: MPImage, timestamp: Duration) throws {
    try runner.send(image, timestamp: timestamp)
  }
}

/// The steps from a picture to objects.
final class ObjectDetectorPipeline: VisionPipeline {
  private let model: VisionModel
  private var reading: any ObjectDetectionReading
  let labels: LabelMap?
  private var found = DetectionList()

  init(_ options: ObjectDetectorOptions) throws {
    model = try VisionModel(options.baseOptions, input: .stretched)
    labels = try Self.labels(model, locale: options.displayNamesLocale)
    let filter = try CategoryFilter(
      allow: options.categoryAllowlist, deny: options.categoryDenylist, labels: labels)
    reading = try ObjectDetectionForm.reading(model, options, filter)
  }

  /// Class names hang on the class output of models with four outputs and on the scores of those with two.
  private static func labels(_ model: VisionModel, locale: String) throws -> LabelMap? {
    guard let outputs = model.metadata?.outputs else { return nil }
    let (name, position, kind): (String, Int, AssociatedFile.Kind) =
      model.outputs.count == 4 ? ("category", 1, .tensorValueLabels) : ("score", 1, .tensorAxisLabels)
    let described =
      ObjectDetectionForm.metadata(named: name, model) ?? (outputs.indices.contains(position) ? outputs[position] : nil)
    return try model.labels(of: described, kind, locale: locale)
  }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> ObjectDetectorResult {
    let projection = try model.run(image, regionOfInterest: regionOfInterest)
    try reading.read(model, into: &found)
    var detections: [Detection] = []
    detections.reserveCapacity(found.count)
    // By box, so that a model with very many of them does not take the square of that time.
    var places: [PlaceKey: Int] = [:]
    for index in found.boxes.indices {
      let detection = found.detection(
        index, projection, in: image, categories: categories(found.classes(index)))
      // Detections with the very same box are one object with several classes.
      let place = PlaceKey(detection.boundingBox)
      if let twin = places[place] {
        detections[twin].categories += detection.categories
      } else {
        places[place] = detections.count
        detections.append(detection)
      }
    }
    return ObjectDetectorResult(detections: detections, timestamp: timestamp)
  }

  /// A box of a detection as a key of a dictionary, which rectangles are not on every system.
  private struct PlaceKey: Hashable {
    private let sides: SIMD4<Double>

    init(_ box: CGRect) { sides = SIMD4(box.origin.x, box.origin.y, box.size.width, box.size.height) }
  }

  /// With names, where the model has any for these classes; the numbers are then left out, as in MediaPipe.
  private func categories(_ classes: ArraySlice<DetectionList.ScoredClass>) -> [ResultCategory] {
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
