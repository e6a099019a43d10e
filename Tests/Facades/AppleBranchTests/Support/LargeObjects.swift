import MediaPipeTasksVision

/// Objects in photographs, as MediaPipe finds them.
struct LargeObjects {
  private let detector: ObjectDetector

  init(modelPath: String) throws {
    let options = ObjectDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.scoreThreshold = 0.5
    detector = try ObjectDetector(options: options)
  }

  /// From left to right, in pixels.
  func boxes(in image: UIImage) throws -> [CGRect] {
    try detector.detect(image: MPImage(uiImage: image)).detections.map(\.boundingBox).sorted { $0.minX < $1.minX }
  }
}
