import SwiftletSyntheticData

/// What is written: pictures for one of the tasks on them, sounds or sentences.
enum DrawTask: String, CaseIterable {
  case face, detection, segmentation, classification, embedding, sound, sentence

  /// What the pictures are for; `nil` where there are none.
  var scene: SceneTask? { SceneTask(rawValue: rawValue) }
}
