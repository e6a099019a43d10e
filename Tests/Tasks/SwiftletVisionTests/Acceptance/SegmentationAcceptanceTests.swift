import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("MediaPipe's published segmentation results", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
struct SegmentationAcceptanceTests {
  private static let labels = [
    "background", "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow", "dining table",
    "dog", "horse", "motorbike", "person", "potted plant", "sheep", "sofa", "train", "tv",
  ]

  @Test("DeepLab finds the children, the adult, and the horse")
  func deepLab() throws {
    let segmenter = try ImageSegmenter(
      options: ImageSegmenterOptions(
        baseOptions: AcceptanceData.base("segmentation/deeplabv3_257_metadata.tflite"),
        outputs: .categoryMask))
    #expect(segmenter.labels == Self.labels)
    let result = try segmenter.segmentation(of: try AcceptanceData.image("segmentation_input_rotation0.jpg"))
    #expect(result.confidenceMasks.isEmpty)
    #expect(result.qualityScores.count == 21)
    let golden = try ImageDecoder.decode(path: TestData.path("images/segmentation_golden_rotation0.png")).image
    let mask = try #require(result.categoryMask)
    #expect(mask.width == golden.width && mask.height == golden.height)
    // The image contains the class multiplied by ten; decoded as color, its channels are equal.
    let step = golden.pixelFormat.bytesPerPixel
    let expected = golden.packedBytes()
    let equal = mask.pixels.enumerated().count { $1 &* 10 == expected[$0 * step] }
    #expect(Double(equal) / Double(mask.width * mask.height) > 0.98)
  }
}
