import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Image segmenter", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
struct ImageSegmenterTests {
  @Test("computes the share of a photo that each class covers")
  func categories() throws {
    let shares = try PhotoMap(modelPath: TestModel.segments).shares(
      of: TestImage.image("segmentation_input_rotation0.jpg"))
    #expect(abs(shares.values.reduce(0, +) - 1) < 1e-9)
    #expect(try #require(shares["person"]) > 0.05)
    #expect(try #require(shares["horse"]) > 0.05)
  }

  @Test("returns only the requested masks")
  func outputs() throws {
    let photo = try TestImage.image("segmentation_input_rotation0.jpg")
    let segmenter = try ImageSegmenter(modelPath: TestModel.segments)
    #expect(segmenter.labels.count == 21)
    #expect(segmenter.labels.first == "background" && segmenter.labels[8] == "cat")
    let result = try segmenter.segment(image: photo)
    #expect(result.categoryMask == nil)
    let masks = try #require(result.confidenceMasks)
    #expect(masks.count == 21)
    #expect(masks.allSatisfy { $0.width == 257 && $0.height == 257 && $0.dataType == .float32 })
    #expect(result.qualityScores == [NSNumber](repeating: 1, count: 21))
    #expect(result.timestampInMilliseconds == 0)
    let options = ImageSegmenterOptions()
    options.baseOptions.modelAssetPath = TestModel.segments
    options.shouldOutputCategoryMask = true
    options.shouldOutputConfidenceMasks = false
    let categories = try ImageSegmenter(options: options).segment(image: photo)
    #expect(categories.confidenceMasks == nil)
    #expect(categories.categoryMask?.dataType == .uInt8)
  }

  @Test("calls a completion handler before it returns, and masks outlive the call")
  func completion() throws {
    let remover = try BackgroundRemover(modelPath: TestModel.selfie)
    let photo = try TestImage.image("grace_hopper.jpg")
    let alpha = remover.alpha(of: photo)
    #expect(alpha.count == 517 * 606)
    #expect(alpha.contains { $0 > 0.9 } && alpha.contains { $0 < 0.1 })
    let frame = try #require(try remover.mask(of: photo, at: 10))
    #expect(UnsafeBufferPointer(start: frame.float32Data, count: alpha.count).elementsEqual(alpha))
    var kept: Mask?
    var code: Int?
    remover.withMask(of: photo, at: 20) { mask, _ in kept = mask }
    remover.withMask(of: photo, at: 20) { _, error in code = error.map { ($0 as NSError).code } }
    let mask = try #require(kept)
    #expect(UnsafeBufferPointer(start: mask.float32Data, count: alpha.count).elementsEqual(alpha))
    #expect(code == 3)
  }

  @Test("delivers the frames of a live stream to the delegate, with masks that persist", .timeLimit(.minutes(30)))
  func liveStream() async throws {
    let (results, told) = AsyncStream.makeStream(of: Told.self)
    let replacer = try BackgroundReplacer(modelPath: TestModel.selfie)
    replacer.onResult = { result, timestamp, error in
      let sizes = [result?.confidenceMasks?.first, result?.categoryMask].compactMap { $0 }
      told.yield(
        Told(
          summary: sizes.map { "\($0.width)x\($0.height)" }.joined(separator: " "), timestamp: timestamp,
          errorCode: error.map { ($0 as NSError).code }))
    }
    let frame = try TestImage.plain(width: 20, height: 30)
    var iterator = results.makeAsyncIterator()
    for time in [1, 2] {
      try replacer.cameraDelivered(frame, at: time)
      let next = try #require(await iterator.next())
      #expect(next.summary == "20x30 20x30" && next.timestamp == time && next.errorCode == nil)
    }
  }
}
