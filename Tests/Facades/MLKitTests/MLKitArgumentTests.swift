import Foundation
import MLKit
import SwiftletTestSupport
import Testing

/// Checks that any argument produces a result, an error, or the documented behavior, and never ends the process.
@Suite("Arguments of ML Kit's classes")
struct MLKitArgumentTests {
  static let integers: [Int] = [.min, .min + 1, -1, 0, 1, 2, 1 << 40, .max - 1, .max]

  @Test("image sizes and strides", arguments: integers)
  func images(number: Int) throws {
    let bytes = [UInt8](repeating: 1, count: 16)
    for (width, height, stride) in [
      (number, 1, nil), (1, number, nil), (number, number, nil), (1, 1, number), (number, 1, number),
    ] as [(Int, Int, Int?)] {
      _ = try? VisionImage(rgba: bytes, width: width, height: height, bytesPerRow: stride)
      _ = try? VisionImage(bgra: bytes, width: width, height: height, bytesPerRow: stride)
      _ = try? VisionImage(rgb: bytes, width: width, height: height, bytesPerRow: stride)
      for strides in [(stride, nil), (nil, stride), (stride, stride)] as [(Int?, Int?)] {
        _ = try? VisionImage(
          nv12: bytes, uv: bytes, width: width, height: height, yBytesPerRow: strides.0, uvBytesPerRow: strides.1)
        _ = try? VisionImage(
          nv12: [], uv: [], width: width, height: height, yBytesPerRow: strides.0, uvBytesPerRow: strides.1)
      }
    }
    #expect(throws: MLKitError.self) { try VisionImage(nv12: [], uv: [], width: .max, height: 1) }
  }

  @Test("detector counts", arguments: integers)
  func counts(number: Int) throws {
    let fixtures = try Fixtures()
    let image = try Fixtures.image([Fixtures.object(90, 90)])
    let changes: [(ObjectDetectorOptions) -> Void] = [
      { $0.threadCount = number }, { $0.maxObjectCount = number }, { $0.streamPolicy = .synchronous(every: number) },
      { $0.trackingOptions.maxTracks = number }, { $0.trackingOptions.minHits = number },
    ]
    for change in changes {
      let options = ObjectDetectorOptions()
      (options.localizerModel, options.shouldEnableMultipleObjects) = (fixtures.localizer, true)
      change(options)
      _ = try? ObjectDetector.objectDetector(options: options).results(in: image)
    }
  }

  @Test("image timestamps", arguments: [Double.nan, .infinity, -.infinity, 1e308, -1e308, 1e15, 1e16, 0])
  func times(seconds: Double) throws {
    let fixtures = try Fixtures()
    let options = ObjectDetectorOptions()
    options.localizerModel = fixtures.localizer
    let detector = ObjectDetector.objectDetector(options: options)
    for time in [0, seconds, seconds, 1] {
      let image = try Fixtures.image([Fixtures.object(90, 90)])
      image.timestamp = time
      _ = try detector.results(in: image)
    }
  }
}
