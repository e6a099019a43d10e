import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

/// Checks that any argument produces a result, an error, or the documented behavior, and never ends the process.
@Suite("Arguments of MediaPipe's classes")
struct FacadeArgumentTests {
  static let integers: [Int] = [.min, .min + 1, -1, 0, 1, 1 << 31, 1 << 40, 1 << 62, .max - 1, .max]

  @Test("sizes of images and masks", arguments: integers)
  func sizes(number: Int) throws {
    let bytes = [UInt8](repeating: 1, count: 16)
    for (width, height) in [(number, 1), (1, number), (number, number)] {
      _ = try? MPImage(rgb: bytes, width: width, height: height)
      _ = try? MPImage(rgba: bytes, width: width, height: height)
      _ = try? MPImage(bgra: bytes, width: width, height: height)
      guard number <= 1 || number > 1 << 50 else { continue }
      bytes.withUnsafeBufferPointer { memory in
        guard let first = memory.baseAddress else { return }
        #expect((Mask(uInt8Data: first, width: width, height: height, shouldCopy: true) != nil) == (number == 1))
      }
      [Float(1)].withUnsafeBufferPointer { memory in
        guard let first = memory.baseAddress else { return }
        #expect((Mask(float32Data: first, width: width, height: height, shouldCopy: true) != nil) == (number == 1))
      }
    }
  }

  @Test("threads, counts, and times", arguments: integers)
  func counts(number: Int) throws {
    let options = ObjectDetectorOptions()
    options.baseOptions.modelBytes = BoxReadingModel.bytes
    options.baseOptions.threads = number
    options.maxResults = number
    options.scoreThreshold = Float(number)
    let image = try MPImage(rgb: BoxReadingModel.pixels([], width: 50, height: 50), width: 50, height: 50)
    _ = try? ObjectDetector(options: options).detect(image: image)
    options.runningMode = .video
    options.maxResults = -1
    let video = try ObjectDetector(options: options)
    for time in [number, number, 0] { _ = try? video.detect(videoFrame: image, timestampInMilliseconds: time) }
  }

  @Test("vectors of any numbers", arguments: [Double.nan, .infinity, 1e308, -1, 0])
  func vectors(number: Double) {
    let float = Embedding(
      floatEmbedding: [NSNumber(value: number)], quantizedEmbedding: nil, headIndex: .min, headName: nil)
    let bytes = Embedding(
      floatEmbedding: nil, quantizedEmbedding: [NSNumber(value: number)], headIndex: .max, headName: nil)
    for (one, other) in [(float, float), (bytes, bytes), (float, bytes)] {
      _ = try? ImageEmbedder.cosineSimilarity(embedding1: one, embedding2: other)
    }
  }
}
