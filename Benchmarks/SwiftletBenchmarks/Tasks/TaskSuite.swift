import SwiftletImageCodecs
import SwiftletMeasurement
import SwiftletTestSupport
import SwiftletTracking
import SwiftletVision

/// Measures tasks from a decoded picture to the result, alone or in turns with MediaPipe.
final class TaskSuite {
  private static let scoreThreshold: Float = 0.3
  private static let maxResults = 5

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
          task: item.task.rawValue, model: TestData.path("models/" + item.model), picture: picture,
          scoreThreshold: Self.scoreThreshold, maxResults: Self.maxResults)
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
      model: .file(TestData.path("models/" + item.model)), threads: item.threads, numerics: options.numerics,
      precision: options.precision)
    switch item.task {
    case .faces:
      let detector = try FaceDetector(options: FaceDetectorOptions(baseOptions: base))
      return TaskContender { _ = try detector.detect(image) }
    case .objects:
      let detector = try ObjectDetector(
        options: ObjectDetectorOptions(baseOptions: base, scoreThreshold: Self.scoreThreshold))
      return TaskContender { _ = try detector.detect(image) }
    case .categoryMask, .confidenceMasks:
      let wantsCategory = item.task == .categoryMask
      let segmenter = try ImageSegmenter(
        options: ImageSegmenterOptions(
          baseOptions: base, shouldOutputConfidenceMasks: !wantsCategory, shouldOutputCategoryMask: wantsCategory))
      return TaskContender { _ = try segmenter.segment(image) }
    case .embedding:
      let embedder = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: base))
      return TaskContender { _ = try embedder.embed(image) }
    case .classification:
      let classifier = try ImageClassifier(
        options: ImageClassifierOptions(baseOptions: base, maxResults: Self.maxResults))
      return TaskContender { _ = try classifier.classify(image) }
    case .stream:
      let stream = try StreamOfFrames(localizer: base)
      return TaskContender { try stream.send(image) }
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
