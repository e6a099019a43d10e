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

  @Test("rates that are not positive are rejected", arguments: [0, -1, .nan, .infinity, -.infinity, -0.0])
  func rates(rate: Double) {
    #expect(taskError { _ = try AudioClip(samples: [1], sampleRate: rate) }?.code == .invalidAudio)
  }

  @Test("invalid numbers of channels are rejected", arguments: [0, -1, 1025, Int.min, Int.max])
  func channels(count: Int) {
    #expect(taskError { _ = try AudioClip(samples: [1], channelCount: count, sampleRate: 1) }?.code == .invalidAudio)
  }

  @Test("frames must be whole, and channels equally long")
  func wholeFrames() {
    #expect(taskError { _ = try AudioClip(samples: [1, 2, 3], channelCount: 2, sampleRate: 1) } != nil)
    #expect(taskError { _ = try AudioClip(channels: [[1], [1, 2]], sampleRate: 1) } != nil)
    #expect(taskError { _ = try AudioClip(channels: [], sampleRate: 1) } != nil)
  }

  @Test("limits equal the documented ones, and errors contain the value")
  func limits() throws {
    #expect(AudioClip.maximumChannels == 1024)
    #expect(try AudioClip(samples: ramp(2048), channelCount: 1024, sampleRate: 1).frameCount == 2)
    #expect(try AudioClip(samples: [1], sampleRate: .leastNonzeroMagnitude).sampleRate == .leastNonzeroMagnitude)
    for (message, body) in [
      ("sound has 1 to 1024 channels, got 1025", { try AudioClip(samples: [], channelCount: 1025, sampleRate: 1) }),
      ("sound has 1 to 1024 channels, got 0", { try AudioClip(channels: [], sampleRate: 1) }),
      ("the sample rate is 0.0; it must be a positive number of hertz", { try AudioClip(samples: [], sampleRate: 0) }),
      (
        "3 samples are not whole frames of 2 channels; some are missing",
        { try AudioClip(samples: ramp(3), channelCount: 2, sampleRate: 1) }
      ),
      (
        "channels must be equally long, got 2 and 1 samples",
        { try AudioClip(channels: [[1, 2], [3, 4], [5]], sampleRate: 1) }
      ),
      (
        "channels must be equally long, got 1 and 2 samples",
        { try AudioClip(channels: [[1], [1, 2]], sampleRate: 1) }
      ),
      (
        "sample 1 of channel 2 is inf; samples must be finite",
        { try AudioClip(channels: [[1, 2], [3, 4], [5, .infinity]], sampleRate: 1) }
      ),
    ] as [(String, () throws -> AudioClip)] {
      let error = taskError { _ = try body() }
      #expect(error?.code == .invalidAudio && error?.message == message, "\(error?.message ?? "none")")
    }
  }

  @Test("every sample is checked", arguments: [1, 7, 8, 9, 16, 17])
  func everySample(count: Int) {
    for index in 0..<count {
      var samples = ramp(count)
      samples[index] = .nan
      let error = taskError { _ = try AudioClip(samples: samples, sampleRate: 1) }
      #expect(error?.message.hasPrefix("sample \(index) of channel 0 is nan") == true)
    }
  }

  @Test("a nonfinite sample is reported by its index", arguments: [0, 5, 7, 8, 16, 18])
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
