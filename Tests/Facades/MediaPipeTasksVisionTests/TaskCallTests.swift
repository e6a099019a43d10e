import Foundation
import MediaPipeTasksVision
import SwiftletSchema
import SwiftletTestSupport
import Testing

/// Checks every call of every task, on models that return the same results for every image.
@Suite("Task calls")
struct TaskCallTests {
  enum Kind: CaseIterable, Sendable {
    case objects, classes, embeddings, segments, faces, hands, gestures, poses, faceLandmarks, people
  }

  /// The calls of one task. Results are reported as a summary and a timestamp.
  private struct Calls {
    var image: (MPImage) throws -> Told
    var video: (MPImage, Int) throws -> Told
    var live: (MPImage, Int) throws -> Void
    var droppedFrameCount: () -> Int
  }

  /// A delegate of all tasks.
  private final class Listener: ObjectDetectorLiveStreamDelegate, ImageClassifierLiveStreamDelegate,
    ImageEmbedderLiveStreamDelegate, ImageSegmenterLiveStreamDelegate, FaceDetectorLiveStreamDelegate,
    HandLandmarkerLiveStreamDelegate, GestureRecognizerLiveStreamDelegate, PoseLandmarkerLiveStreamDelegate,
    FaceLandmarkerLiveStreamDelegate, HolisticLandmarkerLiveStreamDelegate
  {
    private let hear: @Sendable (Told) -> Void

    init(_ hear: @escaping @Sendable (Told) -> Void) { self.hear = hear }

    private func tell(_ result: TaskResult?, _ timestamp: Int, _ error: (any Error)?) {
      #expect(result == nil || result?.timestampInMilliseconds == timestamp)
      hear(
        Told(summary: result.map(summary), timestamp: timestamp, errorCode: error.map { ($0 as NSError).code }))
    }

    func objectDetector(
      _ objectDetector: ObjectDetector, didFinishDetection result: ObjectDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?
    ) { tell(result, timestampInMilliseconds, error) }

    func imageClassifier(
      _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) { tell(result, timestampInMilliseconds, error) }

    func imageEmbedder(
      _ imageEmbedder: ImageEmbedder, didFinishEmbedding result: ImageEmbedderResult?, timestampInMilliseconds: Int,
      error: (any Error)?
    ) { tell(result, timestampInMilliseconds, error) }

    func imageSegmenter(
      _ imageSegmenter: ImageSegmenter, didFinishSegmentation result: ImageSegmenterResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) { tell(result, timestampInMilliseconds, error) }

    func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?
    ) { tell(result, timestampInMilliseconds, error) }

    func handLandmarker(
      _ handLandmarker: HandLandmarker, didFinishDetection result: HandLandmarkerResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) { tell(result, timestampInMilliseconds, error) }

    func gestureRecognizer(
      _ gestureRecognizer: GestureRecognizer, didFinishGestureRecognition result: GestureRecognizerResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) { tell(result, timestampInMilliseconds, error) }

    func poseLandmarker(
      _ poseLandmarker: PoseLandmarker, didFinishDetection result: PoseLandmarkerResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) { tell(result, timestampInMilliseconds, error) }

    func faceLandmarker(
      _ faceLandmarker: FaceLandmarker, didFinishDetection result: FaceLandmarkerResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) { tell(result, timestampInMilliseconds, error) }

    func holisticLandmarker(
      _ holisticLandmarker: HolisticLandmarker, didFinishDetection result: HolisticLandmarkerResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) { tell(result, timestampInMilliseconds, error) }
  }

  private static func told(_ result: TaskResult) -> Told {
    Told(summary: summary(result), timestamp: result.timestampInMilliseconds)
  }

  private func calls(_ kind: Kind, _ mode: RunningMode, _ listener: Listener?) throws -> Calls {
    switch kind {
    case .objects:
      let options = ObjectDetectorOptions()
      options.baseOptions.modelBytes = BoxReadingModel.bytes
      options.scoreThreshold = 0.5
      (options.runningMode, options.objectDetectorLiveStreamDelegate) = (mode, listener)
      let task = try ObjectDetector(options: options)
      return Calls(
        image: { Self.told(try task.detect(image: $0)) },
        video: { Self.told(try task.detect(videoFrame: $0, timestampInMilliseconds: $1)) },
        live: { try task.detectAsync(image: $0, timestampInMilliseconds: $1) },
        droppedFrameCount: { task.droppedFrameCount })
    case .classes:
      let options = ImageClassifierOptions()
      options.baseOptions.modelBytes = SyntheticModels.classes
      (options.runningMode, options.imageClassifierLiveStreamDelegate) = (mode, listener)
      let task = try ImageClassifier(options: options)
      return Calls(
        image: { Self.told(try task.classify(image: $0)) },
        video: { Self.told(try task.classify(videoFrame: $0, timestampInMilliseconds: $1)) },
        live: { try task.classifyAsync(image: $0, timestampInMilliseconds: $1) },
        droppedFrameCount: { task.droppedFrameCount })
    case .embeddings:
      let options = ImageEmbedderOptions()
      options.baseOptions.modelBytes = SyntheticModels.classes
      (options.runningMode, options.imageEmbedderLiveStreamDelegate) = (mode, listener)
      let task = try ImageEmbedder(options: options)
      return Calls(
        image: { Self.told(try task.embed(image: $0)) },
        video: { Self.told(try task.embed(videoFrame: $0, timestampInMilliseconds: $1)) },
        live: { try task.embedAsync(image: $0, timestampInMilliseconds: $1) },
        droppedFrameCount: { task.droppedFrameCount })
    case .segments:
      let options = ImageSegmenterOptions()
      options.baseOptions.modelBytes = SyntheticModels.segments
      (options.runningMode, options.imageSegmenterLiveStreamDelegate) = (mode, listener)
      let task = try ImageSegmenter(options: options)
      return Calls(
        image: { Self.told(try task.segment(image: $0)) },
        video: { Self.told(try task.segment(videoFrame: $0, timestampInMilliseconds: $1)) },
        live: { try task.segmentAsync(image: $0, timestampInMilliseconds: $1) },
        droppedFrameCount: { task.droppedFrameCount })
    case .faces:
      let options = FaceDetectorOptions()
      options.baseOptions.modelBytes = SyntheticModels.face
      (options.runningMode, options.faceDetectorLiveStreamDelegate) = (mode, listener)
      let task = try FaceDetector(options: options)
      return Calls(
        image: { Self.told(try task.detect(image: $0)) },
        video: { Self.told(try task.detect(videoFrame: $0, timestampInMilliseconds: $1)) },
        live: { try task.detectAsync(image: $0, timestampInMilliseconds: $1) },
        droppedFrameCount: { task.droppedFrameCount })
    case .hands, .gestures: return try handCalls(kind, mode, listener)
    case .poses, .faceLandmarks, .people: return try bodyCalls(kind, mode, listener)
    }
  }

  private func handCalls(_ kind: Kind, _ mode: RunningMode, _ listener: Listener?) throws -> Calls {
    if kind == .hands {
      let options = HandLandmarkerOptions()
      options.baseOptions.modelBytes = SyntheticModels.hands
      (options.runningMode, options.handLandmarkerLiveStreamDelegate) = (mode, listener)
      let task = try HandLandmarker(options: options)
      return Calls(
        image: { Self.told(try task.detect(image: $0)) },
        video: { Self.told(try task.detect(videoFrame: $0, timestampInMilliseconds: $1)) },
        live: { try task.detectAsync(image: $0, timestampInMilliseconds: $1) },
        droppedFrameCount: { task.droppedFrameCount })
    }
    let options = GestureRecognizerOptions()
    options.baseOptions.modelBytes = SyntheticModels.gestures
    (options.runningMode, options.gestureRecognizerLiveStreamDelegate) = (mode, listener)
    let task = try GestureRecognizer(options: options)
    return Calls(
      image: { Self.told(try task.recognize(image: $0)) },
      video: { Self.told(try task.recognize(videoFrame: $0, timestampInMilliseconds: $1)) },
      live: { try task.recognizeAsync(image: $0, timestampInMilliseconds: $1) },
      droppedFrameCount: { task.droppedFrameCount })
  }

  private func bodyCalls(_ kind: Kind, _ mode: RunningMode, _ listener: Listener?) throws -> Calls {
    if kind == .poses {
      let options = PoseLandmarkerOptions()
      options.baseOptions.modelBytes = SyntheticModels.poses
      (options.runningMode, options.poseLandmarkerLiveStreamDelegate) = (mode, listener)
      let task = try PoseLandmarker(options: options)
      return Calls(
        image: { Self.told(try task.detect(image: $0)) },
        video: { Self.told(try task.detect(videoFrame: $0, timestampInMilliseconds: $1)) },
        live: { try task.detectAsync(image: $0, timestampInMilliseconds: $1) },
        droppedFrameCount: { task.droppedFrameCount })
    }
    if kind == .faceLandmarks {
      let options = FaceLandmarkerOptions()
      options.baseOptions.modelBytes = SyntheticModels.faces
      (options.runningMode, options.faceLandmarkerLiveStreamDelegate) = (mode, listener)
      let task = try FaceLandmarker(options: options)
      return Calls(
        image: { Self.told(try task.detect(image: $0)) },
        video: { Self.told(try task.detect(videoFrame: $0, timestampInMilliseconds: $1)) },
        live: { try task.detectAsync(image: $0, timestampInMilliseconds: $1) },
        droppedFrameCount: { task.droppedFrameCount })
    }
    let options = HolisticLandmarkerOptions()
    options.baseOptions.modelBytes = SyntheticModels.people
    (options.runningMode, options.holisticLandmarkerLiveStreamDelegate) = (mode, listener)
    let task = try HolisticLandmarker(options: options)
    return Calls(
      image: { Self.told(try task.detect(image: $0)) },
      video: { Self.told(try task.detect(videoFrame: $0, timestampInMilliseconds: $1)) },
      live: { try task.detectAsync(image: $0, timestampInMilliseconds: $1) },
      droppedFrameCount: { task.droppedFrameCount })
  }

  /// Returns an image with one object for the model that reads boxes, and colors for models that pass them on.
  private static func makeImage(_ kind: Kind) throws -> MPImage {
    switch kind {
    case .objects:
      let object = BoxReadingModel.Object(left: 51, top: 51, right: 204, bottom: 204, score: 204)
      return try MPImage(rgb: BoxReadingModel.pixels([object], width: 50, height: 50), width: 50, height: 50)
    case .segments: return try MPImage(rgb: [1, 9, 3, 8, 2, 5], width: 2, height: 1)
    case .classes, .embeddings: return try MPImage(rgb: [51, 204, 102], width: 1, height: 1)
    default: return try TestImage.plain(width: 64, height: 64)
    }
  }

  private static let found: [Kind: String] = [
    .objects: "1 objects", .classes: "green, blue, red", .embeddings: "3 numbers", .segments: "3 masks",
    .faces: "1 faces", .hands: "1 hands of 21", .gestures: "Fist", .poses: "1 poses of 33",
    .faceLandmarks: "1 faces of 478", .people: "33, 21, 21, 478",
  ]

  private static func words(_ called: String, _ current: String) -> String {
    "The vision task is not initialized with \(called) mode. Current Running Mode: \(current)"
  }

  @Test("on images return results, and reject calls of other modes", arguments: Kind.allCases)
  func images(kind: Kind) throws {
    let calls = try calls(kind, .image, nil)
    let image = try Self.makeImage(kind)
    let told = try calls.image(image)
    #expect(told.summary == Self.found[kind] && told.timestamp == 0)
    #expect(failure { _ = try calls.video(image, 1) }?.localizedDescription == Self.words("video", "Image"))
    #expect(failure { try calls.live(image, 1) }?.localizedDescription == Self.words("live stream", "Image"))
    #expect(calls.droppedFrameCount() == 0)
  }

  @Test("on frames of a video return their timestamps, which must increase", arguments: Kind.allCases)
  func videos(kind: Kind) throws {
    let calls = try calls(kind, .video, nil)
    let image = try Self.makeImage(kind)
    for time in [40, 73] {
      let told = try calls.video(image, time)
      #expect(told.summary == Self.found[kind] && told.timestamp == time)
      let late = failure { _ = try calls.video(image, time) }
      #expect(late?.code == 3)
      #expect(late?.localizedDescription == "INVALID_ARGUMENT: Input timestamp must be monotonically increasing.")
    }
    #expect(failure { _ = try calls.image(image) }?.localizedDescription == Self.words("image", "Video"))
  }

  @Test("on frames of a live stream deliver their results to the delegate", arguments: Kind.allCases)
  func liveStream(kind: Kind) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Told.self)
    let listener = Listener { continuation.yield($0) }
    let calls = try calls(kind, .liveStream, listener)
    let image = try Self.makeImage(kind)
    var iterator = stream.makeAsyncIterator()
    for time in [7, 9] {
      try calls.live(image, time)
      let told = try #require(await iterator.next())
      #expect(told.summary == Self.found[kind] && told.timestamp == time && told.errorCode == nil)
    }
    #expect(failure { try calls.live(image, 9) }?.code == 3)
    #expect(failure { _ = try calls.image(image) }?.localizedDescription == Self.words("image", "Live Stream"))
    #expect(calls.droppedFrameCount() == 0)
    withExtendedLifetime(listener) {}
  }

  @Test("are rejected for a stream without a listener, or a listener without a stream", arguments: Kind.allCases)
  func listeners(kind: Kind) {
    let listener = Listener { _ in }
    for (mode, heard) in [(RunningMode.image, listener), (.video, listener), (.liveStream, nil)] {
      let error = failure { _ = try calls(kind, mode, heard) }
      #expect(error?.code == 3 && error?.localizedDescription.hasPrefix("The vision task is in ") == true)
    }
  }

  @Test("on regions of images run on these regions")
  func regions() async throws {
    let image = try MPImage(rgb: [51, 204, 102, 255, 0, 153], width: 2, height: 1)
    let right = CGRect(x: 0.5, y: 0, width: 0.5, height: 1)
    let (stream, continuation) = AsyncStream.makeStream(of: Told.self)
    let listener = Listener { continuation.yield($0) }
    for mode in [RunningMode.image, .video, .liveStream] {
      let classes = ImageClassifierOptions(), embeddings = ImageEmbedderOptions()
      classes.baseOptions.modelBytes = SyntheticModels.classes
      embeddings.baseOptions.modelBytes = SyntheticModels.classes
      (classes.runningMode, embeddings.runningMode) = (mode, mode)
      if mode == .liveStream {
        classes.imageClassifierLiveStreamDelegate = listener
        embeddings.imageEmbedderLiveStreamDelegate = listener
      }
      let classifier = try ImageClassifier(options: classes), embedder = try ImageEmbedder(options: embeddings)
      switch mode {
      case .image:
        #expect(summary(try classifier.classify(image: image, regionOfInterest: right)) == "red, blue, green")
        let vector = try embedder.embed(image: image, regionOfInterest: right).embeddingResult.embeddings[0]
        #expect(vector.floatEmbedding?.map { ($0.floatValue * 255).rounded() } == [255, 0, 153])
      case .video:
        let result = try classifier.classify(
          videoFrame: image, timestampInMilliseconds: 5, regionOfInterest: right)
        #expect(summary(result) == "red, blue, green" && result.timestampInMilliseconds == 5)
        let vectors = try embedder.embed(videoFrame: image, timestampInMilliseconds: 5, regionOfInterest: right)
        #expect(vectors.timestampInMilliseconds == 5)
        #expect(
          vectors.embeddingResult.embeddings[0].floatEmbedding?.map { ($0.floatValue * 255).rounded() }
            == [255, 0, 153])
      case .liveStream:
        var iterator = stream.makeAsyncIterator()
        try classifier.classifyAsync(image: image, timestampInMilliseconds: 5, regionOfInterest: right)
        let told = try #require(await iterator.next())
        #expect(told.summary == "red, blue, green" && told.timestamp == 5)
        try embedder.embedAsync(image: image, timestampInMilliseconds: 6, regionOfInterest: right)
        #expect(await iterator.next()?.timestamp == 6)
      }
    }
    withExtendedLifetime(listener) {}
  }

  @Test("report the path of a missing file")
  func noFile() {
    let path = "/nowhere/model.task"
    for body: () throws -> Void in [
      { _ = try HandLandmarker(modelPath: path) }, { _ = try GestureRecognizer(modelPath: path) },
      { _ = try PoseLandmarker(modelPath: path) }, { _ = try FaceLandmarker(modelPath: path) },
      { _ = try HolisticLandmarker(modelPath: path) }, { _ = try InteractiveSegmenter(modelPath: path) },
    ] {
      let error = failure(body)
      #expect(error?.code == 5 && error?.localizedDescription == "NOT_FOUND: Unable to open file at \(path)")
    }
  }

  @Test("of segmenters pass results and labels to completions")
  func completions() throws {
    let options = ImageSegmenterOptions()
    options.baseOptions.modelBytes = SyntheticModels.segments
    let image = try Self.makeImage(.segments)
    let segmenter = try ImageSegmenter(options: options)
    #expect(segmenter.labels == ["sky", "sea", "land"])
    var told: [String] = []
    segmenter.segment(image: image) { told.append("\($0.map(summary) ?? "-") \($1 == nil)") }
    segmenter.segment(videoFrame: image, timestampInMilliseconds: 1) {
      told.append("\($0.map(summary) ?? "-") \(($1 as NSError?)?.code ?? 0)")
    }
    options.runningMode = .video
    let video = try ImageSegmenter(options: options)
    video.segment(videoFrame: image, timestampInMilliseconds: 8) { result, error in
      told.append("\(result.map(summary) ?? "-") \(result?.timestampInMilliseconds ?? -1) \(error == nil)")
    }
    #expect(told == ["3 masks true", "- 3", "3 masks 8 true"])
  }

  @Test("of a failed frame deliver an error and the minimum timestamp")
  func failedFrame() async throws {
    // Each byte of the image is an index in a table of three rows.
    var graph = TestGraph()
    let bytes = graph.input(.uint8, [1, 1, 1, 3], scale: 1 / 255)
    let rows = graph.tensor(.int32, [1, 1, 1, 3])
    graph.add(.cast, [bytes], [rows])
    let scores = graph.tensor(.float32, [1, 1, 1, 3])
    graph.add(.gather, [graph.constant([Float(0.25), 0.5, 0.75]), rows], [scores], options: GatherOptions.empty)
    graph.add(.reshape, [scores, graph.constant([Int32(1), 3])], [graph.output(.float32, [1, 3])])
    let (stream, continuation) = AsyncStream.makeStream(of: Told.self)
    let listener = Listener { continuation.yield($0) }
    let options = ImageClassifierOptions()
    options.baseOptions.modelBytes = TestGraph.bytes([graph])
    (options.runningMode, options.imageClassifierLiveStreamDelegate) = (.liveStream, listener)
    let classifier = try ImageClassifier(options: options)
    var iterator = stream.makeAsyncIterator()
    try classifier.classifyAsync(image: try MPImage(rgb: [0, 1, 2], width: 1, height: 1), timestampInMilliseconds: 5)
    #expect(await iterator.next()?.errorCode == nil)
    try classifier.classifyAsync(image: try MPImage(rgb: [0, 1, 9], width: 1, height: 1), timestampInMilliseconds: 6)
    let told = try #require(await iterator.next())
    #expect(told.summary == nil && told.timestamp == Int.min && told.errorCode != nil)
    withExtendedLifetime(listener) {}
  }
}
