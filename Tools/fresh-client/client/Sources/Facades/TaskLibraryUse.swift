import MLImage
import TensorFlowLiteTaskVision

func taskLibrary(classifier path: String) throws -> String {
  let classifier = try ImageClassifier.classifier(options: ImageClassifierOptions(modelPath: path))
  let image = try ImageBuffer(
    bytes: [UInt8](repeating: 90, count: 3 * 64 * 64), width: 64, height: 64, pixelFormat: .rgb8)
  let result = try classifier.classify(mlImage: MLImage(imageBuffer: image))
  return result.classifications.first?.categories.first?.label ?? ""
}
