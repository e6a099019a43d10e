// Written as an app in the mode of Swift 6 would write it: nothing but the facade is imported.
import Foundation
import MediaPipeTasksVision

/// A screen that says what a camera sees. It belongs to the main actor, as view controllers do.
@MainActor
final class CameraScreen {
  private(set) var seen: [String] = []
  private var classifier: ImageClassifier?
  var onChange: (() -> Void)?

  init(modelPath: String?) throws {
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.baseOptions.delegateQueue = .main
    options.runningMode = .liveStream
    options.imageClassifierLiveStreamDelegate = self
    classifier = try ImageClassifier(options: options)
  }

  func show(_ frame: MPImage, at milliseconds: Int) throws {
    try classifier?.classifyAsync(image: frame, timestampInMilliseconds: milliseconds)
  }
}

extension CameraScreen: @MainActor ImageClassifierLiveStreamDelegate {
  func imageClassifier(
    _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
    timestampInMilliseconds: Int, error: (any Error)?
  ) {
    MainActor.assertIsolated()
    seen.append(result?.classificationResult.classifications.first?.categories.first?.categoryName ?? "nothing")
    onChange?()
  }
}

/// The same on the task's own queue: the result goes to the main actor by itself.
@MainActor
final class QuietScreen: ImageClassifierLiveStreamDelegate {
  private(set) var seen: [String] = []
  private var classifier: ImageClassifier?
  var onChange: (() -> Void)?

  init(modelPath: String?) throws {
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .liveStream
    options.imageClassifierLiveStreamDelegate = self
    classifier = try ImageClassifier(options: options)
  }

  func show(_ frame: MPImage, at milliseconds: Int) throws {
    try classifier?.classifyAsync(image: frame, timestampInMilliseconds: milliseconds)
  }

  nonisolated func imageClassifier(
    _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
    timestampInMilliseconds: Int, error: (any Error)?
  ) {
    let name = result?.classificationResult.classifications.first?.categories.first?.categoryName
    Task { @MainActor in
      seen.append(name ?? "nothing")
      onChange?()
    }
  }
}

/// Classifies photos on a queue of the system's.
final class PhotoQueue: Sendable {
  private let classifier: ImageClassifier

  init(modelPath: String) throws { classifier = try ImageClassifier(modelPath: modelPath) }

  func name(of photo: MPImage, completion: @escaping @Sendable (String?) -> Void) {
    DispatchQueue.global().async { [classifier] in
      let result = try? classifier.classify(image: photo)
      completion(result?.classificationResult.classifications.first?.categories.first?.categoryName)
    }
  }
}
