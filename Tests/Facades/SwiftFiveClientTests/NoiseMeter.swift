// Written as apps write it, in Swift 5, for MediaPipe's tasks on sound: nothing but the facade is imported.
import MediaPipeTasksAudio

/// Names what is heard.
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
