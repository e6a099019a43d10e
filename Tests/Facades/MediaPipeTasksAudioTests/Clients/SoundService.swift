// Client code as in an app: it has no other import, and uses no name of this package.
import MediaPipeTasksAudio

/// Classifies audio on a queue of its own.
final class SoundService: NSObject, AudioClassifierStreamDelegate {
  private let queue = DispatchQueue(label: "sound")
  private var classifier: AudioClassifier?
  private(set) var lastNames: [String] = []
  private(set) var lastError: Error?

  func start(modelPath: String, threshold: Float) {
    let options = AudioClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.baseOptions.delegate = .CPU
    options.runningMode = .audioStream
    options.scoreThreshold = threshold
    options.audioClassifierStreamDelegate = self
    do {
      classifier = try AudioClassifier(options: options)
    } catch {
      lastError = error
    }
  }

  func stop() { try? classifier?.close() }

  func audioClassifier(
    _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    lastError = error
    let categories = result?.classificationResults.first?.classifications.first?.categories ?? []
    lastNames = categories.map { $0.categoryName ?? String($0.index) }
  }
}
