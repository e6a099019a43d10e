import SwiftletVision

extension MeasuredTask {
  static let hands = MeasuredTask(
    name: "hands", models: ["hand_landmarker.task"], pictures: ["hand_thumb_up.jpg", "mp_pose.jpg"], tracks: true
  ) { base, mode in try HandLandmarker(options: HandLandmarkerOptions(baseOptions: base, runningMode: mode)) }

  static let gestures = MeasuredTask(
    name: "gestures", models: ["gesture_recognizer.task"], pictures: ["hand_thumb_up.jpg", "mp_pose.jpg"], tracks: true
  ) { base, mode in try GestureRecognizer(options: GestureRecognizerOptions(baseOptions: base, runningMode: mode)) }
}
