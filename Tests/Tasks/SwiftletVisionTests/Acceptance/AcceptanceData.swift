import SwiftletImageCodecs
import SwiftletEngine
import SwiftletTestSupport

@testable import SwiftletVision

/// The models and images of the test data with known published results.
///
/// Published results of integer models are close to the reference kernels' rounding. MediaPipe 1.2.2 runs XNNPACK,
/// which rounds differently, and doesn't reproduce all of them. Its own results equal those of fast numerics.
enum AcceptanceData {
  static func base(_ model: String, numerics: Numerics = .bitExact) -> BaseOptions {
    BaseOptions(model: .file(TestData.path("models/" + model)), threads: 2, numerics: numerics)
  }

  static func image(_ name: String) throws -> InputImage {
    InputImage(try ImageDecoder.decode(path: TestData.path("images/" + name)).image)
  }
}
