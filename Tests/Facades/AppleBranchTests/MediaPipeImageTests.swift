import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

/// Checks images of Apple's types in the MediaPipe facade.
@Suite("MediaPipe's images")
struct MediaPipeImageTests {
  private func seenFields(_ image: MPImage, isTurned: Bool) throws -> [UInt8] {
    let (width, height) = isTurned ? (2, 3) : (3, 2)
    return ModelFile.middles(
      of: try seen(image, width: 3 * width, height: 3 * height), width: width, height: height)
  }

  private func seen(_ image: MPImage, width: Int = 3, height: Int = 2) throws -> [UInt8] {
    let model = try ModelFile.reading(width: width, height: height)
    let classifier = try ImageClassifier(modelPath: model.path)
    var bytes = [UInt8](repeating: 0, count: 3 * width * height)
    for category in try classifier.classify(image: image).classificationResult.classifications[0].categories {
      bytes[category.index] = UInt8((category.score * 255).rounded())
    }
    return bytes
  }

  private func error(_ body: () throws -> Void) -> NSError? {
    do {
      try body()
      return nil
    } catch {
      return error as NSError
    }
  }

  @Test("of images have the displayed orientation, unless mirrored", arguments: OrientationTests.orientations)
  func orientations(orientation: UIImage.Orientation) throws {
    let image = UIImage(cgImage: OrientationTests.bitmap, scale: 1, orientation: orientation)
    let isTurned = image.size.height > image.size.width
    let mpImage = try MPImage(uiImage: image)
    #expect(mpImage.orientation == orientation && mpImage.width == image.size.width && mpImage.image === image)
    if [.up, .down, .left, .right].contains(orientation) {
      #expect(try seenFields(mpImage, isTurned: isTurned) == OrientationTests.displayed(orientation))
    } else {
      let error = error { _ = try seenFields(mpImage, isTurned: isTurned) }
      #expect(error?.code == 3, "\(String(describing: error))")
    }
  }

  @Test("of buffers keep their colors, and are released")
  func buffers() throws {
    let bgra = OrientationTests.stored.flatMap { [$0[2], $0[1], $0[0], 255] as [UInt8] }
    let pixels = PixelBuffers.packed(kCVPixelFormatType_32BGRA, bgra, width: 3, height: 2, channels: 4)
    let expected = OrientationTests.stored.flatMap { $0 }
    let mpImage = try MPImage(pixelBuffer: pixels)
    #expect(mpImage.pixelBuffer === pixels && mpImage.imageSourceType == .pixelBuffer && mpImage.width == 3)
    #expect(try seen(mpImage) == expected && pixels.stubRecord.lockCount == 0)
    let sample = CMSampleBuffer(stub: pixels, time: CMTime(value: 3, timescale: 2))
    let frame = try MPImage(sampleBuffer: sample)
    #expect(frame.sampleBuffer === sample && frame.imageSourceType == .sampleBuffer && frame.height == 2)
    #expect(try seen(frame) == expected)
    let fields = (0..<40 * 60).flatMap { pixel -> [UInt8] in
      let color = OrientationTests.stored[pixel / 60 / 20 * 3 + pixel % 60 / 20]
      return [color[2], color[1], color[0], 255]
    }
    let large = PixelBuffers.packed(kCVPixelFormatType_32BGRA, fields, width: 60, height: 40, channels: 4)
    let turned = try MPImage(pixelBuffer: large, orientation: .right)
    #expect(try seenFields(turned, isTurned: true) == OrientationTests.displayed(.right))
  }

  @Test("of anything else are errors with MediaPipe's messages")
  func refused() throws {
    let float = PixelBuffers.packed(
      kCVPixelFormatType_OneComponent32Float, [UInt8](repeating: 0, count: 24), width: 3, height: 2, channels: 4)
    let planar = PixelBuffers.planar(
      [BroadcastColor](repeating: BroadcastColor([1, 2, 3], red: 0.299, blue: 0.114, isFull: true), count: 2), width: 3,
      height: 2, isFull: true, matrix: nil)
    for (buffer, text) in [(float, "has no colors"), (planar, "Unsupported pixel format")] {
      for mpImage in [try MPImage(pixelBuffer: buffer), try MPImage(sampleBuffer: CMSampleBuffer(stub: buffer))] {
        let error = error { _ = try seen(mpImage) }
        #expect(error?.code == 3)
        #expect(error?.localizedDescription.contains(text) == true, "\(String(describing: error))")
      }
      #expect(buffer.stubRecord.totalLocks == 0)
    }
    #expect(error { _ = try MPImage(uiImage: UIImage()) }?.localizedDescription.contains("CGImage") == true)
    #expect(
      error { _ = try MPImage(sampleBuffer: CMSampleBuffer(stub: nil)) }?.localizedDescription.contains("no image")
        == true)
    let spent = CMSampleBuffer(stub: planar, isValid: false)
    #expect(error { _ = try MPImage(sampleBuffer: spent) }?.localizedDescription.contains("not valid") == true)
  }
}
