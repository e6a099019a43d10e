import SwiftletImage
import SwiftletTasks

/// The hand step of the holistic task, for a person whose body is known.
///
/// - Thread safety: one caller at a time.
final class HolisticHands {
  /// The landmarks of the body that locate a hand.
  struct Side {
    var wrist: PoseLandmarks.Point
    var pinky: PoseLandmarks.Point
    var index: PoseLandmarks.Point

    static let left = Side(wrist: .leftWrist, pinky: .leftPinky, index: .leftIndex)
    static let right = Side(wrist: .rightWrist, pinky: .rightPinky, index: .rightIndex)
  }

  /// The visibility that the wrist must exceed for the hand to be searched.
  private static let leastVisibility: Float = 0.1
  /// The adjustment from the body's landmarks to a region that contains the hand.
  private static let roughly = RegionGeometry.Adjustment(shift: -0.1, scale: 2.7)
  /// The adjustment from the refiner's points to the region of the hand.
  private static let exactly = RegionGeometry.Adjustment(shift: -0.1, scale: 1)

  private let refiner: RegionModel
  private let model: HandModel

  init(_ options: HolisticLandmarkerOptions, _ context: ModelContext) throws(TaskError) {
    refiner = try RegionModel(
      context.member("hand_roi_refinement.tflite"), outputs: [.init(name: "two points", count: 4)],
      keepsAspectRatio: true)
    model = try HandModel(
      context, minPresence: options.minHandLandmarksConfidence)
  }

  /// Returns a hand of a body in a frame; `nil` if no hand is detected.
  ///
  /// - Parameter memory: The hand in the previous frame. On return, the hand in this frame.
  func hand(
    _ side: Side, _ memory: inout TrackingCheck.Past?, of pose: Pose, in image: InputImage, _ geometry: RegionGeometry
  ) throws -> HolisticHand? {
    let past = memory
    memory = nil
    guard let found = try region(side, pose, image, geometry) else { return nil }
    let region = TrackingCheck.hand.region(found, past: past, geometry)
    guard var hand = try model.hand(in: region, of: image) else { return nil }
    let next = HandGeometry.nextRegion(hand.landmarks, geometry)
    if geometry.isUsable(next) { memory = .init(region: next, points: hand.landmarks) }
    Self.move(&hand.worldLandmarks, to: pose.worldLandmarks[side.wrist.rawValue])
    return HolisticHand(landmarks: hand.landmarks, worldLandmarks: hand.worldLandmarks)
  }

  /// Returns the region of a hand, fingers up; `nil` if the hand is not visible.
  private func region(
    _ side: Side, _ pose: Pose, _ image: InputImage, _ geometry: RegionGeometry
  ) throws -> NormalizedRect? {
    guard let wrist = pose[side.wrist], let pinky = pose[side.pinky], let index = pose[side.index],
      wrist.visibility ?? 0 > Self.leastVisibility
    else { return nil }
    let start = geometry.pixels(wrist.point)
    let middle = (2 * geometry.pixels(index.point) + geometry.pixels(pinky.point)) / 3
    var rough = geometry.square(about: middle, reaching: start)
    rough.rotation = geometry.rotation(from: start, to: middle, direction: RegionGeometry.up)
    rough = geometry.adjusted(rough, by: Self.roughly)
    guard geometry.isUsable(rough) else { return nil }
    try refiner.look(at: rough, in: image)
    let (width, height) = (Float(refiner.inputWidth), Float(refiner.inputHeight))
    let (center, guide) = try refiner.withNumbers(0) { numbers in
      (
        refiner.projection(NormalizedPoint(x: numbers[0] / width, y: numbers[1] / height)),
        refiner.projection(NormalizedPoint(x: numbers[2] / width, y: numbers[3] / height))
      )
    }
    var exact = geometry.square(about: center, reaching: guide)
    exact.rotation = geometry.rotation(from: center, to: guide, direction: -RegionGeometry.up)
    exact = geometry.adjusted(exact, by: Self.exactly)
    return geometry.isUsable(exact) ? exact : nil
  }

  /// Moves the world landmarks of a hand so that its wrist coincides with the wrist of the body.
  private static func move(_ points: inout [Landmark], to wrist: Landmark) {
    guard let first = points.first else { return }
    for index in points.indices {
      points[index].x = points[index].x - first.x + wrist.x
      points[index].y = points[index].y - first.y + wrist.y
      points[index].z = points[index].z - first.z + wrist.z
    }
  }
}
