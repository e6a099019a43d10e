import SwiftletEngine
import SwiftletSchema
import SwiftletTasks

/// The audio format of a model's input.
struct AudioModelFormat: Hashable {
  /// The sample rate: the number of frames per second.
  let sampleRate: Double
  let channelCount: Int
  /// The number of frames in a window, which the model processes at a time.
  let windowLength: Int

  private static let rates = 1...10_000_000
  private static let channelCounts = 1...64

  /// The time between the starts of consecutive windows.
  let step: Duration

  init(sampleRate: Double, channelCount: Int, windowLength: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.windowLength = windowLength
    // In microseconds, as in MediaPipe. A window has at most 2³¹ frames, and the rate is at least one frame per second.
    step = .microseconds(Int64((Double(windowLength) / sampleRate * 1e6).rounded(.toNearestOrAwayFromZero)))
  }

  /// Creates the format from the metadata of a model with one input.
  ///
  /// - Throws: `TaskError` if the metadata doesn't describe audio, or the input doesn't match it.
  init(_ model: TaskModel) throws(TaskError) {
    guard model.inputs.count == 1, let input = model.inputs.first else {
      throw .invalidModel("the model has \(model.inputs.count) inputs, an audio task's model has one")
    }
    guard case .audio(let properties)? = model.metadata?.inputs.first?.content?.properties else {
      throw TaskError(
        .missingMetadata,
        "the metadata of the model's input \(input) has no AudioProperties; an audio task's model must say its sample rate and channels there"
      )
    }
    guard Self.rates.contains(properties.sampleRate), Self.channelCounts.contains(properties.channels) else {
      throw .invalidModel(
        "the model's metadata states that its input has \(properties.channels) channels at \(properties.sampleRate) Hz; 1 to 64 channels at 1 to 10000000 Hz are supported"
      )
    }
    let count = input.shape.elementCount
    guard input.elementType == .float32, (1...Int(Int32.max)).contains(count), count.isMultiple(of: properties.channels)
    else {
      throw .invalidModel(
        "the model's input \(input) must be float32 and contain whole frames of \(properties.channels) channels, as its metadata states"
      )
    }
    self.init(
      sampleRate: Double(properties.sampleRate), channelCount: properties.channels,
      windowLength: count / properties.channels)
  }

  /// Returns the number of windows in a clip or a block, including the fraction of the last one.
  func windowCount(of clip: AudioClip) -> Double {
    Double(clip.frameCount) / clip.sampleRate * sampleRate / Double(windowLength)
  }

  /// Checks the number of windows.
  ///
  /// - Throws: `TaskError` (`limitExceeded`) for a clip or a block with more windows than a call may have. The sample
  ///   rate must be one that can be resampled.
  func requireFewWindows(of clip: AudioClip) throws(TaskError) {
    let count = windowCount(of: clip)
    guard count <= Double(AudioClassifier.maximumWindowCount) else {
      throw Self.tooManyWindows(Int(count.rounded(.up)))
    }
  }

  static func tooManyWindows(_ count: Int) -> TaskError {
    TaskError(
      .limitExceeded,
      "the audio has \(count) or more windows, which exceeds the limit of \(AudioClassifier.maximumWindowCount) for a call; split it into shorter pieces"
    )
  }

  /// Checks the channels of a clip.
  ///
  /// - Throws: `TaskError` unless the clip has the model's channels, or the model is mono, so that channels are mixed.
  func requireChannels(of clip: AudioClip) throws(TaskError) {
    guard channelCount == 1 || clip.channelCount == channelCount else {
      throw TaskError(
        .invalidAudio, "the sound has \(clip.channelCount) channels, but the model takes \(channelCount)")
    }
  }
}
