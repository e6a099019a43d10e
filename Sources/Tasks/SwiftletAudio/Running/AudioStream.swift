import SwiftletTasks

/// The state of one continuous sound: what is left of its last block, and where its next window lies in time.
///
/// One caller at a time.
final class AudioStream {
  private let windows: WindowMaker
  private var time: Duration?

  init(_ format: AudioModelFormat) { windows = WindowMaker(format) }

  /// Takes the block that follows the last one.
  ///
  /// - Parameters:
  ///   - time: when the block begins. Only that of the first one counts: from there on, time is counted in samples.
  ///   - body: gets each window that is full, and the time at which it begins.
  /// - Throws: `TaskError` when the block is of another format than the model can be given.
  func take(
    _ block: AudioClip, at time: Duration, _ body: (UnsafeBufferPointer<Float>, _ time: Duration) -> Void
  ) throws(TaskError) {
    var next: Duration
    if let known = self.time {
      next = known
    } else {
      try windows.begin(sampleRate: block.sampleRate)
      next = time
    }
    try TaskError.wrapping {
      try windows.take(block) { window in
        body(window, next)
        next += windows.format.step
      }
    }
    self.time = next
  }
}

/// Which blocks a stream takes: their times rise, and their rate is that of the first one.
struct AudioStreamRules: Sendable {
  private let format: AudioModelFormat
  private var clock = FrameClock()
  private var sampleRate: Double?

  init(_ format: AudioModelFormat) { self.format = format }

  /// Takes note of a block.
  ///
  /// - Throws: `TaskError` for a block that does not belong to the stream; it then counts for nothing.
  mutating func accept(_ block: AudioClip, at time: Duration) throws(TaskError) {
    try format.requireChannels(of: block)
    if let sampleRate, sampleRate != block.sampleRate {
      throw TaskError(
        .invalidAudio, "the block has \(block.sampleRate) Hz, but the stream began with \(sampleRate) Hz",
        .sampleRate(block.sampleRate, expected: sampleRate))
    }
    if sampleRate == nil, block.sampleRate != format.sampleRate {
      _ = try ResamplingRatio(from: block.sampleRate, to: format.sampleRate)
    }
    try format.requireFewWindows(of: block)
    try clock.accept(time)
    sampleRate = block.sampleRate
  }
}
