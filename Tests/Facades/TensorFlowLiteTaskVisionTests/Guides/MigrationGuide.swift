// The code of docs/guide/task-library-facade.md, word for word; `GuideTests` compares them. As in apps, nothing but the
// facade is imported.
import TensorFlowLiteTaskVision

/// Says what images show.
final class ImageNamer {
  private let classifier: ImageClassifier

  init?(modelPath: String, threadCount: Int, resultCount: Int, scoreThreshold: Float) {
    let options = ImageClassifierOptions(modelPath: modelPath)
    options.baseOptions.computeSettings.cpuSettings.numThreads = Int32(threadCount)
    options.classificationOptions.maxResults = resultCount
    options.classificationOptions.scoreThreshold = scoreThreshold
    do {
      classifier = try ImageClassifier.classifier(options: options)
    } catch let error {
      print("Failed to create the classifier with error: \(error.localizedDescription)")
      return nil
    }
  }

  func names(of image: MLImage) throws -> [String] {
    let result = try classifier.classify(mlImage: image)
    guard let classifications = result.classifications.first else { return [] }
    return classifications.categories.map { "\($0.label ?? "\($0.index)"): \($0.score)" }
  }
}

/// Lists what is in images.
func objects(in image: MLImage, modelPath: String) throws -> [(box: CGRect, name: String)] {
  let options = ObjectDetectorOptions(modelPath: modelPath)
  options.classificationOptions.scoreThreshold = 0.5
  let detector = try ObjectDetector.detector(options: options)
  return try detector.detect(mlImage: image).detections.map { detection in
    (box: detection.boundingBox, name: detection.categories.first?.label ?? "")
  }
}

/// The color of the class of each pixel.
func colors(of image: MLImage, modelPath: String) throws -> [[UInt]] {
  let segmenter = try ImageSegmenter.segmenter(options: ImageSegmenterOptions(modelPath: modelPath))
  guard let segmentation = try segmenter.segment(mlImage: image).segmentations.first,
    let mask = segmentation.categoryMask
  else { return [] }
  let classes = UnsafeMutableBufferPointer(start: mask.mask, count: mask.width * mask.height)
  return classes.map { number in
    let label = segmentation.coloredLabels[Int(number)]
    return [label.r, label.g, label.b]
  }
}
