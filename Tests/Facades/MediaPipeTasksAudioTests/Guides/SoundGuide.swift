// Client code as in an app: it imports nothing but the facade.
import Foundation
import MediaPipeTasksAudio

/// Classifies the audio of a recording.
final class RecordingNamer {
  private let audioClassifier: AudioClassifier

  init(modelPath: String, maxResults: Int = 1) throws {
    let options = AudioClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .audioClips
    options.maxResults = maxResults
    audioClassifier = try AudioClassifier(options: options)
  }

  func names(of samples: [Float], sampleRate: Double) throws -> [(time: Int, name: String)] {
    let clip = AudioData(
      format: AudioDataFormat(channelCount: 1, sampleRate: sampleRate), sampleCount: UInt(samples.count))
    let buffer = samples.withUnsafeBufferPointer { FloatBuffer(data: $0.baseAddress, length: UInt($0.count)) }
    try clip.load(buffer: buffer, offset: 0, length: buffer.length)
    let result = try audioClassifier.classify(audioClip: clip)
    return result.classificationResults.flatMap { window in
      window.classifications.flatMap(\.categories).map { (window.timestampInMilliseconds, $0.categoryName ?? "?") }
    }
  }
}

/// Classifies the audio of a microphone.
final class SoundFollower: NSObject, AudioClassifierStreamDelegate {
  private var audioClassifier: AudioClassifier?
  private let onResult: (AudioClassifierResult?, Int, (any Error)?) -> Void

  init(modelPath: String, onResult: @escaping (AudioClassifierResult?, Int, (any Error)?) -> Void) throws {
    self.onResult = onResult
    super.init()
    let options = AudioClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .audioStream
    options.audioClassifierStreamDelegate = self
    audioClassifier = try AudioClassifier(options: options)
  }

  func follow(_ block: AudioData, at milliseconds: Int) throws {
    try audioClassifier?.classifyAsync(audioBlock: block, timestampInMilliseconds: milliseconds)
  }

  func end() throws { try audioClassifier?.close() }

  func audioClassifier(
    _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
    timestampInMilliseconds: Int, error: (any Error)?
  ) {
    onResult(result, timestampInMilliseconds, error)
  }
}
