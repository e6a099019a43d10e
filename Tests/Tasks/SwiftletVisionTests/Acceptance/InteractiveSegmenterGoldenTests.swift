import SwiftletImage
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("MediaPipe's interactive segmentation", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct InteractiveSegmenterGoldenTests {
  private static let cases = GoldenTask.cases("interactive")

  private func found(_ golden: GoldenTask) throws -> Segmentation {
    let point = golden.options["keypoint"].numbers
    let segmenter = try InteractiveSegmenter(.bytes(try golden.modelBytes())) {
      if golden.options["output_category_mask"].bool == true { $0.outputs.insert(.categoryMask) }
    }
    return try segmenter.segmentation(
      of: InputImage(try golden.image()), region: .point(NormalizedPoint(x: point[0], y: point[1])))
  }

  /// The accepted difference of the trained model's logits, which exceed ±8. Rounding differences grow through fifty
  /// layers, and single bytes differ by one if the image is averaged first.
  private static let tolerance: Float = 0.03

  @Test(
    "has the same marks, as shown by models that copy their input",
    arguments: cases.filter { $0.model.hasPrefix("identity") })
  func marks(golden: GoldenTask) throws {
    let found = try found(golden)
    let mask = found.confidenceMasks[3]
    let expected = try golden.result()["confidence_masks"][0]
    #expect(mask.width == expected["width"].int && mask.height == expected["height"].int)
    #expect(differences(mask, expected).allSatisfy { $0 <= 2e-5 })
    // The expected image contains every pixel, rounded to bytes.
    for (value, byte) in zip(mask.pixels, try pixels(expected)) where abs(value * 255 - Float(byte)) > 0.51 {
      Issue.record("\(value) is stored as \(byte)")
      break
    }
    let categories = try golden.result()["category_mask"]
    if !categories.isNull { #expect(try found.categoryMask?.pixels == pixels(categories)) }
  }

  @Test("gives the same results with a trained model", arguments: cases.filter { !$0.model.hasPrefix("identity") })
  func masks(golden: GoldenTask) throws {
    let found = try found(golden)
    let expected = try golden.result()
    let (masks, stored) = (found.confidenceMasks, expected["confidence_masks"].elements)
    #expect(masks.count == stored.count)
    for (mask, stored) in zip(masks, stored) {
      let worst = differences(mask, stored).max() ?? .infinity
      #expect(worst <= Self.tolerance, "\(worst)")
    }
    let bytes = try pixels(expected["category_mask"])
    let categories = try #require(found.categoryMask).pixels
    let differing = zip(categories, bytes).count { $0 != $1 }
    #expect(categories.count == bytes.count && differing * 10_000 <= bytes.count, "\(differing) pixels differ")
  }

  /// Returns the differences between the mask and the stored samples.
  private func differences(_ mask: ConfidenceMask, _ stored: GoldenValue) -> [Float] {
    let values = mask.pixels
    return stored["samples"].elements.map { sample in
      abs(values[(sample[1].int ?? 0) * mask.width + (sample[0].int ?? 0)] - (sample[2].float ?? .infinity))
    }
  }

  private func pixels(_ mask: GoldenValue) throws -> [UInt8] {
    let path = TestData.path("tasks/interactive/\(mask["png"].string ?? "")")
    return try ImageDecoder.decode(path: path).image.converted(to: .gray8).packedBytes()
  }
}
