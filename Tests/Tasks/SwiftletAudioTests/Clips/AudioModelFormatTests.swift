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

  @Test("a model whose metadata says nothing of sound is refused")
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
    "rates and channels that cannot be are refused",
    arguments: [(0, 1), (16_000, 0), (.max, 1), (16_000, .max), (16_000, 3), (16_000, 65)] as [(UInt32, UInt32)])
  func nonsense(rate: UInt32, channels: UInt32) {
    #expect(error { $0.sound = (rate, channels) }?.code == .invalidModel)
  }

  @Test("a model with other inputs than one of floats is refused")
  func inputs() {
    #expect(error { $0.hasSecondInput = true }?.code == .invalidModel)
    #expect(
      error {
        $0.type = .int8
        $0.scale = 1
      }?.code == .invalidModel)
  }
}
