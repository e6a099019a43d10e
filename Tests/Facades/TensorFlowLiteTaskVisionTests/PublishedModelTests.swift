import Foundation
import SwiftletImageCodecs
import SwiftletTestSupport
import TensorFlowLiteTaskVision
import Testing

@Suite("Task Library with published models", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
struct PublishedModelTests {
  private func image(_ name: String) throws -> MLImage {
    MLImage(imageBuffer: try ImageDecoder.decode(path: TestData.path("images/" + name)).image)
  }

  @Test("a photo and a part of a photo are classified")
  func classifier() throws {
    let options = ImageClassifierOptions(
      modelPath: TestData.path("models/classification/mobilenet_v1_0.25_224_quant.tflite"))
    options.classificationOptions.maxResults = 3
    let classifier = try ImageClassifier.classifier(options: options)
    let categories = try #require(try classifier.classify(mlImage: image("burger.jpg")).classifications.first)
      .categories
    #expect(categories.count == 3 && categories[0].label == "cheeseburger" && categories[0].index == 934)
    let ball = CGRect(x: 406, y: 110, width: 148, height: 153)
    let part = try classifier.classify(mlImage: image("multi_objects.jpg"), regionOfInterest: ball)
    #expect(part.classifications.first?.categories.first?.label == "soccer ball")
  }

  @Test("cats are detected in the right positions")
  func detector() throws {
    let options = ObjectDetectorOptions(
      modelPath: TestData.path("models/detection/coco_ssd_mobilenet_v1_1.0_quant.tflite"))
    options.classificationOptions.maxResults = 2
    let detections = try ObjectDetector.detector(options: options).detect(mlImage: image("cats_and_dogs.jpg"))
      .detections
    #expect(detections.count == 2)
    for detection in detections {
      #expect(detection.categories.first?.label == "cat" && detection.categories.first?.index == 16)
    }
    let left = detections.map { (detection: Detection) -> Int in Int(detection.boundingBox.minX) }
    // MediaPipe's results for the same pixels.
    #expect(left.contains(57) && left.contains(612))
  }

  @Test("pixels have the classes of the original's golden mask")
  func segmenter() throws {
    let options = ImageSegmenterOptions(
      modelPath: TestData.path("models/segmentation/deeplabv3_257_metadata.tflite"))
    let result = try ImageSegmenter.segmenter(options: options).segment(
      mlImage: image("segmentation_input_rotation0.jpg"))
    let segmentation = try #require(result.segmentations.first)
    let mask = try #require(segmentation.categoryMask)
    #expect(mask.width == 257 && mask.height == 257)
    #expect(segmentation.coloredLabels.map(\.label).prefix(3) == ["background", "aeroplane", "bicycle"])
    let golden = try ImageDecoder.decode(path: TestData.path("images/segmentation_golden_rotation0.png")).image
    let bytes = golden.packedBytes(), step = golden.pixelFormat.bytesPerPixel
    try #require(bytes.count == 257 * 257 * step)
    // A gray image with the class index multiplied by ten.
    let different = (0..<257 * 257).filter { Int(mask.mask[$0]) * 10 != Int(bytes[$0 * step]) }
    #expect(different.count < 257 * 257 / 100)
  }
}
