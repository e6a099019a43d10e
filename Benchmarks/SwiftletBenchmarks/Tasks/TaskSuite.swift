import SwiftletImageCodecs
import SwiftletMeasurement
import SwiftletTestSupport
import SwiftletVision

/// A task with a model and a picture of the test data.
struct TaskCase {
  enum Task: String {
    case faces, objects
  }

  var task: Task
  var model: String
  var picture: String
  var threads: Int

  var name: String { "\(task.rawValue) \(model) \(picture)" }

  static func all(threads: [Int]) -> [TaskCase] {
    guard TestData.isAvailable else { return [] }
    let faces = ["face/face_detector_short_range_metadata.tflite", "face/face_detection_full_range_metadata.tflite"]
    let objects = ["detection/coco_ssd_mobilenet_v1_1.0_quant.tflite", "detection/salad_automl_320.tflite"]
    let work =
      faces.flatMap { model in ["face.jpg", "coupleanddog.jpeg"].map { (Task.faces, model, $0) } }
      + objects.flatMap { model in ["cats_and_dogs.jpg", "multi_objects.jpg"].map { (Task.objects, model, $0) } }
    return work.flatMap { item in
      threads.map { TaskCase(task: item.0, model: item.1, picture: item.2, threads: $0) }
    }
  }
}

/// Measures tasks from a decoded picture to detections, alone or in turns with MediaPipe.
final class TaskSuite {
  private static let scoreThreshold: Float = 0.3

  private let options: BenchmarkOptions
  private var peer: PeerProcess?

  init(_ options: BenchmarkOptions) throws {
    self.options = options
    peer = try options.python.map { try PeerProcess(.mediaPipe, python: $0) }
  }

  var peerVersion: String? { peer?.version }

  /// - Throws: `MeasurementFailure` when the task cannot be run here; what the peer cannot do is part of the result.
  func measure(_ item: TaskCase) throws -> TaskResult {
    let picture = TestData.path("images/" + item.picture)
    let contender: TaskContender
    do {
      contender = try self.contender(item, image: MPImage(try ImageDecoder.decode(path: picture).image))
    } catch {
      throw MeasurementFailure(file: item.name, reason: "\(error)")
    }
    let alternation = Alternation(seconds: options.seconds)
    do {
      if let python = options.python {
        let peer = try peer ?? PeerProcess(.mediaPipe, python: python)
        self.peer = peer
        _ = try peer.load(
          task: item.task.rawValue, model: TestData.path("models/" + item.model), picture: picture, scoreThreshold: Self.scoreThreshold)
        let both = try alternation.measure([contender, peer])
        return TaskResult(item, ours: both[0].all, peer: both[1].all)
      }
    } catch let error as PeerFailure {
      peer = nil
      return TaskResult(item, ours: try alternation.measure([contender])[0].all, peerFailure: error.description)
    }
    return TaskResult(item, ours: try alternation.measure([contender])[0].all)
  }

  private func contender(_ item: TaskCase, image: MPImage) throws -> TaskContender {
    let base = BaseOptions(
      modelAssetPath: TestData.path("models/" + item.model), threads: item.threads, numerics: options.numerics,
      precision: options.precision)
    switch item.task {
    case .faces:
      let detector = try FaceDetector(options: FaceDetectorOptions(baseOptions: base))
      return TaskContender { _ = try detector.detect(image: image) }
    case .objects:
      let detector = try ObjectDetector(options: ObjectDetectorOptions(baseOptions: base, scoreThreshold: Self.scoreThreshold))
      return TaskContender { _ = try detector.detect(image: image) }
    }
  }
}

/// A task of this package on one picture.
private final class TaskContender: Contender {
  private let once: () throws -> Void

  init(_ once: @escaping () throws -> Void) { self.once = once }

  func run(warmup: Int, count: Int) throws -> [Double] {
    for _ in 0..<warmup { try once() }
    let times = try (0..<count).map { _ in
      let start = ContinuousClock.now
      try once()
      return milliseconds(since: start)
    }
    ProcessorTime.waitUntilIdle()
    return times
  }
}
