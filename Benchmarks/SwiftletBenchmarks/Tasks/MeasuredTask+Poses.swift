import SwiftletVision

extension MeasuredTask {
  private static let people = ["mp_pose.jpg", "grace_hopper.jpg"]

  static let poses = MeasuredTask(
    name: "poses", models: ["pose_landmarker.task"], pictures: people, tracks: true
  ) { base, mode in try PoseLandmarker(options: PoseLandmarkerOptions(baseOptions: base, runningMode: mode)) }

  static let poseMasks = MeasuredTask(
    name: "pose-masks", models: ["pose_landmarker.task"], pictures: people, tracks: true
  ) { base, mode in
    try PoseLandmarker(
      options: PoseLandmarkerOptions(baseOptions: base, runningMode: mode, outputsSegmentationMasks: true))
  }

  /// MediaPipe follows people in single pictures too.
  static let holistic = MeasuredTask(
    name: "holistic", models: ["holistic_landmarker.task"], pictures: people, tracks: true
  ) { base, mode in try HolisticLandmarker(options: HolisticLandmarkerOptions(baseOptions: base, runningMode: mode)) }
}
