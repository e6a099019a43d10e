import SwiftletImageCodecs
import SwiftletEngine
import SwiftletTestSupport

@testable import SwiftletVision

/// The models and images of the test data that published results are known for.
///
/// Published results of integer models are near those of the reference's rounding. MediaPipe 1.2.2 runs XNNPACK, which
/// rounds otherwise, and does not give all of them itself; its own results are those of fast numerics.
enum AcceptanceData {
  static func base(_ model: String, numerics: Numerics = .bitExact) -> BaseOptions {
    BaseOptions(model: .file(TestData.path("models/" + model)), threads: 2, numerics: numerics)
  }

  static func image(_ name: String) throws -> InputImage {
    InputImage(try ImageDecoder.decode(path: TestData.path("images/" + name)).image)
  }
}
