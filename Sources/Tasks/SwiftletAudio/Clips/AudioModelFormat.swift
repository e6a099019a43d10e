import SwiftletEngine
import SwiftletSchema
import SwiftletTasks

/// What sound a model takes.
struct AudioModelFormat: Hashable {
  /// Frames per second.
  let sampleRate: Double
  let channelCount: Int
  /// Frames in a window: what the model takes at once.
  let windowLength: Int

  private static let rates = 1...10_000_000
  private static let channelCounts = 1...64

  /// The time from the beginning of one window to that of the next.
  let step: Duration

  init(sampleRate: Double, channelCount: Int, windowLength: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.windowLength = windowLength
    // In microseconds, as MediaPipe counts. A window has at most 2³¹ frames, and a second at least one.
    step = .microseconds(Int64((Double(windowLength) / sampleRate * 1e6).rounded(.toNearestOrAwayFromZero)))
  }

  /// What the metadata of a model with one input says of it.
  ///
  /// - Throws: `TaskError` when it says nothing of sound, or the input does not fit what it says.
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
        "the model's metadata says that its input has \(properties.channels) channels at \(properties.sampleRate) Hz; 1 to 64 channels at 1 to 10000000 Hz are supported"
      )
    }
    let count = input.shape.elementCount
    guard input.elementType == .float32, (1...Int(Int32.max)).contains(count), count.isMultiple(of: properties.channels)
    else {
      throw .invalidModel(
        "the model's input \(input) must be float32 and hold whole frames of \(properties.channels) channels, as its metadata says"
      )
    }
    self.init(
      sampleRate: Double(properties.sampleRate), channelCount: properties.channels,
      windowLength: count / properties.channels)
  }

  /// The number of windows that a clip or a block fills, the last one in part.
  func windowCount(of clip: AudioClip) -> Double {
    Double(clip.frameCount) / clip.sampleRate * sampleRate / Double(windowLength)
  }

  /// - Throws: `TaskError` (`limitExceeded`) for a clip or a block of more windows than a call may have. The rate must be
  ///   one that can be resampled.
  func requireFewWindows(of clip: AudioClip) throws(TaskError) {
    let count = windowCount(of: clip)
    guard count <= Double(AudioClassifier.maximumWindowCount) else {
      throw Self.tooManyWindows(Int(count.rounded(.up)))
    }
  }

  static func tooManyWindows(_ count: Int) -> TaskError {
    TaskError(
      .limitExceeded,
      "the audio fills \(count) windows of the model or more, which exceeds the limit of \(AudioClassifier.maximumWindowCount) for a call; cut it into shorter pieces"
    )
  }

  /// - Throws: `TaskError` unless the clip has the model's channels, or the model takes one: then they are mixed.
  func requireChannels(of clip: AudioClip) throws(TaskError) {
    guard channelCount == 1 || clip.channelCount == channelCount else {
      throw TaskError(
        .invalidAudio, "the sound has \(clip.channelCount) channels, but the model takes \(channelCount)")
    }
  }
}
