import SwiftletImage
import SwiftletTasks

/// The hand landmark model, which returns the hand in a region.
///
/// - Source: MediaPipe's hand landmark graph.
final class HandModel: LandmarkModel {
  private static let outputs: [RegionModel.Output] = [
    .init(name: "landmarks", count: 3 * HandLandmarks.count), .init(name: "presence", count: 1),
    .init(name: "handedness", count: 1), .init(name: "world landmarks", count: 3 * HandLandmarks.count),
  ]
  /// The divisor of depths, which corrects the scale of the depths in the model's training data.
  private static let depthScale: Float = 0.4

  private let model: RegionModel
  private let minPresence: Float

  /// Creates a model.
  ///
  /// - Parameter context: The bundle that contains the model, and the model's options.
  /// - Throws: `TaskError` if the model is missing or its outputs don't match.
  init(_ context: ModelContext, minPresence: Float) throws(TaskError) {
    model = try RegionModel(context.member("hand_landmarks_detector.tflite"), outputs: Self.outputs)
    self.minPresence = minPresence
  }

  /// Returns the hand in a region of an image; `nil` if the model detects none.
  func hand(in region: NormalizedRect, of image: InputImage) throws -> Hand? {
    try model.look(at: region, in: image)
    guard try model.value(1) > minPresence else { return nil }
    let right = try model.value(2)
    return Hand(
      landmarks: try model.landmarks(0, depthScale: Self.depthScale), worldLandmarks: try model.worldLandmarks(3),
      handedness: right >= 0.5 ? .right : .left, handednessScore: right >= 0.5 ? right : 1 - right)
  }

  // MARK: Tracking

  /// Smooths the landmarks of one hand, as MediaPipe does for poses.
  struct Smoother: SubjectSmoother {
    fileprivate var points = LandmarkSmoother.points
    fileprivate var worldPoints = LandmarkSmoother.worldPoints

    mutating func assign(_ other: Smoother) {
      points.assign(other.points)
      worldPoints.assign(other.worldPoints)
    }

    mutating func lose() {
      points.reset()
      worldPoints.reset()
    }
  }

  func sighting(in region: NormalizedRect, of image: InputImage, _ geometry: RegionGeometry) throws -> (
    subject: Hand, next: NormalizedRect
  )? {
    guard let hand = try hand(in: region, of: image) else { return nil }
    return (hand, HandGeometry.nextRegion(hand.landmarks, geometry))
  }

  func areSame(_ one: Hand, _ other: Hand, _ geometry: RegionGeometry) -> Bool {
    HandGeometry.areOne(one.landmarks, other.landmarks, geometry)
  }

  func follow(
    _ hand: inout Hand, next: NormalizedRect, _ smoother: inout Smoother, _ geometry: RegionGeometry,
    at time: Duration, smooths: Bool
  ) -> NormalizedRect? {
    guard geometry.isUsable(next) else { return nil }
    if smooths {
      smoother.points.smooth(&hand.landmarks, objectSize: geometry.size(of: next), in: geometry, at: time)
      smoother.worldPoints.smooth(&hand.worldLandmarks, at: time)
    }
    return next
  }
}

extension LandmarkChain<HandModel> {
  /// Creates the chain of the hand and gesture tasks.
  ///
  /// - Throws: `TaskError` if a model is missing or is not a hand model.
  convenience init(_ options: HandLandmarkerOptions, _ context: ModelContext) throws(TaskError) {
    self.init(
      try RegionDetector(
        context.member("hand_detector.tflite"), recipe: .palms, minConfidence: options.minDetectionConfidence),
      try HandModel(context, minPresence: options.minPresenceConfidence),
      Rules(
        limit: options.maxHands, overlapThreshold: options.minTrackingConfidence, preference: .followed,
        smooths: options.smoothing.isOn(limit: options.maxHands))
    ) { [results = context.results] in
      try results.charge(1, each: Hand.byteCount, for: "hands", advice: "set maxHands to fewer")
    }
  }
}

extension RegionDetector.Recipe {
  /// The regions of hands, with a rotation from the wrist to the base of the middle finger. The direction is 90
  /// radians, not degrees, as in MediaPipe.
  static let palms = RegionDetector.Recipe(
    strides: [8, 16, 16, 16], keypointCount: 7, overlapThreshold: 0.3, start: 0, end: 2, direction: 90,
    adjustment: .init(shift: -0.5, scale: 2.6))
}

/// The steps from an image to hands.
final class HandLandmarkerPipeline: VisionPipeline {
  private let chain: LandmarkChain<HandModel>

  init(_ options: HandLandmarkerOptions, _ context: ModelContext) throws { chain = try LandmarkChain(options, context) }

  func makeMemory() -> LandmarkChain<HandModel>.Memory { chain.makeMemory() }

  func process(_ input: VisionInput) throws -> [Hand] {
    let (image, isMirrored) = try input.image.unmirrored()
    var hands = try chain.subjects(in: image, RegionGeometry(image))
    if isMirrored { for index in hands.indices { hands[index].mirror() } }
    return hands
  }

  func process(
    _ input: VisionInput, at time: Duration, _ memory: inout LandmarkChain<HandModel>.Memory
  ) throws -> [Hand] {
    let (image, isMirrored) = try input.image.unmirrored()
    var hands = try chain.subjects(in: image, RegionGeometry(image), at: time, &memory)
    if isMirrored { for index in hands.indices { hands[index].mirror() } }
    return hands
  }
}

/// The geometry of hands: their next regions, and their identity.
///
/// - Source: MediaPipe's hand landmarker.
enum HandGeometry {
  /// The landmarks that move less than the finger tips.
  private static let steadyPoints = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]

  /// Returns the region of a hand in the next frame: around palm and lower joints, fingers up.
  static func nextRegion(_ points: [NormalizedLandmark], _ geometry: RegionGeometry) -> NormalizedRect {
    let (index, middle, ring) = (points[5], points[9], points[13])
    let knuckles = NormalizedPoint(
      x: ((index.x + ring.x) / 2 + middle.x) / 2, y: ((index.y + ring.y) / 2 + middle.y) / 2)
    let rotation = geometry.rotation(from: points[0].point, to: knuckles, direction: RegionGeometry.up)
    let around = geometry.region(around: steadyPoints.lazy.map { points[$0].point }, rotation: rotation)
    return geometry.adjusted(around, by: .init(shift: -0.1, scale: 2))
  }

  /// Returns whether two results are the same hand: at least ten landmarks are close to each other, relative to the
  /// size of the hands, and their boxes overlap.
  static func areOne(_ one: [NormalizedLandmark], _ other: [NormalizedLandmark], _ geometry: RegionGeometry) -> Bool {
    let reach = 0.2 * max(size(one, geometry), size(other, geometry))
    let closeCount = one.indices.count { geometry.distance(one[$0].point, other[$0].point) < reach }
    guard closeCount >= 10 else { return false }
    return box(one).intersectionOverUnion(with: box(other)) > 0.2
  }

  /// Returns the length of the longest side of the palm, in pixels.
  private static func size(_ points: [NormalizedLandmark], _ geometry: RegionGeometry) -> Float {
    func distance(_ one: Int, _ other: Int) -> Float { geometry.distance(points[one].point, points[other].point) }
    return max(distance(0, 5), distance(5, 17), distance(17, 0))
  }

  private static func box(_ points: [NormalizedLandmark]) -> NormalizedRect {
    var (low, high) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
    for point in points {
      low = pointwiseMin(low, SIMD2(point.x, point.y))
      high = pointwiseMax(high, SIMD2(point.x, point.y))
    }
    return NormalizedRect(left: low.x, top: low.y, right: high.x, bottom: high.y)
  }
}
