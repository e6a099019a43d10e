import SwiftletSyntheticData

/// The kind of data to generate: images for one of the image tasks, audio, or sentences.
enum DrawTask: String, CaseIterable {
  case face, detection, segmentation, classification, embedding, sound, sentence

  /// The task of the images, or `nil` if there are none.
  var scene: SceneTask? { SceneTask(rawValue: rawValue) }
}
