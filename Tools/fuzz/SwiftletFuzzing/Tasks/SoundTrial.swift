import SwiftletAudio

/// Reads an audio file, and passes it to an audio task, in one piece and in blocks.
struct SoundTrial {
  func run(_ bytes: [UInt8]) -> CampaignWorker.Outcome {
    guard let clip = try? AudioClip(wav: bytes) else { return .unread }
    let options = FuzzOptions()
    let base = BaseOptions(
      model: .bytes(TaskModels.hearing.bytes), limits: options.limits, timeout: options.timeout,
      isChecked: options.isChecked)
    let calls: [() throws -> Void] = [
      {
        _ = try AudioClassifier(options: AudioClassifierOptions(baseOptions: base, maxResults: 1)).classification(
          of: clip)
      },
      {
        let stream = try AudioClassifier(options: AudioClassifierOptions(baseOptions: base)).stream()
        for time in 0..<3 { try stream.send(clip, at: .seconds(time)) }
      },
    ]
    return calls.count { (try? $0()) != nil } > 0 ? .ran : .refused
  }
}
