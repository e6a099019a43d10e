import SwiftletTestSupport
import Testing

@testable import SwiftletAudio

@Suite("Audio model format")
struct AudioModelFormatTests {
  private func error(_ change: (inout PassingModel) -> Void) -> TaskError? {
    var model = PassingModel.sound(window: 8)
    change(&model)
    return taskError { _ = try model.classifier() }
  }

  @Test("comes from the metadata and the input's shape")
  func format() throws {
    let classifier = try PassingModel.sound(window: 8, sampleRate: 1000, channels: 2).classifier()
    #expect(classifier.sampleRate == 1000 && classifier.channelCount == 2)
    #expect(classifier.windowDuration == .milliseconds(8))
  }

  @Test("a model without audio metadata is rejected")
  func missing() {
    for error in [error { $0.sound = nil }, error { $0.hasMetadata = false }] {
      #expect(error?.code == .missingMetadata && error?.message.contains("AudioProperties") == true)
    }
    #expect(
      error {
        $0.sound = nil
        $0.colorSpace = 1
      }?.code == .missingMetadata)
  }

  @Test(
    "invalid rates and channels are rejected",
    arguments: [(0, 1), (16_000, 0), (.max, 1), (16_000, .max), (16_000, 3), (16_000, 65)] as [(UInt32, UInt32)])
  func nonsense(rate: UInt32, channels: UInt32) {
    #expect(error { $0.sound = (rate, channels) }?.code == .invalidModel)
  }

  @Test("a model with inputs other than one float tensor is rejected")
  func inputs() {
    #expect(error { $0.hasSecondInput = true }?.code == .invalidModel)
    #expect(
      error {
        $0.type = .int8
        $0.scale = 1
      }?.code == .invalidModel)
  }

  @Test(
    "rates and channels at their limits are accepted, and beyond them rejected",
    arguments: [(1, 1), (10_000_000, 1), (10_000_001, 1), (16_000, 64), (16_000, 65)] as [(UInt32, UInt32)])
  func limits(rate: UInt32, channels: UInt32) {
    let model = PassingModel.sound(window: 2, sampleRate: rate, channels: channels)
    let error = taskError { _ = try model.classifier() }
    guard rate > 10_000_000 || channels > 64 else { return #expect(error == nil) }
    #expect(error?.code == .invalidModel)
    #expect(
      error?.message.contains(
        "states that its input has \(channels) channels at \(rate) Hz; 1 to 64 channels at 1 to 10000000 Hz are supported"
      )
        == true)
  }

  @Test("errors describe the problem with the input")
  func words() {
    #expect(
      error { $0.hasSecondInput = true }?.message.contains("the model has 2 inputs, an audio task's model has one")
        == true)
    #expect(
      error { $0.sound = (16_000, 3) }?.message.contains(
        "must be float32 and contain whole frames of 3 channels, as its metadata states") == true)
  }

  @Test(
    "the step equals the window, to the nearest microsecond",
    arguments: [(15_600, 16_000, 975_000), (1, 3, 333_333), (2, 3, 666_667), (1, 2_000_000, 1), (1, 10_000_000, 0)]
      as [(Int, Double, Int64)])
  func step(length: Int, rate: Double, microseconds: Int64) {
    let format = AudioModelFormat(sampleRate: rate, channelCount: 3, windowLength: length)
    #expect(format.step == .microseconds(microseconds))
    #expect(format.sampleRate == rate && format.channelCount == 3 && format.windowLength == length)
  }

  @Test("a clip must have the model's channels, unless the model has one")
  func channels() throws {
    let clip = try AudioClip(samples: ramp(6), channelCount: 3, sampleRate: 1)
    for count in [1, 3] {
      try AudioModelFormat(sampleRate: 1, channelCount: count, windowLength: 1).requireChannels(of: clip)
    }
    for count in [2, 4] {
      let error = taskError {
        try AudioModelFormat(sampleRate: 1, channelCount: count, windowLength: 1).requireChannels(of: clip)
      }
      #expect(error == TaskError(.invalidAudio, "the sound has 3 channels, but the model takes \(count)"))
    }
  }
}
