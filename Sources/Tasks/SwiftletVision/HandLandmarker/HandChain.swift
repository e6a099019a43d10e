import SwiftletImage

/// From pictures to hands: what the tasks of hands and of gestures have in common.
///
/// One caller at a time.
final class HandChain {
  private let finder: RegionFinder
  private let model: HandModel
  private let isVideo: Bool
  private let results: ResultBudget
  private var follower: RegionFollower
  /// `nil` where nothing is smoothed.
  private var smoothers: SmoothersByIdentity<HandSmoother>?
  /// Which of the last frame's hands those of this one are, and where they are expected next. Their memory is used for
  /// frame after frame.
  private var identities: [Int?] = []
  private var nextRegions: [NormalizedRect] = []

  /// - Throws: `TaskError` when a model is missing or is not one of hands.
  init(_ options: HandLandmarkerOptions) throws(TaskError) {
    finder = try RegionFinder(
      options.baseOptions.member("hand_detector.tflite"), recipe: .palms,
      minConfidence: options.minDetectionConfidence)
    model = try HandModel(
      options.baseOptions.member(HandModel.memberName), minPresence: options.minPresenceConfidence)
    isVideo = options.runningMode != .image
    results = .ofPipeline(options.baseOptions.limits)
    // In single pictures nothing is followed, and what is found is taken as it is.
    follower = RegionFollower(
      limit: options.maxHands, overlapThreshold: isVideo ? options.minTrackingConfidence : .infinity,
      preference: .followed)
    if isVideo, options.smoothing.isOn(limit: options.maxHands) { smoothers = SmoothersByIdentity(HandSmoother()) }
  }

  /// The hands of a picture, or of the next frame.
  func hands(in image: MPImage, at time: Duration) throws -> [Hand] {
    let geometry = RegionGeometry(image)
    let candidates = try follower.regions { try finder.regions(in: image) }
    var hands: [Hand] = []
    hands.reserveCapacity(candidates.count)
    identities.removeAll(keepingCapacity: true)
    for candidate in candidates {
      guard let hand = try model.hand(in: candidate.region, of: image),
        !hands.contains(where: { HandGeometry.areOne($0.landmarks, hand.landmarks, geometry) })
      else { continue }
      try results.charge(1, each: Hand.byteCount, for: "hands", advice: "set maxHands to fewer")
      hands.append(hand)
      identities.append(candidate.identity)
    }
    if isVideo { follow(&hands, geometry, time) }
    return hands
  }

  /// Says where the hands are expected in the next frame, and smooths them. The next regions come from points that are
  /// not smoothed.
  private func follow(_ hands: inout [Hand], _ geometry: RegionGeometry, _ time: Duration) {
    nextRegions.removeAll(keepingCapacity: true)
    for index in hands.indices {
      let region = HandGeometry.nextRegion(hands[index].landmarks, geometry)
      guard geometry.isUsable(region) else { continue }
      nextRegions.append(region)
      smoothers?.smooth(identities[index]) { smoother in
        smoother.smooth(&hands[index], region: region, in: geometry, at: time)
      }
    }
    follower.follow(nextRegions)
    smoothers?.endFrame()
  }
}

extension RegionFinder.Recipe {
  /// From the wrist to the middle finger's base. The direction is 90 radians, as in MediaPipe, not degrees.
  static let palms = RegionFinder.Recipe(
    strides: [8, 16, 16, 16], keypointCount: 7, overlapThreshold: 0.3, start: 0, end: 2, direction: 90,
    adjustment: .init(shift: -0.5, scale: 2.6))
}
