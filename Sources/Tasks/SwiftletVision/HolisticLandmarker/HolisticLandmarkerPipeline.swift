import SwiftletImage

/// The steps from a picture to a person: the body first, and from its points the hands and the face.
///
/// - Source: MediaPipe's holistic landmarker.
final class HolisticLandmarkerPipeline: VisionPipeline {
  private let body: HolisticBody
  private let hands: HolisticHands
  private let face: HolisticFace
  private let forgets: Bool

  init(_ options: HolisticLandmarkerOptions) throws {
    forgets = options.runningMode == .image && !options.keepsStateBetweenImages
    body = try HolisticBody(options, forgets: forgets)
    hands = try HolisticHands(options)
    face = try HolisticFace(options)
  }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> HolisticLandmarkerResult {
    try requireWholePicture(regionOfInterest, "people")
    let geometry = RegionGeometry(image)
    let pose = try body.pose(in: image, geometry, at: timestamp)
    if forgets || pose == nil {
      hands.reset()
      face.reset()
    }
    guard let pose else { return HolisticLandmarkerResult(timestamp: timestamp) }
    let (left, right) = try hands.hands(of: pose, in: image, geometry)
    return HolisticLandmarkerResult(
      pose: pose, leftHand: left, rightHand: right, face: try face.face(of: pose, in: image, geometry),
      timestamp: timestamp)
  }
}
