import SwiftletImage

/// The steps from a picture to faces with their points.
final class FaceLandmarkerPipeline: VisionPipeline {
  /// How far the next region reaches beyond a face.
  private static let nextRegion = RegionGeometry.Adjustment(scale: 1.5)

  private let finder: RegionFinder
  private let model: FaceLandmarkModel
  private let blendshapes: BlendshapeModel?
  private var space: FaceGeometry?
  private let limit: Int
  private let results: ResultBudget
  /// `nil` for pictures that have nothing to do with each other.
  private var follower: RegionFollower?
  private let smooths: Bool
  private var smoothers = SmoothersByIdentity(LandmarkSmoother.points)
  /// Where the faces of a frame are expected in the next one.
  private var expected: [NormalizedRect] = []

  init(_ options: FaceLandmarkerOptions) throws {
    let base = options.baseOptions
    finder = try RegionFinder(
      base.member("face_detector.tflite"), recipe: .faces, minConfidence: options.minDetectionConfidence)
    model = try FaceLandmarkModel(
      base.member(FaceLandmarkModel.memberName), minPresence: options.minPresenceConfidence)
    blendshapes = options.outputsBlendshapes ? try BlendshapeModel(base.member(BlendshapeModel.memberName)) : nil
    space =
      options.outputsTransformationMatrices
      ? FaceGeometry(try CanonicalFace(base.model.member(CanonicalFace.memberName))) : nil
    limit = options.maxFaces
    results = .ofPipeline(base.limits)
    smooths = options.runningMode != .image && options.smoothing.isOn(limit: limit)
    guard options.runningMode != .image else { return }
    follower = RegionFollower(
      limit: limit, overlapThreshold: options.minTrackingConfidence, preference: .found)
  }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> FaceLandmarkerResult {
    try requireWholePicture(regionOfInterest, "faces")
    let geometry = RegionGeometry(image)
    var faces: [Face] = []
    if follower == nil {
      for region in try finder.regions(in: image).prefix(limit) {
        guard let landmarks = try model.landmarks(in: region, of: image) else { continue }
        faces.append(try face(landmarks, geometry))
      }
    } else {
      do {
        try follow(image, geometry, timestamp, into: &faces)
      } catch {
        // What is followed and what smooths it would no longer belong together.
        follower?.follow([])
        smoothers = SmoothersByIdentity(.points)
        throw error
      }
    }
    return FaceLandmarkerResult(faces: faces, timestamp: timestamp)
  }

  /// Looks at the faces that are followed, and at new ones.
  private func follow(
    _ image: MPImage, _ geometry: RegionGeometry, _ timestamp: Duration, into faces: inout [Face]
  ) throws {
    expected.removeAll(keepingCapacity: true)
    for candidate in try follower?.regions(finding: { try finder.regions(in: image) }) ?? [] {
      guard var landmarks = try model.landmarks(in: candidate.region, of: image) else { continue }
      let box = FaceLandmarkModel.box(of: landmarks, geometry)
      let next = geometry.adjusted(box, by: Self.nextRegion)
      if geometry.isUsable(next) {
        expected.append(next)
        if smooths {
          let size = geometry.size(of: landmarks.lazy.map(\.point))
          smoothers.smooth(candidate.identity) { smoother in
            smoother.smooth(&landmarks, objectSize: size, in: geometry, at: timestamp)
          }
        }
      }
      faces.append(try face(landmarks, geometry))
    }
    follower?.follow(expected)
    smoothers.endFrame()
  }

  private func face(_ landmarks: [NormalizedLandmark], _ geometry: RegionGeometry) throws -> Face {
    try results.charge(1, each: Face.byteCount, for: "faces", advice: "set maxFaces to fewer")
    return Face(
      landmarks: landmarks, blendshapes: try blendshapes?.blendshapes(of: landmarks, in: geometry),
      transformationMatrix: space?.matrix(of: landmarks, in: geometry))
  }
}
