import SwiftletVision

extension MeasuredTask {
  static let hands = MeasuredTask(
    name: "hands", models: ["hand_landmarker.task"], imageFiles: ["hand_thumb_up.jpg", "mp_pose.jpg"], tracks: true
  ) { base in
    MeasuredForms(try HandLandmarker(options: HandLandmarkerOptions(baseOptions: base))) { try $0.hands(in: $1) }
  }

  static let gestures = MeasuredTask(
    name: "gestures", models: ["gesture_recognizer.task"], imageFiles: ["hand_thumb_up.jpg", "mp_pose.jpg"],
    tracks: true
  ) { base in
    MeasuredForms(try GestureRecognizer(options: GestureRecognizerOptions(baseOptions: base))) {
      try $0.gestures(in: $1)
    }
  }
}
