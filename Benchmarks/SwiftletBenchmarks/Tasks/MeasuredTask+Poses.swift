import SwiftletVision

extension MeasuredTask {
  private static let people = ["mp_pose.jpg", "grace_hopper.jpg"]

  static let poses = MeasuredTask(
    name: "poses", models: ["pose_landmarker.task"], imageFiles: people, tracks: true
  ) { base in
    MeasuredForms(try PoseLandmarker(options: PoseLandmarkerOptions(baseOptions: base))) { try $0.poses(in: $1) }
  }

  static let poseMasks = MeasuredTask(
    name: "pose-masks", models: ["pose_landmarker.task"], imageFiles: people, tracks: true
  ) { base in
    MeasuredForms(
      try PoseLandmarker(
        options: PoseLandmarkerOptions(baseOptions: base, outputs: .segmentationMasks))
    ) { try $0.poses(in: $1) }
  }

  /// MediaPipe tracks people even in image mode.
  static let holistic = MeasuredTask(
    name: "holistic", models: ["holistic_landmarker.task"], imageFiles: people, tracks: true
  ) { base in
    MeasuredForms(try HolisticLandmarker(options: HolisticLandmarkerOptions(baseOptions: base))) {
      try $0.person(in: $1)
    }
  }
}
