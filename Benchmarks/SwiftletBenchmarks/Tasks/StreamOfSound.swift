import SwiftletAudio
import SwiftletBase
import SwiftletTestSupport

/// The sound of one microphone, in blocks that follow one another without end.
final class StreamOfSound {
  static let model = "yamnet.tflite"
  static let sound = "speech.wav"
  /// Samples of a block: less than a window of the model, and no part of one.
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

  /// `handler` gets the time at which a window begins, or why it has no result.
  func onWindow(_ handler: @escaping @Sendable (Result<Duration, TaskError>) -> Void) {
    windows.handler.withLock { $0 = handler }
  }

  /// How many windows of the model the blocks that were sent fill.
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

/// Hands results on to a handler that is set later.
private final class WindowHandler: Sendable {
  let handler = Mutex<(@Sendable (Result<Duration, TaskError>) -> Void)?>(nil)

  func handle(_ result: Result<Duration, TaskError>) { handler.withLock { $0 }?(result) }
}
