import Foundation
import SwiftletImageCodecs
import SwiftletMeasurement
import SwiftletTestSupport
import SwiftletVision

/// Sends thousands of frames through the live stream of every task, and sees whether results come in order and memory
/// stays what it was.
struct SoakSuite {
  /// A task with a model, and frames of several sizes.
  struct Case {
    var task: TaskCase.Task
    var model: String
    var pictures: [String]
    var threads: Int

    var name: String { "live \(task.rawValue) \(model)" }
  }

  private let options: BenchmarkOptions

  init(_ options: BenchmarkOptions) { self.options = options }

  static func all(threads: [Int]) -> [Case] {
    guard TestData.isAvailable else { return [] }
    let work: [(TaskCase.Task, String, [String])] = [
      (.faces, "face/face_detector_short_range_metadata.tflite", ["face.jpg", "coupleanddog.jpeg"]),
      (.objects, "detection/coco_ssd_mobilenet_v1_1.0_quant.tflite", ["cats_and_dogs.jpg", "multi_objects.jpg"]),
      (
        .categoryMask, "segmentation/deeplabv3_257_metadata.tflite", ["segmentation_input_rotation0.jpg", "burger.jpg"]
      ),
      (.embedding, "embedding/mobilenet_v2_035_96_embedder.tflite", ["burger.jpg", "owl.jpg"]),
      (.classification, "classification/mobilenet_v1_0.25_224_float.tflite", ["burger.jpg", "owl.jpg"]),
      (.stream, "detection/mobile_object_localizer_192.tflite", ["multi_objects.jpg"]),
    ]
    return work.flatMap { item in
      threads.map { Case(task: item.0, model: item.1, pictures: item.2, threads: $0) }
    }
  }

  /// - Throws: `MeasurementFailure` when a frame fails, is lost, or its result comes out of order.
  func measure(_ item: Case) throws -> SoakResult {
    do {
      let frames = try item.pictures.map { MPImage(try ImageDecoder.decode(path: TestData.path("images/" + $0)).image) }
      let base = BaseOptions(
        model: .file(TestData.path("models/" + item.model)), threads: item.threads, numerics: options.numerics,
        precision: options.precision)
      switch item.task {
      case .faces:
        let task = try FaceDetector(options: FaceDetectorOptions(baseOptions: base, runningMode: .liveStream))
        return try soak(item, task, frames)
      case .objects:
        let task = try ObjectDetector(
          options: ObjectDetectorOptions(baseOptions: base, runningMode: .liveStream, scoreThreshold: 0.3))
        return try soak(item, task, frames)
      case .categoryMask, .confidenceMasks:
        let wantsCategory = item.task == .categoryMask
        let task = try ImageSegmenter(
          options: ImageSegmenterOptions(
            baseOptions: base, runningMode: .liveStream, shouldOutputConfidenceMasks: !wantsCategory,
            shouldOutputCategoryMask: wantsCategory))
        return try soak(item, task, frames)
      case .embedding:
        let task = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: base, runningMode: .liveStream))
        return try soak(item, task, frames)
      case .classification:
        let task = try ImageClassifier(
          options: ImageClassifierOptions(baseOptions: base, runningMode: .liveStream, maxResults: 5))
        return try soak(item, task, frames)
      case .stream: return try soak(item, StreamOfFrames(localizer: base), frames)
      }
    } catch let error as MeasurementFailure {
      throw error
    } catch {
      throw MeasurementFailure(file: item.name, reason: "\(error)")
    }
  }

  /// Every frame of such a stream is answered within its call, so none is dropped.
  private func soak(_ item: Case, _ stream: StreamOfFrames, _ images: [MPImage]) throws -> SoakResult {
    let start = ContinuousClock.now
    for frame in 0..<options.frames / 10 { try stream.send(images[frame % images.count]) }
    let memory = ProcessMemory()
    for frame in options.frames / 10..<options.frames { try stream.send(images[frame % images.count]) }
    return SoakResult(
      task: item.task.rawValue, model: item.model, threads: item.threads, framesSent: options.frames, framesDropped: 0,
      resultCount: options.frames, memoryGrowth: memory.growth, seconds: milliseconds(since: start) / 1000)
  }

  private func soak<Task: VisionTask>(
    _ item: Case, _ task: Task, _ images: [MPImage]
  ) throws -> SoakResult {
    let log = SoakLog()
    task.setLiveHandler { result, timestamp in
      switch result {
      case .success: log.add(Int(timestamp / .milliseconds(1)))
      case .failure(let error): log.fail("frame at \(timestamp): \(error)")
      }
    }
    var sent = 0
    func sendOne() throws {
      try task.send(images[sent % images.count], at: .milliseconds(sent))
      sent += 1
    }
    func run(to count: Int) throws {
      while sent < count {
        try sendOne()
        // Now and then more at once than the task can work on: those are dropped.
        if sent % 10 == 0 { while sent < count, sent % 10 < 3 { try sendOne() } }
        try log.wait(for: { sent - task.droppedFrameCount }, name: item.name)
      }
    }
    let start = ContinuousClock.now
    try run(to: options.frames / 10)
    let memory = ProcessMemory()
    try run(to: options.frames)
    let growth = memory.growth
    return SoakResult(
      task: item.task.rawValue, model: item.model, threads: item.threads, framesSent: sent,
      framesDropped: task.droppedFrameCount,
      resultCount: log.count, memoryGrowth: growth, seconds: milliseconds(since: start) / 1000)
  }
}
