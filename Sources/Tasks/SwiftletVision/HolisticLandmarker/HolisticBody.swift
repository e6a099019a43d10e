import SwiftletImage
import SwiftletTasks

/// The pose model in the holistic task. It tracks one body, and smooths the two points from which the body's next
/// region is computed.
final class HolisticBody: LandmarkModel {
  /// Smooths the landmarks of the body, and the ends of the line that its region is computed from.
  struct Smoother: SubjectSmoother {
    fileprivate var pose = PoseSmoother()
    fileprivate var ends = LandmarkSmoother(minCutoff: 0.01, beta: 10)

    mutating func assign(_ other: Smoother) {
      pose.assign(other.pose)
      ends.assign(other.ends)
    }

    mutating func lose() {
      pose.lose()
      ends.reset()
    }
  }

  let model: PoseModel
  private var ends: [NormalizedLandmark] = []

  init(_ options: HolisticLandmarkerOptions, _ context: ModelContext) throws(TaskError) {
    model = try PoseModel(
      context, minPresence: options.minPosePresenceConfidence,
      maskCount: options.outputs.contains(.segmentationMask) ? 1 : 0)
  }

  func sighting(in region: NormalizedRect, of image: InputImage, _ geometry: RegionGeometry)
    throws -> (subject: PoseModel.Body, next: NormalizedRect)?
  {
    guard let body = try model.body(in: region, of: image) else { return nil }
    return (body, PoseModel.region(center: body.center.point, top: body.top.point, geometry))
  }

  func follow(
    _ body: inout PoseModel.Body, next: NormalizedRect, _ smoother: inout Smoother, _ geometry: RegionGeometry,
    at time: Duration, smooths: Bool
  ) -> NormalizedRect? {
    let size = Self.size(of: body, geometry)
    ends.removeAll(keepingCapacity: true)
    ends.append(body.center)
    ends.append(body.top)
    smoother.ends.smooth(&ends, objectSize: size, in: geometry, at: time)
    smoother.pose.smooth(&body.landmarks, &body.worldLandmarks, objectSize: size, in: geometry, at: time)
    let next = PoseModel.region(center: ends[0].point, top: ends[1].point, geometry)
    return geometry.isUsable(next) ? next : nil
  }

  /// Returns the size of a body in pixels, without the margin of its region.
  static func size(of body: PoseModel.Body, _ geometry: RegionGeometry) -> Float {
    geometry.size(of: geometry.square(about: body.center.point, reaching: body.top.point))
  }
}

/// The steps from an image to a person: the body first, and from its landmarks the hands and the face.
///
/// - Source: MediaPipe's holistic landmarker.
final class HolisticLandmarkerPipeline: VisionPipeline {
  /// The state that a frame passes on to the next frame.
  struct Memory: FrameMemory {
    fileprivate var body: LandmarkChain<HolisticBody>.Memory
    fileprivate var mask: ConfidenceMask?
    fileprivate var leftHand: TrackingCheck.Past?
    fileprivate var rightHand: TrackingCheck.Past?
    fileprivate var face: TrackingCheck.Past?

    mutating func assign(_ other: Memory) {
      body.assign(other.body)
      mask = other.mask
      (leftHand, rightHand, face) = (other.leftHand, other.rightHand, other.face)
    }
  }

  private let chain: LandmarkChain<HolisticBody>
  private let hands: HolisticHands
  private let face: HolisticFace
  private let makesMask: Bool
  /// The body of the current frame, if any. The array is reused from frame to frame.
  private var bodies: [PoseModel.Body] = []

  init(_ options: HolisticLandmarkerOptions, _ context: ModelContext) throws {
    chain = LandmarkChain(
      try RegionDetector(
        context.member("pose_detector.tflite"),
        recipe: .poses(overlapThreshold: options.minPoseSuppressionThreshold),
        minConfidence: options.minPoseDetectionConfidence),
      try HolisticBody(options, context),
      .init(limit: 1, overlapThreshold: .infinity, preference: .followed, smooths: true), charge: {})
    makesMask = options.outputs.contains(.segmentationMask)
    hands = try HolisticHands(options, context)
    face = try HolisticFace(options, context)
  }

  func makeMemory() -> Memory { Memory(body: chain.makeMemory()) }

  func process(_ input: VisionInput) throws -> Person? {
    let (image, isMirrored) = try input.image.unmirrored()
    let geometry = RegionGeometry(image)
    defer { bodies.removeAll(keepingCapacity: true) }
    try chain.find(in: image, geometry, into: &bodies)
    guard var body = bodies.popLast() else { return nil }
    // MediaPipe rounds the landmarks like this even for single images.
    LandmarkSmoother.roundThroughPixels(
      &body.landmarks, objectSize: HolisticBody.size(of: body, geometry), in: geometry)
    var (left, right, face): (TrackingCheck.Past?, TrackingCheck.Past?, TrackingCheck.Past?)
    let mask = makesMask ? try chain.model.model.mask(in: image) : nil
    return try person(body, mask, image, geometry, &left, &right, &face, isMirrored: isMirrored)
  }

  func process(_ input: VisionInput, at time: Duration, _ memory: inout Memory) throws -> Person? {
    let (image, isMirrored) = try input.image.unmirrored()
    let geometry = RegionGeometry(image)
    defer { bodies.removeAll(keepingCapacity: true) }
    try chain.find(in: image, geometry, at: time, &memory.body, into: &bodies)
    guard let body = bodies.popLast() else {
      // The last mask is kept, as in MediaPipe.
      (memory.leftHand, memory.rightHand, memory.face) = (nil, nil, nil)
      return nil
    }
    if makesMask { memory.mask = try chain.model.model.mask(in: image, smoothing: memory.mask) }
    return try person(
      body, memory.mask, image, geometry, &memory.leftHand, &memory.rightHand, &memory.face, isMirrored: isMirrored)
  }

  private func person(
    _ body: PoseModel.Body, _ mask: ConfidenceMask?, _ image: InputImage, _ geometry: RegionGeometry,
    _ left: inout TrackingCheck.Past?, _ right: inout TrackingCheck.Past?, _ past: inout TrackingCheck.Past?,
    isMirrored: Bool
  ) throws -> Person {
    let pose = Pose(landmarks: body.landmarks, worldLandmarks: body.worldLandmarks, segmentationMask: mask)
    var person = Person(
      pose: pose, leftHand: try hands.hand(.left, &left, of: pose, in: image, geometry),
      rightHand: try hands.hand(.right, &right, of: pose, in: image, geometry),
      face: try face.face(&past, of: pose, in: image, geometry))
    if isMirrored { person.mirror() }
    return person
  }
}
