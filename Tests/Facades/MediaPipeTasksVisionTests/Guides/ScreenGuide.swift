// Client code as in an app in the Swift 6 language mode: it imports nothing but the facade.
import Foundation
import MediaPipeTasksVision

/// A screen that displays the classes of camera frames. It's isolated to the main actor, as view controllers are.
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

/// The same screen with the task's own queue: each result is sent to the main actor.
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

/// Classifies photos on a system queue.
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
