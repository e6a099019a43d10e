import SwiftletSyntheticData

/// What is written: images for one of the tasks on them, sounds or sentences.
enum DrawTask: String, CaseIterable {
  case face, detection, segmentation, classification, embedding, sound, sentence

  /// What the images are for; `nil` where there are none.
  var scene: SceneTask? { SceneTask(rawValue: rawValue) }
}
