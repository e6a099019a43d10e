import SwiftletBase
import SwiftletTasks

/// Converts audio to a model's windows: mixes channels, resamples, and collects samples.
///
/// Audio is processed in pieces of a few thousand frames, so that memory does not grow with the length of a clip.
///
/// - Thread safety: one caller at a time.
final class WindowMaker {
  let format: AudioModelFormat
  private var window: [Float]
  /// The number of samples in the current window.
  private var filledCount = 0
  private var resampler: Resampler?
  private var mixed: [Float] = []
  /// The samples of the last piece in the model's format.
  private var piece: [Float] = []
  /// The number of samples of ``piece`` that were moved to windows.
  private var usedCount = 0

  /// The maximum number of frames per piece, of both the source and the result.
  private static let maximumPiece = 4096

  init(_ format: AudioModelFormat) {
    self.format = format
    window = [Float](repeating: 0, count: format.windowLength * format.channelCount)
  }

  /// Begins new audio with the given sample rate. The kernel of the previous audio is reused if the rates are the same.
  ///
  /// - Throws: `TaskError` if audio with this rate cannot be resampled.
  func begin(sampleRate: Double) throws(TaskError) {
    filledCount = 0
    piece.removeAll(keepingCapacity: true)
    usedCount = 0
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

  /// Processes audio that follows the previous audio, at the same rate.
  ///
  /// - Parameter body: Receives each full window.
  /// - Throws: `TaskError` if the channels don't match the model, and the errors of `body`. After an error, call
  ///   ``begin(sampleRate:)`` before more audio.
  func take(_ clip: AudioClip, _ body: (UnsafeBufferPointer<Float>) throws -> Void) throws {
    try format.requireChannels(of: clip)
    var start = 0
    while start < clip.frameCount {
      start = take(clip, from: start)
      while fill() { try window.withUnsafeBufferPointer(body) }
    }
  }

  /// Processes a piece of audio, once all windows that the previous piece completes were taken.
  ///
  /// - Parameters:
  ///   - clip: The audio, with channels that the model supports.
  ///   - start: The first frame of the piece, before the end of the audio.
  /// - Returns: The first frame after the piece.
  func take(_ clip: AudioClip, from start: Int) -> Int {
    piece.removeAll(keepingCapacity: true)
    usedCount = 0
    // Upsampling produces many more samples than the source has.
    let share = min(1, resampler?.ratio.exact ?? 1)
    let length = max(1, Int(Double(Self.maximumPiece) * share))
    let end = min(start + length, clip.frameCount)
    clip.samples.withUnsafeBufferPointer { samples in
      let frames = UnsafeBufferPointer(rebasing: samples[start * clip.channelCount..<end * clip.channelCount])
      mix(frames, channelCount: clip.channelCount) { frames in
        if resampler == nil { piece.append(contentsOf: frames) }
        resampler?.take(frames) { piece.append(contentsOf: $0) }
      }
    }
    return end
  }

  /// Processes the end of the audio: the samples that the resampler still holds.
  func takeEnd() {
    piece.removeAll(keepingCapacity: true)
    usedCount = 0
    resampler?.finish { piece.append(contentsOf: $0) }
  }

  /// Moves samples of the last piece to the window.
  ///
  /// - Returns: Whether the window is full. The next call begins another window.
  func fill() -> Bool {
    let count = min(piece.count - usedCount, window.count - filledCount)
    window.withUnsafeMutableBufferPointer { window in
      for index in 0..<count { window[filledCount + index] = piece[usedCount + index] }
    }
    usedCount += count
    filledCount += count
    guard filledCount == window.count else { return false }
    filledCount = 0
    return true
  }

  /// Pads the last window with silence.
  ///
  /// - Returns: Whether it has any samples of the audio.
  func fillUp() -> Bool {
    guard filledCount > 0 else { return false }
    for index in filledCount..<window.count { window[index] = 0 }
    filledCount = 0
    return true
  }

  /// Calls `body` with the full window.
  func withWindow<Result>(_ body: (UnsafeBufferPointer<Float>) throws -> Result) rethrows -> Result {
    try window.withUnsafeBufferPointer(body)
  }

  /// Mixes the channels to their mean if the model is mono.
  private func mix(
    _ frames: UnsafeBufferPointer<Float>, channelCount: Int, _ body: (UnsafeBufferPointer<Float>) -> Void
  ) {
    guard channelCount != format.channelCount else { return body(frames) }
    mixed.removeAll(keepingCapacity: true)
    for start in stride(from: 0, to: frames.count, by: channelCount) {
      var sum: Float = 0
      for channel in 0..<channelCount { sum += frames[start + channel] }
      mixed.append(sum / Float(channelCount))
    }
    mixed.withUnsafeBufferPointer(body)
  }
}

/// The windows of a clip, cut one by one. The last one is padded with silence.
///
/// - Thread safety: one caller at a time.
final class ClipWindows {
  private let clip: AudioClip
  private let maker: WindowMaker
  /// The first frame that was not processed.
  private var position = 0
  private var tookEnd = false
  /// The number of windows so far.
  private(set) var count = 0

  /// Creates the windows of a clip.
  ///
  /// - Parameter maker: The window maker, which must not be used for anything else meanwhile.
  /// - Throws: `TaskError` for a clip without samples, in a format that the model doesn't support, or with too many
  ///   windows.
  init(_ clip: AudioClip, _ maker: WindowMaker) throws(TaskError) {
    guard clip.frameCount > 0 else { throw TaskError(.invalidAudio, "the clip has no samples") }
    try maker.begin(sampleRate: clip.sampleRate)
    try maker.format.requireChannels(of: clip)
    try maker.format.requireFewWindows(of: clip)
    self.clip = clip
    self.maker = maker
  }

  /// The number of windows in total, or slightly more.
  var expectedCount: Int { Int(maker.format.windowCount(of: clip)) + 1 }

  /// Calls `body` with the next window and its start time.
  ///
  /// - Returns: The result of `body`; `nil` at the end of the clip.
  /// - Throws: `TaskError` for more windows than a call may have and after the deadline of the call, and the errors of
  ///   `body`.
  func next<Result>(_ body: (UnsafeBufferPointer<Float>, _ time: Duration) throws -> Result) throws -> Result? {
    guard try cut() else { return nil }
    guard count < AudioClassifier.maximumWindowCount else { throw AudioModelFormat.tooManyWindows(count + 1) }
    // Windows are consecutive, so the start time follows from the index.
    let time = maker.format.step * count
    count += 1
    return try maker.withWindow { try body($0, time) }
  }

  private func cut() throws(TaskError) -> Bool {
    var steps = StepCounter(every: 1)
    while !maker.fill() {
      try steps.step()
      if position < clip.frameCount {
        position = maker.take(clip, from: position)
      } else if !tookEnd {
        tookEnd = true
        maker.takeEnd()
      } else {
        return maker.fillUp()
      }
    }
    return true
  }
}
