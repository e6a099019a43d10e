import SwiftletImage

/// The steps from a picture to hands.
final class HandLandmarkerPipeline: VisionPipeline {
  private let chain: HandChain

  init(_ options: HandLandmarkerOptions) throws { chain = try HandChain(options) }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> HandLandmarkerResult {
    try requireWholePicture(regionOfInterest, "hands")
    return HandLandmarkerResult(hands: try chain.hands(in: image, at: timestamp), timestamp: timestamp)
  }
}
