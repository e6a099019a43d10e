package import SwiftletImage
package import SwiftletTestSupport
package import SwiftletVision

extension SyntheticPoseModels {
  package static func base(_ bundle: [UInt8]) -> BaseOptions {
    BaseOptions(
      model: .bytes(bundle), inputNormalization: InputNormalization(mean: [0], standardDeviation: [255]))
  }

  package func landmarker(_ configure: (inout PoseLandmarkerOptions) -> Void = { _ in }) throws -> PoseLandmarker {
    var options = PoseLandmarkerOptions(baseOptions: Self.base(bundle))
    configure(&options)
    return try PoseLandmarker(options: options)
  }

  /// Returns a gray image.
  package static func image(_ width: Int = 100, _ height: Int = 100, orientation: ImageOrientation = .up) throws
    -> InputImage
  {
    try InputImage(
      rgb: [UInt8](repeating: 100, count: 3 * width * height), width: width, height: height, orientation: orientation)
  }
}
