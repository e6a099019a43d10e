import Foundation
import MediaPipeTasksAudio
import SwiftletTestSupport
import Testing

@Suite("AudioData")
struct AudioDataTests {
  private func values(_ buffer: FloatBuffer) -> [Float] { (0..<Int(buffer.length)).map { buffer.data[$0] } }

  @Test("FloatBuffer copies its source")
  func buffers() throws {
    let buffer = FloatBuffer([1, 2, 3])
    let copy = try #require(buffer.copy() as? FloatBuffer)
    buffer.clear()
    #expect(values(buffer) == [0, 0, 0] && values(copy) == [1, 2, 3])
    #expect(values(FloatBuffer(length: 2)) == [0, 0] && FloatBuffer(data: nil, length: 0).length == 0)
  }

  @Test("keeps the newest samples")
  func ring() throws {
    let data = AudioData(format: AudioDataFormat(channelCount: 2, sampleRate: 8000), sampleCount: 2)
    #expect(data.bufferLength == 4 && values(data.buffer) == [0, 0, 0, 0])
    let buffer = FloatBuffer([1, 2, 3, 4, 5, 6])
    try data.load(buffer: buffer, offset: 1, length: 2)
    #expect(values(data.buffer) == [0, 0, 2, 3])
    try data.load(buffer: buffer, offset: 0, length: 6)
    #expect(values(data.buffer) == [3, 4, 5, 6])
    try data.load(buffer: buffer, offset: 6, length: 0)
    #expect(values(data.buffer) == [3, 4, 5, 6])
    for (offset, length) in [(5, 2), (7, 0), (.max, 1), (1, .max)] as [(UInt, UInt)] {
      let error = failure { try data.load(buffer: buffer, offset: offset, length: length) }
      #expect(error?.code == 3)
      #expect(error?.localizedDescription.hasPrefix("Index out of range. `offset` (\(offset))") == true)
    }
  }

  @Test("invalid sizes are clamped")
  func sizes() {
    #expect(AudioData(format: AudioDataFormat(channelCount: 0, sampleRate: 1), sampleCount: 7).bufferLength == 0)
  }

  @Test("formats are equal if their values are")
  func formats() {
    #expect(AudioDataFormat(sampleRate: 3) == AudioDataFormat(channelCount: 1, sampleRate: 3))
    #expect(AudioDataFormat(sampleRate: 3).hash == AudioDataFormat(channelCount: 1, sampleRate: 3).hash)
    #expect(AudioDataFormat(sampleRate: 3) != AudioDataFormat(channelCount: 2, sampleRate: 3))
  }

  @Test("AudioRecord checks its arguments, and reports that it cannot record")
  func records() throws {
    for count: UInt in [0, 3] {
      let error = failure {
        _ = try AudioClassifier.createAudioRecord(channelCount: count, sampleRate: 1, bufferLength: 4)
      }
      #expect(error?.code == 3 && error?.localizedDescription.contains("range [1 : 2]") == true)
    }
    let odd = failure { _ = try AudioClassifier.createAudioRecord(channelCount: 2, sampleRate: 1, bufferLength: 3) }
    #expect(
      odd?.localizedDescription == "The buffer length provided (3) is not a multiple of channel count(2).")
    let record = try AudioClassifier.createAudioRecord(channelCount: 2, sampleRate: 8000, bufferLength: 4)
    #expect(record.bufferLength == 4 && record.audioDataFormat.channelCount == 2)
    #expect(failure { try record.startRecording() }?.code == 12)
    #expect(failure { _ = try record.read(offset: 0, length: 4) }?.code == 20)
    try record.stop()
    let other = AudioData(format: AudioDataFormat(sampleRate: 8000), sampleCount: 4)
    #expect(
      failure { try other.load(audioRecord: record) }?.localizedDescription
        == "The provided audio record has incompatible audio format")
    let fitting = AudioData(format: AudioDataFormat(channelCount: 2, sampleRate: 8000), sampleCount: 4)
    #expect(failure { try fitting.load(audioRecord: record) }?.code == 20)
  }
}

/// Returns the task error of a call.
func failure(_ body: () throws -> Void) -> NSError? {
  do {
    try body()
    return nil
  } catch {
    let error = error as NSError
    #expect(error.domain == "com.google.mediapipe.tasks")
    return error
  }
}
