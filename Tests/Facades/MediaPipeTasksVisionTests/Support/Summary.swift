import MediaPipeTasksVision

/// Returns a short summary of a result.
func summary(_ result: TaskResult) -> String {
  switch result {
  case let result as ObjectDetectorResult: "\(result.detections.count) objects"
  case let result as FaceDetectorResult: "\(result.detections.count) faces"
  case let result as ImageClassifierResult:
    result.classificationResult.classifications[0].categories.map { $0.categoryName ?? "-" }.joined(separator: ", ")
  case let result as ImageEmbedderResult:
    "\(result.embeddingResult.embeddings[0].floatEmbedding?.count ?? 0) numbers"
  case let result as ImageSegmenterResult: "\(result.confidenceMasks?.count ?? 0) masks"
  case let result as HandLandmarkerResult:
    "\(result.landmarks.count) hands of \(result.landmarks.first?.count ?? 0)"
  case let result as GestureRecognizerResult: result.gestures.first?.first?.categoryName ?? "-"
  case let result as PoseLandmarkerResult: "\(result.landmarks.count) poses of \(result.landmarks.first?.count ?? 0)"
  case let result as FaceLandmarkerResult:
    "\(result.faceLandmarks.count) faces of \(result.faceLandmarks.first?.count ?? 0)"
  case let result as HolisticLandmarkerResult:
    "\(result.poseLandmarks.count), \(result.leftHandLandmarks.count), \(result.rightHandLandmarks.count), \(result.faceLandmarks.count)"
  default: "unknown"
  }
}
