package import SwiftletTestSupport
package import SwiftletVision

/// Models in the form of a holistic bundle that detect the same person in every image.
package struct SyntheticPerson {
  package var pose = Self.body
  /// The vector from the wrist to the fingers, relative to the coarse region.
  package var handEnds: [Float] = [0.5, 0.25, 0.5, 0.75]
  package var handPresence: Float = 1
  package var hasFace = true
  package var facePresence: Float = 5
  package var hasBlendshapes = true

  package init() {}

  /// A pose whose landmarks are spread out, so that hands and face have regions.
  private static let body: SyntheticPoseModels = {
    var body = SyntheticPoseModels()
    // By landmark index: eyes, wrists, little fingers, and index fingers.
    let places: [Int: (Float, Float)] = [
      2: (18, 8), 5: (14, 8), 15: (24, 16), 17: (24, 18), 19: (25, 18), 16: (8, 16), 18: (8, 18), 20: (7, 18),
    ]
    body.points = (0..<33).map { index in
      let place = places[index] ?? (14 + Float(index % 3) * 2, 6 + Float(index % 4) * 2)
      return [place.0, place.1, 0, 5, 5]
    }
    return body
  }()

  private var face: [UInt8] {
    var boxes = [Float](repeating: 0, count: 896 * 16)
    var scores = [Float](repeating: -10, count: 896)
    // In the center of the detector's region.
    let box = 16 * 16 * 2 + 8 * 8 * 3 - 1
    for point in 0..<6 {
      boxes[16 * box + 4 + 2 * point] = point == 0 ? -16 : 16
      boxes[16 * box + 5 + 2 * point] = point > 1 ? 16 : 0
    }
    (boxes[16 * box + 2], boxes[16 * box + 3]) = (64, 64)
    if hasFace { scores[box] = 5 }
    return TestGraph.bytes([
      .giving([(boxes, [1, 896, 16]), (scores, [1, 896, 1])], forImageOf: 128, by: 128)
    ])
  }

  package var members: [(name: String, bytes: [UInt8])] {
    var face = SyntheticFaceBundle()
    face.presence = facePresence
    let faces = face.members.filter { hasBlendshapes || $0.name != "face_blendshapes.tflite" }.filter {
      $0.name.hasSuffix(".tflite") && $0.name != "face_detector.tflite"
    }
    let side = Float(SyntheticPoseModels.side)
    return [
      ("pose_detector.tflite", pose.detector), ("pose_landmarks_detector.tflite", pose.landmarks),
      ("hand_roi_refinement.tflite", SyntheticPoseModels.model([(handEnds.map { $0 * side }, [1, 4])])),
      ("hand_landmarks_detector.tflite", SyntheticHands.landmarks(presence: handPresence)),
      ("face_detector.tflite", self.face),
    ] + faces.map { ($0.name, $0.contents) }
  }

  package func landmarker(_ configure: (inout HolisticLandmarkerOptions) -> Void = { _ in }) throws
    -> HolisticLandmarker
  {
    var options = HolisticLandmarkerOptions(
      baseOptions: SyntheticPoseModels.base(SyntheticPoseModels.bundle(members)),
      outputs: hasBlendshapes ? [.blendshapes, .segmentationMask] : .segmentationMask)
    configure(&options)
    return try HolisticLandmarker(options: options)
  }
}
