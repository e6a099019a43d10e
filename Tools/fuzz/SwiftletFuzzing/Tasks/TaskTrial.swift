import Foundation
import SwiftletAudio
import SwiftletImage
import SwiftletVision

extension FuzzTarget {
  /// Creates every task of a model and calls it.
  static let task = FuzzTarget("task", seeds: { (0..<60).map { TaskModels.model(seed: 1, case: $0) } }) { bytes in
    _ = TaskTrial().run([UInt8](bytes))
  }
}

/// All operations of tasks on a model file.
struct TaskTrial {
  var options = FuzzOptions()

  func run(_ bytes: [UInt8]) -> CampaignWorker.Outcome {
    guard bytes.count <= options.maximumFile else { return .unread }
    var random = FuzzRandom(seed: bytes.withUnsafeBytes(\.seed))
    var base = BaseOptions(
      model: .bytes(bytes), limits: options.limits, timeout: options.timeout, isChecked: options.isChecked)
    if random.oneIn(2) { base.inputNormalization = InputNormalization(mean: [127.5], standardDeviation: [127.5]) }
    guard let image = makeImage(&random), let clip = clip(&random) else { return .unread }
    let threshold: Float = random.one(-.infinity, 0, 0.5), most: Int? = random.one(nil, 1, 3, Int.max)
    var faces = FaceLandmarkerOptions(baseOptions: base, maxFaces: random.one(1, 2, 5))
    faces.baseOptions.model = .bytes(FaceBundles.bundle(&random))
    faces.baseOptions.inputNormalization = InputNormalization(mean: [0], standardDeviation: [1])
    if !random.oneIn(3) { faces.outputs.insert(.blendshapes) }
    if !random.oneIn(3) { faces.outputs.insert(.transformationMatrices) }
    faces.smoothing = random.one(.single, .all, .off)
    let points = (0..<random.one(0, 1, 3)).map { _ in
      NormalizedPoint(x: random.one(0, 0.5, 1, -3e38, .nan), y: random.one(0.25, 1, 2e9))
    }
    // An error is a valid result. The bugs to be found never return from these calls.
    let calls: [() throws -> Void] = [
      {
        _ = try FaceDetector(options: FaceDetectorOptions(baseOptions: base, minDetectionConfidence: max(0, threshold)))
          .faces(in: image)
      },
      {
        let options = ObjectDetectorOptions(baseOptions: base, maxResults: most, scoreThreshold: threshold)
        _ = try ObjectDetector(options: options).objects(in: image)
      },
      {
        let options = ImageSegmenterOptions(
          baseOptions: base, outputs: [.categoryMask, .confidenceMasks], maskResolution: most == nil ? .image : .model)
        _ = try ImageSegmenter(options: options).segmentation(of: image)
      },
      {
        let options = InteractiveSegmenterOptions(baseOptions: base, outputs: [.categoryMask, .confidenceMasks])
        _ = try InteractiveSegmenter(options: options).segmentation(of: image, region: .scribble(points))
      },
      {
        let options = ImageClassifierOptions(baseOptions: base, maxResults: most, scoreThreshold: threshold)
        _ = try ImageClassifier(options: options).classification(of: image)
      },
      {
        let options = ImageEmbedderOptions(
          baseOptions: base, normalizesEmbedding: most == nil, quantizesEmbedding: threshold < 0)
        _ = try ImageEmbedder(options: options).embedding(of: image)
      },
      {
        let options = AudioClassifierOptions(baseOptions: base, maxResults: most, scoreThreshold: threshold)
        _ = try AudioClassifier(options: options).classification(of: clip)
      },
      {
        let video = try FaceLandmarker(options: faces).video()
        for time in 0..<3 { _ = try video.faces(in: image, at: .milliseconds(40 * time)) }
      },
    ]
    return calls.count { (try? $0()) != nil } > 0 ? .ran : .refused
  }

  private func clip(_ random: inout FuzzRandom) -> AudioClip? {
    let channels = random.one(1, 1, 2, 3)
    let samples = (0..<channels * random.one(1, 7, 300)).map { _ in Float(random.below(200)) / 100 - 1 }
    return try? AudioClip(
      samples: samples, channelCount: channels, sampleRate: random.one(16_000, 8000, 44_100, 1, 1e9))
  }

  private func makeImage(_ random: inout FuzzRandom) -> InputImage? {
    let width = random.one(1, 2, 7, 33), height = random.one(1, 3, 8, 40)
    return try? InputImage(rgb: random.bytes(3 * width * height), width: width, height: height)
  }
}
