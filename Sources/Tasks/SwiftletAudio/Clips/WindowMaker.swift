import SwiftletTasks

/// Cuts sound into the windows that a model takes: mixes channels, resamples, collects.
///
/// Sound is worked on in pieces of a few thousand frames, so that memory does not grow with a clip's length. One caller
/// at a time.
final class WindowMaker {
  let format: AudioModelFormat
  private var window: [Float]
  /// How many samples the window that is being filled has.
  private var filledCount = 0
  private var resampler: Resampler?
  private var mixed: [Float] = []

  /// Frames of the source that are worked on at once.
  private static let pieceLength = 4096

  init(_ format: AudioModelFormat) {
    self.format = format
    window = [Float](repeating: 0, count: format.windowLength * format.channelCount)
  }

  /// Begins a new sound of that rate. Kernels of the last one are used again where the rates are the same.
  ///
  /// - Throws: `TaskError` when sound of that rate cannot be resampled.
  func begin(sampleRate: Double) throws(TaskError) {
    filledCount = 0
    guard sampleRate != format.sampleRate else {
      resampler = nil
      return
    }
    let ratio = try ResamplingRatio(from: sampleRate, to: format.sampleRate)
    if resampler?.ratio == ratio {
      resampler?.reset()
    } else {
      resampler = Resampler(ratio, channelCount: format.channelCount)
    }
  }

  /// How many windows a clip fills, or somewhat more, of those whose results are to have their memory at once.
  func expectedWindowCount(of clip: AudioClip) -> Int {
    let count = Double(clip.frameCount) / clip.sampleRate * format.sampleRate / Double(format.windowLength)
    return Int(min(count, 4096)) + 1
  }

  /// Takes sound that follows what was taken before, of the rate that was given for it.
  ///
  /// - Parameter body: gets each window that is full.
  /// - Throws: `TaskError` when the channels are not the model's, and what `body` throws; nothing more can be taken then
  ///   before the next ``begin(sampleRate:)``.
  func take(_ clip: AudioClip, _ body: (UnsafeBufferPointer<Float>) throws -> Void) throws {
    try format.requireChannels(of: clip)
    try clip.samples.withUnsafeBufferPointer { samples in
      var start = 0
      while start < clip.frameCount {
        let end = min(start + Self.pieceLength, clip.frameCount)
        let piece = UnsafeBufferPointer(rebasing: samples[start * clip.channelCount..<end * clip.channelCount])
        try mix(piece, channelCount: clip.channelCount) { try resample($0, body) }
        start = end
      }
    }
  }

  /// Ends the sound: its last window is filled up with silence.
  func finish(_ body: (UnsafeBufferPointer<Float>) throws -> Void) throws {
    try resampler?.finish { try collect($0, body) }
    guard filledCount > 0 else { return }
    for index in filledCount..<window.count { window[index] = 0 }
    filledCount = 0
    try window.withUnsafeBufferPointer(body)
  }

  /// The mean of the channels, where the model takes one.
  private func mix(
    _ frames: UnsafeBufferPointer<Float>, channelCount: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Void
  ) rethrows {
    guard channelCount != format.channelCount else { return try body(frames) }
    mixed.removeAll(keepingCapacity: true)
    for start in stride(from: 0, to: frames.count, by: channelCount) {
      var sum: Float = 0
      for channel in 0..<channelCount { sum += frames[start + channel] }
      mixed.append(sum / Float(channelCount))
    }
    try mixed.withUnsafeBufferPointer(body)
  }

  private func resample(
    _ frames: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) throws -> Void
  ) rethrows {
    guard resampler != nil else { return try collect(frames, body) }
    try resampler?.take(frames) { try collect($0, body) }
  }

  private func collect(
    _ samples: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) throws -> Void
  ) rethrows {
    var start = 0
    while start < samples.count {
      let count = min(samples.count - start, window.count - filledCount)
      window.withUnsafeMutableBufferPointer { window in
        for index in 0..<count { window[filledCount + index] = samples[start + index] }
      }
      filledCount += count
      start += count
      if filledCount == window.count {
        filledCount = 0
        try window.withUnsafeBufferPointer(body)
      }
    }
  }
}
