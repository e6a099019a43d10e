import Foundation
import MediaPipeTasksAudio
import SwiftletTestSupport
import Testing

@Suite("AudioClassifier")
struct AudioClassifierTests {
  /// A model whose scores are its two samples, at 16 kHz.
  private static var model: [UInt8] {
    var model = PassingModel(
      width: 1, height: 1, outputs: [.init(shape: [1, 2], labels: ["left", "right"])], normalization: nil)
    model.inputShape = [1, 2]
    model.sound = (16_000, 1)
    return model.bytes
  }

  private static func path() throws -> String {
    let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString).tflite"
    try Data(model).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func options(_ change: (AudioClassifierOptions) -> Void = { _ in }) -> AudioClassifierOptions {
    let options = AudioClassifierOptions()
    options.baseOptions.modelBytes = Self.model
    change(options)
    return options
  }

  private func data(_ samples: [Float], rate: Double = 16_000, channels: UInt = 1) throws -> AudioData {
    let data = AudioData(
      format: AudioDataFormat(channelCount: channels, sampleRate: rate),
      sampleCount: UInt(samples.count) / max(1, channels))
    try data.load(buffer: FloatBuffer(samples), offset: 0, length: UInt(samples.count))
    return data
  }

  @Test("an app service that imports nothing else runs")
  func client() throws {
    let path = try Self.path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let service = SoundService()
    service.start(modelPath: path, threshold: 0.2)
    #expect(service.lastError == nil)
    service.stop()
    service.start(modelPath: "/no/such.tflite", threshold: 0.2)
    #expect((service.lastError as NSError?)?.code == Int(TasksErrorCode.notFoundError.rawValue))
  }

  @Test("code of the guide classifies a recording")
  func recording() throws {
    let path = try Self.path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let names = try RecordingNamer(modelPath: path).names(of: [1, 2, 4, 3, 5], sampleRate: 16_000)
    #expect(names.map(\.name) == ["right", "left", "left"] && names.map(\.time) == [0, 0, 0])
  }

  @Test("code of the guide classifies a stream")
  func stream() async throws {
    let path = try Self.path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (results, continuation) = AsyncStream.makeStream(of: (AudioClassifierResult?, Int).self)
    let follower = try SoundFollower(modelPath: path) { result, time, _ in continuation.yield((result, time)) }
    try follower.follow(data([1, 2, 3]), at: 5)
    let late = failure { try follower.follow(data([1]), at: 5) }
    #expect(late?.localizedDescription == "INVALID_ARGUMENT: Input timestamp must be monotonically increasing.")
    let rate = failure { try follower.follow(data([1], rate: 8000), at: 6) }
    #expect(
      rate?.localizedDescription
        == "The input audio sample rate: 8000.000000 is inconsistent with the previously provided: 16000.000000")
    try follower.follow(data([4]), at: 6)
    var iterator = results.makeAsyncIterator()
    for time in [5, 5] {
      let (result, timestamp) = try #require(await iterator.next())
      #expect(timestamp == time && result?.classificationResults.count == 1)
      #expect(result?.classificationResults[0].classifications[0].categories[0].categoryName == "right")
      #expect(result?.timestampInMilliseconds == time)
    }
    try follower.end()
    #expect(failure { try follower.follow(data([4]), at: 7) }?.code == 9)
  }

  @Test("options have MediaPipe's defaults, and can be copied")
  func defaults() throws {
    let options = AudioClassifierOptions()
    #expect(options.runningMode == .audioClips && options.maxResults == -1 && options.scoreThreshold == 0)
    #expect(RunningMode.audioClips.rawValue == 0 && RunningMode.audioStream.rawValue == 1)
    #expect(options.categoryAllowlist.isEmpty && options.audioClassifierStreamDelegate == nil)
    options.maxResults = 7
    options.categoryDenylist = ["x"]
    options.runningMode = .audioStream
    let copy = try #require(options.copy() as? AudioClassifierOptions)
    #expect(copy.maxResults == 7 && copy.categoryDenylist == ["x"] && copy.runningMode == .audioStream)
  }

  private final class Delegate: AudioClassifierStreamDelegate {}

  @Test("contradictions are rejected with MediaPipe's messages")
  func errors() throws {
    let delegate = Delegate()
    func text(_ change: @escaping (AudioClassifierOptions) -> Void) -> String? {
      failure { _ = try AudioClassifier(options: options(change)) }?.localizedDescription
    }
    #expect(text { $0.audioClassifierStreamDelegate = delegate }?.contains("must not be set") == true)
    #expect(text { $0.runningMode = .audioStream }?.contains("is in audio stream mode. An object must be set") == true)
    #expect(text { $0.maxResults = 0 }?.contains("Invalid `max_results` option: value must be != 0.") == true)
    #expect(
      text { ($0.categoryAllowlist, $0.categoryDenylist) = (["a"], ["b"]) }?.contains("mutually exclusive") == true)
    #expect(failure { _ = try AudioClassifier(modelPath: "/nowhere") }?.code == 5)

    let clips = try AudioClassifier(options: options())
    #expect(
      failure { try clips.classifyAsync(audioBlock: data([1]), timestampInMilliseconds: 0) }?.localizedDescription
        == "The audio task is not initialized with audio stream mode. Current Running Mode: Audio Clips")
    let stream = try AudioClassifier(
      options: options {
        $0.runningMode = .audioStream
        $0.audioClassifierStreamDelegate = delegate
      })
    #expect(
      failure { _ = try stream.classify(audioClip: data([1])) }?.localizedDescription
        == "The audio task is not initialized with audio clips. Current Running Mode: Audio Stream")
    for wrong in try [data([]), data([1], rate: 0), data([.nan]), data([1], rate: 1), data([], channels: 0)] {
      #expect(failure { _ = try clips.classify(audioClip: wrong) }?.code == 3)
    }
    #expect(try clips.classify(audioClip: data([1, 2])).classificationResults.count == 1)
  }
}
