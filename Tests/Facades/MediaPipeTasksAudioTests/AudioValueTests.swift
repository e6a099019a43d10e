import Foundation
import SwiftletAudio
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import MediaPipeTasksAudio

@Suite("Values of MediaPipe's audio classes")
struct AudioValueTests {
  private final class Listener: MediaPipeTasksAudio.AudioClassifierStreamDelegate {}

  @Test("options have MediaPipe's defaults, are copied completely, and reach the task", arguments: [-1, 1, 2])
  func options(maxResults: Int) throws {
    let plain = MediaPipeTasksAudio.AudioClassifierOptions()
    #expect(plain.runningMode == .audioClips && plain.audioClassifierStreamDelegate == nil)
    #expect(plain.displayNamesLocale == "en" && plain.maxResults == -1 && plain.scoreThreshold == 0)
    #expect(plain.categoryAllowlist.isEmpty && plain.categoryDenylist.isEmpty)
    plain.baseOptions.modelAssetPath = "/m"
    let values = try plain.values()
    #expect(values.baseOptions.model == .file("/m"))
    #expect(values.displayNamesLocale == "en" && values.maxResults == nil && values.scoreThreshold == 0)
    #expect(values.categoryAllowlist.isEmpty && values.categoryDenylist.isEmpty)

    let listener = Listener()
    let full = MediaPipeTasksAudio.AudioClassifierOptions()
    full.baseOptions.modelAssetPath = "/m"
    full.baseOptions.threads = 3
    (full.runningMode, full.audioClassifierStreamDelegate) = (.audioStream, listener)
    (full.displayNamesLocale, full.maxResults, full.scoreThreshold) = ("de", maxResults, 0.25)
    full.categoryAllowlist = ["a"]
    let copy = try #require(full.copy() as? MediaPipeTasksAudio.AudioClassifierOptions)
    #expect(copy.audioClassifierStreamDelegate === listener)
    // The alternative name of the delegate in MediaPipe's headers.
    let other: (any MediaPipeTasksAudio.AudioClassifierLiveStreamDelegate)? = copy.audioClassifierLiveStreamDelegate
    #expect(other === listener)
    copy.audioClassifierLiveStreamDelegate = nil
    #expect(copy.audioClassifierStreamDelegate == nil && full.audioClassifierLiveStreamDelegate === listener)
    for options in [full, copy] {
      let values = try options.values()
      #expect(values.baseOptions.model == .file("/m") && values.baseOptions.threads == 3)
      #expect(values.displayNamesLocale == "de")
      #expect(values.maxResults == (maxResults < 0 ? nil : maxResults) && values.scoreThreshold == 0.25)
      #expect(values.categoryAllowlist == ["a"])
    }
    (copy.categoryAllowlist, copy.categoryDenylist) = ([], ["b"])
    #expect(try copy.values().categoryDenylist == ["b"])
    #expect((copy.copy() as? MediaPipeTasksAudio.AudioClassifierOptions)?.categoryDenylist == ["b"])
  }

  @Test("modes have MediaPipe's numbers, and require a listener only for a stream")
  func modes() {
    #expect(RunningMode.audioClips.rawValue == 0 && RunningMode.audioStream.rawValue == 1)
    func failure(_ mode: RunningMode, _ listener: Listener?) -> String? {
      do throws(TasksFailure) {
        try mode.requireDelegate(listener)
        return nil
      } catch {
        return error.text
      }
    }
    #expect(failure(.audioClips, nil) == nil && failure(.audioStream, Listener()) == nil)
    #expect(
      failure(.audioClips, Listener())
        == "The audio task is in audio clips mode. The delegate must not be set in the task's options.")
    #expect(
      failure(.audioStream, nil)
        == "The audio task is in audio stream mode. An object must be set as the delegate of the task in its options to ensure asynchronous delivery of results."
    )
  }

  @Test("results have the time of their first window, and each window its own")
  func results() {
    func window(_ milliseconds: Int, _ head: Int) -> AudioClassification.Window {
      .init(
        time: .milliseconds(milliseconds),
        classification: .init(heads: [
          .init(
            name: "h\(head)", categories: [.init(index: 3, score: 0.25, categoryName: "n", displayName: "d")])
        ]))
    }
    let result = MediaPipeTasksAudio.AudioClassifierResult([window(975, 2), window(1950, 4)])
    #expect(result.timestampInMilliseconds == 975)
    #expect(result.classificationResults.map(\.timestampInMilliseconds) == [975, 1950])
    let heads = result.classificationResults.map { $0.classifications[0] }
    #expect(heads.map(\.headIndex) == [0, 0] && heads.map(\.headName) == ["h2", "h4"])
    let category = heads[1].categories[0]
    #expect(
      category.index == 3 && category.score == 0.25 && category.categoryName == "n" && category.displayName == "d")
    #expect(MediaPipeTasksAudio.AudioClassifierResult([]).timestampInMilliseconds == 0)
    let own = MediaPipeTasksAudio.AudioClassifierResult(classificationResults: [], timestampInMilliseconds: 7)
    #expect(own.timestampInMilliseconds == 7 && own.classificationResults.isEmpty)
  }

  @Test("buffers contain their source, up to a limit")
  func buffers() {
    #expect(FloatBuffer.maximumElements == 268_435_456)
    let numbers: [Float] = [1, 2, 3]
    let buffer = numbers.withUnsafeBufferPointer { FloatBuffer(data: $0.baseAddress, length: 2) }
    #expect(buffer.length == 2 && buffer.values == [1, 2])
    #expect(FloatBuffer(length: 3).values == [0, 0, 0] && FloatBuffer(numbers).values == numbers)
    let copy = buffer.copy() as? FloatBuffer
    buffer.clear()
    #expect(buffer.values == [0, 0] && copy?.values == [1, 2] && copy?.length == 2)
  }

  @Test("data keep the newest samples, up to both ends of a buffer")
  func samples() throws {
    let data = AudioData(format: AudioDataFormat(channelCount: 2, sampleRate: 8000), sampleCount: 2)
    #expect(data.format.channelCount == 2 && data.format.sampleRate == 8000 && data.bufferLength == 4)
    let buffer = FloatBuffer([1, 2, 3, 4, 5, 6])
    for (offset, length, expected) in [
      (0, 1, [0, 0, 0, 1]), (5, 1, [0, 0, 1, 6]), (1, 4, [2, 3, 4, 5]), (0, 5, [2, 3, 4, 5]), (1, 5, [3, 4, 5, 6]),
      (6, 0, [3, 4, 5, 6]),
    ] as [(UInt, UInt, [Float])] {
      try data.load(buffer: buffer, offset: offset, length: length)
      #expect(data.buffer.values == expected)
      let clip = try data.clip()
      #expect(clip.samples == expected && clip.channelCount == 2 && clip.sampleRate == 8000)
    }
    let error = failure { try data.load(buffer: buffer, offset: 2, length: 5) }
    #expect(
      error?.localizedDescription
        == "Index out of range. `offset` (2) + `length` (5) must be <= `floatBuffer.length` (6)")
    #expect(data.buffer.values == [3, 4, 5, 6])
  }

  @Test("formats are compared only by channels and rate")
  func formats() {
    let format = AudioDataFormat(channelCount: 2, sampleRate: 8000)
    #expect(AudioDataFormat(sampleRate: 5).channelCount == 1 && AudioDataFormat(sampleRate: 5).sampleRate == 5)
    #expect(format.isEqual(AudioDataFormat(channelCount: 2, sampleRate: 8000)))
    #expect(!format.isEqual(AudioDataFormat(channelCount: 1, sampleRate: 8000)))
    #expect(!format.isEqual(AudioDataFormat(channelCount: 2, sampleRate: 8001)))
    #expect(!format.isEqual("format") && !format.isEqual(nil))
    let formats: Set = [
      format, AudioDataFormat(channelCount: 2, sampleRate: 8000), AudioDataFormat(channelCount: 1, sampleRate: 8000),
      AudioDataFormat(channelCount: 2, sampleRate: 8001),
    ]
    #expect(formats.count == 3)
  }

  @Test("records accept one or two channels, and whole frames", arguments: 0...3 as ClosedRange<UInt>)
  func records(channels: UInt) throws {
    let format = AudioDataFormat(channelCount: channels, sampleRate: 8000)
    guard (1...2).contains(channels) else {
      let error = failure { _ = try AudioRecord(audioDataFormat: format, bufferLength: 4) }
      #expect(error?.code == 3)
      #expect(
        error?.localizedDescription
          == "The channel count provided does not match the supported channel count. Only channels counts in the range [1 : 2] are supported"
      )
      return
    }
    let record = try AudioRecord(audioDataFormat: format, bufferLength: 4)
    #expect(record.audioDataFormat === format && record.bufferLength == 4)
    #expect((failure { _ = try AudioRecord(audioDataFormat: format, bufferLength: 3) } == nil) == (channels == 1))
    let started = failure { try record.startRecording() }
    #expect(started?.code == 12)
    #expect(started?.localizedDescription.hasPrefix("UNIMPLEMENTED: AudioRecord does not record here: ") == true)
    let read = failure { _ = try record.read(offset: 0, length: 4) }
    #expect(read?.code == 20)
    #expect(read?.localizedDescription == "Nothing is being recorded: the microphone is not tapped.")
    let made = try MediaPipeTasksAudio.AudioClassifier.createAudioRecord(
      channelCount: channels, sampleRate: 8000, bufferLength: 6)
    #expect(made.audioDataFormat.isEqual(format) && made.bufferLength == 6)
  }

  /// Records the delegate calls.
  private final class Ear: MediaPipeTasksAudio.AudioClassifierStreamDelegate {
    let tell: @Sendable (Bool, Int, NSError?) -> Void

    init(_ tell: @escaping @Sendable (Bool, Int, NSError?) -> Void) { self.tell = tell }

    func audioClassifier(
      _ audioClassifier: MediaPipeTasksAudio.AudioClassifier,
      didFinishClassification result: MediaPipeTasksAudio.AudioClassifierResult?, timestampInMilliseconds: Int,
      error: (any Error)?
    ) { tell(result != nil, timestampInMilliseconds, error.map { $0 as NSError }) }
  }

  @Test("a failed window is reported with an error and the minimum timestamp")
  func failedWindow() async throws {
    // The model's table has three rows, and a sample is used as an index.
    var graph = TestGraph()
    let input = graph.input(.float32, [1, 1])
    let row = graph.tensor(.int32, [1, 1])
    graph.add(.cast, [input], [row])
    graph.add(
      .gather, [graph.constant([Float(0.25), 0.5, 0.75]), row], [graph.output(.float32, [1, 1])],
      options: GatherOptions.empty)
    let properties: [Int: FlatValue] = [0: .byte(4), 1: .table([0: .uint(16_000), 1: .uint(1)])]
    let metadata = FlatValue.file(
      root: [3: .tables([[2: .tables([[3: .table(properties)]]), 3: .tables([[0: .string("scores")]])]])],
      identifier: "M001")
    let (told, continuation) = AsyncStream.makeStream(of: (Bool, Int, NSError?).self)
    let ear = Ear { continuation.yield(($0, $1, $2)) }
    let options = MediaPipeTasksAudio.AudioClassifierOptions()
    options.baseOptions.modelBytes = TestGraph.bytes([graph], metadata: metadata)
    (options.runningMode, options.audioClassifierStreamDelegate) = (.audioStream, ear)
    let classifier = try MediaPipeTasksAudio.AudioClassifier(options: options)
    for (time, sample) in [(5, Float(1)), (6, 9)] {
      let data = AudioData(format: AudioDataFormat(sampleRate: 16_000), sampleCount: 1)
      try data.load(buffer: FloatBuffer([sample]), offset: 0, length: 1)
      try classifier.classifyAsync(audioBlock: data, timestampInMilliseconds: time)
    }
    var iterator = told.makeAsyncIterator()
    let fine = try #require(await iterator.next())
    #expect(fine.0 && fine.1 == 5 && fine.2 == nil)
    let failed = try #require(await iterator.next())
    #expect(!failed.0 && failed.1 == Int.min && failed.2?.domain == "com.google.mediapipe.tasks")
    try classifier.close()
    let closed = failure {
      _ = try classifier.classifyAsync(
        audioBlock: AudioData(
          format: AudioDataFormat(sampleRate: 16_000), sampleCount: 1), timestampInMilliseconds: 7)
    }
    #expect(closed?.code == 9)
    #expect(closed?.localizedDescription == "FAILED_PRECONDITION: The audio classifier is closed.")
    withExtendedLifetime(ear) {}
  }
}
