import SwiftletBase
import SwiftletEngine
import SwiftletImage
import SwiftletTasks

/// The face landmark model, which returns the landmarks of the face in a region.
///
/// - Thread safety: one caller at a time.
final class FaceLandmarkModel: LandmarkModel {
  /// The outer corners of both eyes, from left to right in an upright image.
  private static let eyeCorners = (33, 263)
  /// The maximum magnitude of a coordinate. Larger, infinite, and NaN values are not positions in an image.
  private static let maximumExtent: Float = 1e6

  /// The margin of the next region around a face.
  private static let nextRegion = RegionGeometry.Adjustment(scale: 1.5)

  private let model: RegionModel
  private let minPresence: Float

  /// Creates a model.
  ///
  /// - Parameter minPresence: The presence score that the model must exceed for a face to be returned.
  /// - Throws: `TaskError` if the model is missing or its outputs don't match.
  init(_ context: ModelContext, minPresence: Float) throws(TaskError) {
    model = try RegionModel(
      context.member("face_landmarks_detector.tflite"),
      outputs: [
        .init(name: "\(FaceLandmarks.count) landmarks", count: 3 * FaceLandmarks.count),
        .init(name: "presence", count: 1),
      ],
      advice:
        "face landmarkers take one list of all 478 points; models of 468 points, and those with lips, eyes and irises in outputs of their own, are older ones"
    )
    self.minPresence = minPresence
  }

  /// Returns the landmarks of the face in a region of the stored image; `nil` if there is no face.
  ///
  /// - Throws: `TaskError` for a region that ``RegionGeometry/isUsable(_:)`` rejects, and if the model cannot run.
  func landmarks(in region: NormalizedRect, of image: InputImage) throws -> [NormalizedLandmark]? {
    try model.look(at: region, in: image)
    let presence = RoundedFunctions.sigmoid(try model.value(1))
    guard presence > minPresence else { return nil }
    let points = try model.landmarks(0, placing: .projection)
    // Comparisons with NaN are false.
    let areUsable = points.allSatisfy {
      abs($0.x) <= Self.maximumExtent && abs($0.y) <= Self.maximumExtent && abs($0.z) <= Self.maximumExtent
    }
    return areUsable ? points : nil
  }

  /// Returns the box around a face, with the rotation of the line between the eyes.
  ///
  /// The box is the axis-aligned bounding box of the landmarks, as in MediaPipe; only its rotation is set afterwards.
  ///
  /// - Parameter landmarks: The landmarks of a face.
  static func box(of landmarks: [NormalizedLandmark], _ geometry: RegionGeometry) -> NormalizedRect {
    var box = geometry.box(around: landmarks.lazy.map(\.point))
    guard landmarks.count == FaceLandmarks.count else { return box }
    box.rotation = geometry.rotation(
      from: landmarks[eyeCorners.0].point, to: landmarks[eyeCorners.1].point, direction: 0)
    return box
  }

  // MARK: Tracking

  /// Smooths the landmarks of one face.
  struct Smoother: SubjectSmoother {
    fileprivate var points = LandmarkSmoother.points

    mutating func assign(_ other: Smoother) { points.assign(other.points) }

    mutating func lose() { points.reset() }
  }

  func sighting(in region: NormalizedRect, of image: InputImage, _ geometry: RegionGeometry)
    throws -> (subject: Face, next: NormalizedRect)?
  {
    guard let landmarks = try landmarks(in: region, of: image) else { return nil }
    return (Face(landmarks: landmarks), geometry.adjusted(Self.box(of: landmarks, geometry), by: Self.nextRegion))
  }

  func follow(
    _ face: inout Face, next: NormalizedRect, _ smoother: inout Smoother, _ geometry: RegionGeometry,
    at time: Duration, smooths: Bool
  ) -> NormalizedRect? {
    guard geometry.isUsable(next) else { return nil }
    if smooths {
      let size = geometry.size(of: face.landmarks.lazy.map(\.point))
      smoother.points.smooth(&face.landmarks, objectSize: size, in: geometry, at: time)
    }
    return next
  }
}

extension RegionDetector.Recipe {
  /// The regions of heads; the line between the eyes determines the rotation.
  static let faces = RegionDetector.Recipe(
    strides: [8, 16, 16, 16], keypointCount: 6, overlapThreshold: 0.5, start: 0, end: 1, direction: 0,
    adjustment: .init(scale: 1.5, isSquare: false))
}

/// The steps from an image to face landmarks.
final class FaceLandmarkerPipeline: VisionPipeline {
  private let chain: LandmarkChain<FaceLandmarkModel>
  private let blendshapes: BlendshapeModel?
  private var space: FaceGeometry?

  init(_ options: FaceLandmarkerOptions, _ context: ModelContext) throws {
    chain = LandmarkChain(
      try RegionDetector(
        context.member("face_detector.tflite"), recipe: .faces, minConfidence: options.minDetectionConfidence),
      try FaceLandmarkModel(context, minPresence: options.minPresenceConfidence),
      .init(
        limit: options.maxFaces, overlapThreshold: options.minTrackingConfidence, preference: .found,
        smooths: options.smoothing.isOn(limit: options.maxFaces))
    ) { [results = context.results] in
      try results.charge(1, each: Face.byteCount, for: "faces", advice: "set maxFaces to fewer")
    }
    blendshapes = options.outputs.contains(.blendshapes) ? try BlendshapeModel(context) : nil
    space =
      options.outputs.contains(.transformationMatrices)
      ? FaceGeometry(try CanonicalFace(context.source.member(CanonicalFace.memberName))) : nil
  }

  func makeMemory() -> LandmarkChain<FaceLandmarkModel>.Memory { chain.makeMemory() }

  func process(_ input: VisionInput) throws -> [Face] {
    try finished(input) { image, geometry in try chain.subjects(in: image, geometry) }
  }

  func process(
    _ input: VisionInput, at time: Duration, _ memory: inout LandmarkChain<FaceLandmarkModel>.Memory
  ) throws -> [Face] {
    try finished(input) { image, geometry in try chain.subjects(in: image, geometry, at: time, &memory) }
  }

  /// Returns the faces with all requested outputs that are computed from their landmarks.
  private func finished(
    _ input: VisionInput, _ faces: (InputImage, RegionGeometry) throws -> [Face]
  ) throws -> [Face] {
    let (image, isMirrored) = try input.image.unmirrored()
    let geometry = RegionGeometry(image)
    var faces = try faces(image, geometry)
    for index in faces.indices {
      faces[index].blendshapes = try blendshapes?.blendshapes(of: faces[index].landmarks, in: geometry)
      faces[index].transformationMatrix = space?.matrix(of: faces[index].landmarks, in: geometry)
      if isMirrored { faces[index].mirror() }
    }
    return faces
  }
}

/// The model that computes blendshape scores from the landmarks of a face.
///
/// - Thread safety: one caller at a time.
final class BlendshapeModel {
  private let model: TaskModel

  /// Creates a model from a bundle.
  ///
  /// - Throws: `TaskError` if the model is missing, or its inputs or outputs are not those of a blendshape model.
  init(_ bundle: ModelContext) throws(TaskError) {
    let context = bundle.member("face_blendshapes.tflite")
    model = try TaskError.naming(context.source) { () throws(TaskError) in try TaskModel(context) }
    let (points, scores) = (FaceLandmarks.blendshapePoints.count, FaceBlendshape.names.count)
    guard model.inputs.count == 1, model.inputs[0].elementType == .float32,
      model.inputs[0].shape.elementCount == 2 * points, let output = model.outputs.first,
      RealOutput.isReal(output), output.shape.elementCount == scores
    else {
      let found = SanitizedText.list((model.inputs + model.outputs).map(\.description))
      throw .invalidModel(
        "\(context.source.description.excerpt): a model of blendshapes takes \(points) points [1 × \(points) × 2] in float32 and gives \(scores) scores, but this one has \(found)"
      )
    }
  }

  /// Returns the blendshape scores of a face, in the order of ``FaceBlendshape``.
  ///
  /// - Parameter landmarks: The landmarks of a face.
  /// - Throws: `TaskError` if the model cannot run.
  func blendshapes(of landmarks: [NormalizedLandmark], in geometry: RegionGeometry) throws -> FaceBlendshapes {
    try model.session.withInput(0, as: Float.self) { input in
      guard landmarks.count == FaceLandmarks.count, input.count == 2 * FaceLandmarks.blendshapePoints.count else {
        throw TaskError.invalidModel(
          "the model takes \(input.count) numbers, which is inconsistent with a face's landmarks")
      }
      for (position, point) in FaceLandmarks.blendshapePoints.enumerated() {
        input[2 * position] = landmarks[point].x * geometry.width
        input[2 * position + 1] = landmarks[point].y * geometry.height
      }
    }
    try model.run()
    return try model.withRealOutput(0) { scores in
      guard let blendshapes = FaceBlendshapes(scores: Array(scores)) else {
        throw TaskError.invalidModel(
          "the model gave \(scores.count) scores, not one for each of the \(FaceBlendshape.names.count) blendshapes")
      }
      return blendshapes
    }
  }
}
