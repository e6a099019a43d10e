import SwiftletImage
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

/// The pixels here come from another JPEG decoder than MediaPipe's: they differ by up to three steps, which the trained
/// model makes hundredths of a logit of, and tenths in single places. On MediaPipe's own pixels the largest difference is 0.016, in a
/// picture that is averaged first, and 0.002 in the others.
@Suite("MediaPipe's interactive segmentation", .enabled(if: GoldenTask.isAvailable))
struct InteractiveSegmenterGoldenTests {
  private static let cases = GoldenTask.cases("interactive")

  private func found(_ golden: GoldenTask) throws -> ImageSegmenterResult {
    let point = golden.options["keypoint"].numbers
    let segmenter = try InteractiveSegmenter(model: .bytes(try golden.modelBytes())) {
      $0.shouldOutputCategoryMask = golden.options["output_category_mask"].bool ?? false
    }
    return try segmenter.segment(
      MPImage(try golden.picture()), region: .point(NormalizedPoint(x: point[0], y: point[1])))
  }

  @Test(
    "has the same marks, as models that copy their input show",
    arguments: cases.filter { $0.model.hasPrefix("identity") })
  func marks(golden: GoldenTask) throws {
    let mask = try #require(try found(golden).confidenceMasks?[3])
    let expected = try golden.result()["confidence_masks"][0]
    #expect(mask.width == expected["width"].int && mask.height == expected["height"].int)
    #expect(differences(mask, expected).allSatisfy { $0 <= 2e-5 })
    // The picture has every pixel, rounded to bytes.
    for (value, byte) in zip(mask.float32Data, try pixels(expected)) where abs(value * 255 - Float(byte)) > 0.51 {
      Issue.record("\(value) is stored as \(byte)")
      break
    }
  }

  @Test("finds the same with a trained model", arguments: cases.filter { !$0.model.hasPrefix("identity") })
  func masks(golden: GoldenTask) throws {
    let found = try found(golden)
    let expected = try golden.result()
    let (masks, stored) = (try #require(found.confidenceMasks), expected["confidence_masks"].elements)
    #expect(masks.count == stored.count)
    for (mask, stored) in zip(masks, stored) {
      let all = differences(mask, stored)
      let mean = all.reduce(0, +) / Float(all.count)
      #expect(mean <= 0.08, "\(mean)")
    }
    let bytes = try pixels(expected["category_mask"])
    let categories = try #require(found.categoryMask).uInt8Data
    let differing = zip(categories, bytes).count { $0 != $1 }
    #expect(categories.count == bytes.count && differing * 1000 <= bytes.count, "\(differing) pixels differ")
  }

  /// How far the mask is from the stored samples.
  private func differences(_ mask: Mask, _ stored: GoldenValue) -> [Float] {
    let values = mask.float32Data
    return stored["samples"].elements.map { sample in
      abs(values[(sample[1].int ?? 0) * mask.width + (sample[0].int ?? 0)] - (sample[2].float ?? .infinity))
    }
  }

  private func pixels(_ mask: GoldenValue) throws -> [UInt8] {
    let path = TestData.path("tasks/interactive/\(mask["png"].string ?? "")")
    return try ImageDecoder.decode(path: path).image.converted(to: .gray8).packedBytes()
  }
}
