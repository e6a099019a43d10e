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

/// - Parameter things: what the task looks for.
/// - Throws: `TaskError` (`unsupportedRegion`) when a region of interest is given.
func requireWholePicture(_ regionOfInterest: NormalizedRect?, _ things: String) throws(TaskError) {
  guard regionOfInterest == nil else {
    throw TaskError(
      .unsupportedRegion,
      "\(things) are looked for in whole pictures; leave the region of interest out, or cut it out first")
  }
}
