import class MediaPipeTasksCommon.Classifications
import class MediaPipeTasksCommon.ResultCategory
import SwiftletVision

// MediaPipe's categories of what has types of its own in the native tasks.

extension ResultCategory {
  /// The handedness of a hand.
  convenience init(handednessOf hand: Hand) {
    let (index, name) = hand.handedness == .right ? (0, "Right") : (1, "Left")
    self.init(index: index, score: hand.handednessScore, categoryName: name, displayName: name)
  }

  /// A gesture; gestures have no number.
  convenience init(_ gesture: Gesture) {
    self.init(index: -1, score: gesture.score, categoryName: gesture.name, displayName: nil)
  }
}

extension Classifications {
  /// The blendshapes of a face.
  convenience init(blendshapes: FaceBlendshapes) {
    self.init(
      headIndex: 0, headName: "",
      categories: FaceBlendshape.allCases.map {
        ResultCategory(index: $0.rawValue, score: blendshapes[$0], categoryName: $0.name, displayName: nil)
      })
  }
}
