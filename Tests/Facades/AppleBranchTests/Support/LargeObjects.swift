import MediaPipeTasksVision

/// Detects objects in photos, as apps do with MediaPipe.
struct LargeObjects {
  private let detector: ObjectDetector

  init(modelPath: String) throws {
    let options = ObjectDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.scoreThreshold = 0.5
    detector = try ObjectDetector(options: options)
  }

  /// Returns the boxes from left to right, in pixels.
  func boxes(in image: UIImage) throws -> [CGRect] {
    try detector.detect(image: MPImage(uiImage: image)).detections.map(\.boundingBox).sorted { $0.minX < $1.minX }
  }
}
