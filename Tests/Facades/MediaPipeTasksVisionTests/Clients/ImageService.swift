// Client code as in an app: it has no other import, and uses no name of this package.
import MediaPipeTasksVision

/// A mock detector for an app's own tests.
final class FakeDetector: ObjectDetector, @unchecked Sendable {
  override func detect(image: MPImage) throws -> ObjectDetectorResult {
    let category = ResultCategory(index: 3, score: 0.75, categoryName: "cup", displayName: nil)
    let detection = Detection(
      categories: [category], boundingBox: CGRect(x: 1, y: 2, width: 30, height: 40), keypoints: nil)
    return NotedResult(detections: [detection], timestampInMilliseconds: 0)
  }
}

/// A result with a property of the app's.
final class NotedResult: ObjectDetectorResult, @unchecked Sendable { let note = "made up" }

/// Several tasks behind one class, each with an option of its own.
final class ImageService {
  private let folder: String
  private(set) var failures: [String] = []

  init(folder: String) { self.folder = folder }

  private func attempt<Result>(_ name: String, _ work: () throws -> Result) -> Result? {
    do {
      return try work()
    } catch {
      failures.append("\(name): \(error.localizedDescription)")
      return nil
    }
  }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: folder).appendingPathComponent(name) }

  func names(in image: MPImage) -> [String] {
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = url("image_classifier_int8.tflite").path
    options.maxResults = 2
    options.scoreThreshold = 0.1
    options.runningMode = .image
    let result = attempt("classify") { try ImageClassifier(options: options).classify(image: image) }
    return result?.classificationResult.classifications.first?.categories.compactMap { $0.categoryName } ?? []
  }

  func boxes(in image: MPImage) -> [CGRect] {
    let options = ObjectDetectorOptions()
    options.baseOptions.modelAssetPath = url("object_detector_int8.tflite").path
    options.categoryDenylist = ["ball"]
    let detector = attempt("detector") { try ObjectDetector(options: options) }
    return attempt("detect") { try detector?.detect(image: image).detections.map { $0.boundingBox } ?? [] } ?? []
  }

  func coverage(of image: MPImage) async -> Double {
    let options = ImageSegmenterOptions()
    options.baseOptions.modelAssetPath = url("image_segmenter_int8.tflite").path
    options.shouldOutputCategoryMask = true
    options.shouldOutputConfidenceMasks = false
    guard let segmenter = attempt("segmenter", { try ImageSegmenter(options: options) }) else { return -1 }
    var share = 0.0
    segmenter.segment(image: image) { result, error in
      guard error == nil, let mask = result?.categoryMask else { return }
      let pixels = UnsafeBufferPointer(start: mask.uint8Data, count: mask.width * mask.height)
      share = Double(pixels.filter { $0 > 0 }.count) / Double(pixels.count)
    }
    return share
  }

  func likeness(_ first: MPImage, _ second: MPImage) -> Float? {
    attempt("embed") {
      let options = ImageEmbedderOptions()
      options.baseOptions = BaseOptions()
      options.baseOptions.modelAssetPath = url("image_embedder_int8.tflite").path
      options.l2Normalize = true
      let embedder = try ImageEmbedder(options: options)
      let embeddings = try [first, second].map { try embedder.embed(image: $0).embeddingResult.embeddings[0] }
      return try ImageEmbedder.cosineSimilarity(embedding1: embeddings[0], embedding2: embeddings[1]).floatValue
    }
  }

  func touched(_ image: MPImage, at points: [CGPoint]) -> String {
    let segmenter = attempt("touch") { () -> InteractiveSegmenter in
      let options = InteractiveSegmenterOptions()
      options.baseOptions.modelAssetPath = url("none.task").path
      return try InteractiveSegmenter(options: options)
    }
    let keypoints = points.map { NormalizedKeypoint(location: $0, label: nil, score: 1) }
    let stroke = Stroke(points: keypoints, brushMode: .positive, isCompleted: true)
    _ = attempt("strokes") {
      try segmenter?.set(image: image)
      return try segmenter?.segment(strokes: [stroke])
    }
    return failures.last ?? ""
  }
}
