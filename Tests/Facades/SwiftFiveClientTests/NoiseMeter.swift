// Client code as in a Swift 5 app for MediaPipe's audio tasks: it imports nothing but the facade.
import MediaPipeTasksAudio

/// Classifies audio.
class NoiseMeter {
  private let classifier: AudioClassifier

  init(modelPath: String, resultCount: Int = 3) throws {
    let options = AudioClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .audioClips
    options.maxResults = resultCount
    classifier = try AudioClassifier(options: options)
  }

  func names(in samples: [Float], sampleRate: Double) throws -> [String] {
    let format = AudioDataFormat(channelCount: 1, sampleRate: sampleRate)
    let clip = AudioData(format: format, sampleCount: UInt(samples.count))
    try clip.load(buffer: FloatBuffer(samples), offset: 0, length: UInt(samples.count))
    let result = try classifier.classify(audioClip: clip)
    return result.classificationResults.first?.classifications.first?.categories.compactMap { $0.categoryName } ?? []
  }
}
