import CoreVideo
import MLKitSegmentationSelfie
import SwiftletTestSupport
import Testing
import UIKit

@Suite("Masks of ML Kit's segmenters", .serialized, .timeLimit(.minutes(5)))
struct SegmentationMaskTests {
  /// A model that returns the bytes of an image of 2 × 3 pixels as a mask of 6 × 3.
  private let model = PassingModel(
    type: .uint8, scale: 1 / 255, width: 2, height: 3, outputs: [.init(shape: [1, 3, 6, 1])])
  private let bytes = (0..<18).map { UInt8(10 * $0) }

  @Test("have a buffer of floats with the confidences")
  func buffer() throws {
    let file = try ModelFile(model.bytes)
    let options = SelfieSegmenterOptions()
    (options.model, options.shouldEnableRawSizeMask) = (LocalModel(path: file.path), true)
    let mask = try Segmenter.make(options: options).results(in: VisionImage(rgb: bytes, width: 2, height: 3))
    #expect(CVPixelBufferGetPixelFormatType(mask.buffer) == kCVPixelFormatType_OneComponent32Float)
    #expect(CVPixelBufferGetWidth(mask.buffer) == 6 && CVPixelBufferGetHeight(mask.buffer) == 3)
    #expect(mask.buffer.stubRecord.lockCount == 0 && mask.buffer.stubRecord.faults == 0)
    #expect(CVPixelBufferLockBaseAddress(mask.buffer, .readOnly) == kCVReturnSuccess)
    defer { CVPixelBufferUnlockBaseAddress(mask.buffer, .readOnly) }
    let memory = try #require(CVPixelBufferGetBaseAddress(mask.buffer))
    for y in 0..<3 {
      let row = (memory + y * CVPixelBufferGetBytesPerRow(mask.buffer)).assumingMemoryBound(to: Float.self)
      for x in 0..<6 {
        #expect(row[x] == mask.confidenceMask[x, y] && abs(row[x] - Float(bytes[6 * y + x]) / 255) < 1e-6)
      }
    }
  }

  @Test("an app's service reads the buffer of a photo's mask")
  func service() async throws {
    let file = try ModelFile(model.bytes)
    Segmenter.defaultModel = LocalModel(path: file.path)
    defer { Segmenter.defaultModel = nil }
    let service = CameraPortraitService()
    let rgba = stride(from: 0, to: 18, by: 3).flatMap { bytes[$0..<$0 + 3] + [255] }
    let photo = UIImage(cgImage: CGImage(stub: Array(rgba), width: 2, height: 3))
    // The mask is resized from 6 × 3 to 2 × 3.
    let coverage = try await service.coverage(of: photo)
    #expect(abs(coverage - 85 / 255) < 0.02, "\(coverage)")
  }
}
