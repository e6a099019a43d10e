import Testing

@testable import SwiftletAudio

@Suite("Audio clip")
struct AudioClipTests {
  @Test("channels are interleaved")
  func interleaving() throws {
    let clip = try AudioClip(channels: [[1, 2, 3], [4, 5, 6]], sampleRate: 8000)
    #expect(clip.samples == [1, 4, 2, 5, 3, 6] && clip.channelCount == 2 && clip.frameCount == 3)
    #expect(clip == (try AudioClip(samples: [1, 4, 2, 5, 3, 6], channelCount: 2, sampleRate: 8000)))
    #expect(try AudioClip(samples: [], sampleRate: 8000).frameCount == 0)
  }

  @Test("rates that are no positive numbers are refused", arguments: [0, -1, .nan, .infinity, -.infinity, -0.0])
  func rates(rate: Double) {
    #expect(taskError { _ = try AudioClip(samples: [1], sampleRate: rate) }?.code == .invalidAudio)
  }

  @Test("numbers of channels that cannot be are refused", arguments: [0, -1, 1025, Int.min, Int.max])
  func channels(count: Int) {
    #expect(taskError { _ = try AudioClip(samples: [1], channelCount: count, sampleRate: 1) }?.code == .invalidAudio)
  }

  @Test("frames must be whole, and channels equally long")
  func wholeFrames() {
    #expect(taskError { _ = try AudioClip(samples: [1, 2, 3], channelCount: 2, sampleRate: 1) } != nil)
    #expect(taskError { _ = try AudioClip(channels: [[1], [1, 2]], sampleRate: 1) } != nil)
    #expect(taskError { _ = try AudioClip(channels: [], sampleRate: 1) } != nil)
  }

  @Test("a sample that is not finite is told by its place", arguments: [0, 5, 7, 8, 16, 18])
  func notFinite(index: Int) throws {
    for wrong in [Float.nan, .infinity, -.infinity] {
      var samples = [Float](repeating: .greatestFiniteMagnitude, count: 20)
      #expect(try AudioClip(samples: samples, channelCount: 2, sampleRate: 1).frameCount == 10)
      samples[index] = wrong
      let error = taskError { _ = try AudioClip(samples: samples, channelCount: 2, sampleRate: 1) }
      #expect(error?.code == .invalidAudio)
      #expect(error?.message.hasPrefix("sample \(index / 2) of channel \(index % 2) is") == true, "\(error as Any)")
    }
  }
}
