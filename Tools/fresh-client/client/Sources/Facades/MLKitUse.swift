import MLKit
import MLKitImageLabeling
import MLKitObjectDetection

/// Returns the labels of a gray image, best first; also detects objects in it.
func mlKit() throws -> [String] {
  let image = try VisionImage(
    rgb: [UInt8](repeating: 90, count: 3 * 64 * 64), width: 64, height: 64)
  let detectorOptions = ObjectDetectorOptions()
  detectorOptions.detectorMode = .singleImage
  _ = try ObjectDetector.objectDetector(options: detectorOptions).results(in: image)
  let options = ImageLabelerOptions()
  options.confidenceThreshold = 0
  return try ImageLabeler.imageLabeler(options: options).results(in: image).map { $0.text }
}
