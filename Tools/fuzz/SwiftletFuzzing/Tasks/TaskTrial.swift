import Foundation
import SwiftletAudio
import SwiftletImage
import SwiftletVision

extension FuzzTarget {
  /// Makes every task of a model and calls it.
  static let task = FuzzTarget("task", seeds: { (0..<60).map { TaskModels.model(seed: 1, case: $0) } }) { bytes in
    _ = TaskTrial().run([UInt8](bytes))
  }
}

/// Everything that tasks do with a model file.
struct TaskTrial {
  var options = FuzzOptions()

  func run(_ bytes: [UInt8]) -> CampaignWorker.Outcome {
    guard bytes.count <= options.largestFile else { return .unread }
    var random = FuzzRandom(seed: bytes.withUnsafeBytes(\.seed))
    var base = BaseOptions(
      model: .bytes(bytes), limits: options.limits, timeout: options.timeout, isChecked: options.isChecked)
    if random.oneIn(2) { base.inputNormalization = InputNormalization(mean: [127.5], standardDeviation: [127.5]) }
    guard let picture = picture(&random), let clip = clip(&random) else { return .unread }
    let threshold: Float = random.one(-.infinity, 0, 0.5), most: Int? = random.one(nil, 1, 3, Int.max)
    var faces = FaceLandmarkerOptions(baseOptions: base, runningMode: .video, maxFaces: random.one(1, 2, 5))
    faces.baseOptions.model = .bytes(FaceBundles.bundle(&random))
    faces.baseOptions.inputNormalization = InputNormalization(mean: [0], standardDeviation: [1])
    (faces.outputsBlendshapes, faces.outputsTransformationMatrices) = (!random.oneIn(3), !random.oneIn(3))
    faces.smoothing = random.one(.single, .all, .off)
    let points = (0..<random.one(0, 1, 3)).map { _ in
      NormalizedPoint(x: random.one(0, 0.5, 1, -3e38, .nan), y: random.one(0.25, 1, 2e9))
    }
    // An error is an answer. What is looked for never comes back from these calls.
    let calls: [() throws -> Void] = [
      {
        _ = try FaceDetector(options: FaceDetectorOptions(baseOptions: base, minDetectionConfidence: max(0, threshold)))
          .detect(picture)
      },
      {
        let options = ObjectDetectorOptions(baseOptions: base, maxResults: most, scoreThreshold: threshold)
        _ = try ObjectDetector(options: options).detect(picture)
      },
      {
        let options = ImageSegmenterOptions(
          baseOptions: base, shouldOutputCategoryMask: true, maskResolution: most == nil ? .image : .model)
        _ = try ImageSegmenter(options: options).segment(picture)
      },
      {
        let options = InteractiveSegmenterOptions(baseOptions: base, shouldOutputCategoryMask: true)
        _ = try InteractiveSegmenter(options: options).segment(picture, region: .scribble(points))
      },
      {
        let options = ImageClassifierOptions(baseOptions: base, maxResults: most, scoreThreshold: threshold)
        _ = try ImageClassifier(options: options).classify(picture)
      },
      {
        let options = ImageEmbedderOptions(baseOptions: base, l2Normalize: most == nil, quantize: threshold < 0)
        _ = try ImageEmbedder(options: options).embed(picture)
      },
      {
        let options = AudioClassifierOptions(baseOptions: base, maxResults: most, scoreThreshold: threshold)
        _ = try AudioClassifier(options: options).classify(clip)
      },
      {
        let landmarker = try FaceLandmarker(options: faces)
        for time in 0..<3 { _ = try landmarker.detect(picture, at: .milliseconds(40 * time)) }
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

  private func picture(_ random: inout FuzzRandom) -> MPImage? {
    let width = random.one(1, 2, 7, 33), height = random.one(1, 3, 8, 40)
    return try? MPImage(rgb: random.bytes(3 * width * height), width: width, height: height)
  }
}
