// Client code as in an app that imports ML Kit's modules separately. It has no other import, and uses no name of this
// package.
import MLKitPoseDetection
import MLKitPoseDetectionAccurate
import MLKitVision

/// Detects poses, with every kind of call that apps make.
final class PoseService {
  private static let bones: [(PoseLandmarkType, PoseLandmarkType)] = [
    (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist), (.leftHip, .leftKnee), (.leftKnee, .leftAnkle),
  ]

  private let poseDetector: PoseDetector

  init(accurate: Bool) {
    if accurate {
      let options = AccuratePoseDetectorOptions()
      options.detectorMode = .singleImage
      poseDetector = PoseDetector.poseDetector(options: options)
    } else {
      let options = PoseDetectorOptions()
      options.detectorMode = .stream
      poseDetector = PoseDetector.poseDetector(options: options)
    }
  }

  func points(in image: VisionImage) throws -> [CGPoint] {
    let poses: [Pose] = try poseDetector.results(in: image)
    return poses.flatMap { pose in
      pose.landmarks.map { landmark in CGPoint(x: landmark.position.x, y: landmark.position.y) }
    }
  }

  func isSomebodyThere(_ image: VisionImage) async -> Bool {
    guard let pose = try? await poseDetector.process(image).first else { return false }
    return Self.bones.contains { start, end in
      pose.landmark(ofType: start).inFrameLikelihood > 0.5 && pose.landmark(ofType: end).inFrameLikelihood > 0.5
    }
  }
}
