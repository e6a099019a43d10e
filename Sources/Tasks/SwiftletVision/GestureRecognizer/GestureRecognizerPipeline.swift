import SwiftletImage

/// The steps from a picture to gestures.
final class GestureRecognizerPipeline: VisionPipeline {
  private let chain: HandChain
  private var gestures: GestureModels

  init(_ options: GestureRecognizerOptions) throws {
    chain = try HandChain(options.hands)
    gestures = try GestureModels(options)
  }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> GestureRecognizerResult {
    try requireWholePicture(regionOfInterest, "gestures")
    let hands = try chain.hands(in: image, at: timestamp)
    return GestureRecognizerResult(
      hands: try hands.map { hand in
        RecognizedHand(hand: hand, gestures: try gestures.gesture(of: hand, in: image).map { [$0] } ?? [])
      }, timestamp: timestamp)
  }
}
