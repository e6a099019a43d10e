import SwiftletAudio
import SwiftletBase
import SwiftletTestSupport

/// The audio of a microphone, in an endless stream of blocks.
final class StreamOfSound {
  static let model = "yamnet.tflite"
  static let sound = "speech.wav"
  /// The number of samples per block: less than a window of the model, and not a divisor of it.
  private static let blockLength = 10_007

  private let classifier: AudioClassifier
  private let stream: AudioStream
  private let windows = WindowHandler()
  private let samples: [Float]
  private let sampleRate: Double
  private var sentCount = 0

  init(_ base: BaseOptions) throws {
    classifier = try AudioClassifier(
      options: AudioClassifierOptions(
        baseOptions: base, maxResults: MeasuredTask.maxResults))
    stream = classifier.stream { [windows] window in windows.handle(window.result.map { _ in window.time }) }
    let clip = try AudioClip(contentsOf: MeasuredCall.Subject.sound(Self.sound).told)
    samples = clip.samples
    sampleRate = clip.sampleRate
  }

  /// Sets the handler, which receives the start time of a window, or the reason why it has no result.
  func onWindow(_ handler: @escaping @Sendable (Result<Duration, TaskError>) -> Void) {
    windows.handler.withLock { $0 = handler }
  }

  /// The number of model windows that the sent blocks fill.
  var windowCount: Int {
    let window = Int((classifier.windowDuration / .seconds(1) * classifier.sampleRate).rounded())
    return sentCount * Self.blockLength / window
  }

  /// Sends the next block.
  func send() throws {
    let start = sentCount * Self.blockLength
    let block = (start..<start + Self.blockLength).map { samples[$0 % samples.count] }
    try stream.send(AudioClip(samples: block, sampleRate: sampleRate), at: .seconds(Double(start) / sampleRate))
    sentCount += 1
  }
}

/// Forwards results to a handler that is set later.
private final class WindowHandler: Sendable {
  let handler = Mutex<(@Sendable (Result<Duration, TaskError>) -> Void)?>(nil)

  func handle(_ result: Result<Duration, TaskError>) { handler.withLock { $0 }?(result) }
}
