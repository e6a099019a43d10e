import SwiftletBase
import SwiftletTasks

/// Cuts sound into the windows that a model takes: mixes channels, resamples, collects.
///
/// Sound is worked on in pieces of a few thousand frames, so that memory does not grow with a clip's length. One caller
/// at a time.
final class WindowMaker {
  let format: AudioModelFormat
  private var window: [Float]
  /// The number of samples that the window that is being filled has.
  private var filledCount = 0
  private var resampler: Resampler?
  private var mixed: [Float] = []
  /// The samples of the last piece, as the model takes them.
  private var piece: [Float] = []
  /// How many samples of ``piece`` are in windows.
  private var usedCount = 0

  /// The most frames that are worked on at once, of the source and of the result.
  private static let maximumPiece = 4096

  init(_ format: AudioModelFormat) {
    self.format = format
    window = [Float](repeating: 0, count: format.windowLength * format.channelCount)
  }

  /// Begins a new sound of that rate. Kernels of the last one are used again where the rates are the same.
  ///
  /// - Throws: `TaskError` when sound of that rate cannot be resampled.
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

  /// Takes sound that follows what was taken before, of the rate that was given for it.
  ///
  /// - Parameter body: gets each window that is full.
  /// - Throws: `TaskError` when the channels are not the model's, and what `body` throws; nothing more can be taken then
  ///   before the next ``begin(sampleRate:)``.
  func take(_ clip: AudioClip, _ body: (UnsafeBufferPointer<Float>) throws -> Void) throws {
    try format.requireChannels(of: clip)
    var start = 0
    while start < clip.frameCount {
      start = take(clip, from: start)
      while fill() { try window.withUnsafeBufferPointer(body) }
    }
  }

  /// Takes a piece of a sound, once all windows that the last piece fills were.
  ///
  /// - Parameters:
  ///   - clip: The sound, with channels that the model takes.
  ///   - start: The first frame of the piece, before the end of the sound.
  /// - Returns: The first frame behind the piece.
  func take(_ clip: AudioClip, from start: Int) -> Int {
    piece.removeAll(keepingCapacity: true)
    usedCount = 0
    // Sound of a low rate becomes many more samples.
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

  /// Takes the end of the sound: what the resampler still holds.
  func takeEnd() {
    piece.removeAll(keepingCapacity: true)
    usedCount = 0
    resampler?.finish { piece.append(contentsOf: $0) }
  }

  /// Moves samples of the last piece into the window.
  ///
  /// - Returns: Whether the window is full; the next call begins another.
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

  /// Fills the last window up with silence.
  ///
  /// - Returns: Whether it has any samples of the sound.
  func fillUp() -> Bool {
    guard filledCount > 0 else { return false }
    for index in filledCount..<window.count { window[index] = 0 }
    filledCount = 0
    return true
  }

  /// Gives `body` the window that is full.
  func withWindow<Result>(_ body: (UnsafeBufferPointer<Float>) throws -> Result) rethrows -> Result {
    try window.withUnsafeBufferPointer(body)
  }

  /// The mean of the channels, where the model takes one.
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

/// The windows of a clip, cut one after the other. The last one is filled up with silence.
///
/// One caller at a time.
final class ClipWindows {
  private let clip: AudioClip
  private let maker: WindowMaker
  /// The first frame that was not taken.
  private var position = 0
  private var tookEnd = false
  /// How many windows there were so far.
  private(set) var count = 0

  /// - Parameter maker: Cuts this clip and nothing else meanwhile.
  /// - Throws: `TaskError` for a clip without samples, of another format than the model can be given, or of too many
  ///   windows.
  init(_ clip: AudioClip, _ maker: WindowMaker) throws(TaskError) {
    guard clip.frameCount > 0 else { throw TaskError(.invalidAudio, "the clip has no samples") }
    try maker.begin(sampleRate: clip.sampleRate)
    try maker.format.requireChannels(of: clip)
    try maker.format.requireFewWindows(of: clip)
    self.clip = clip
    self.maker = maker
  }

  /// How many windows there will be, or somewhat more.
  var expectedCount: Int { Int(maker.format.windowCount(of: clip)) + 1 }

  /// Gives `body` the next window and the time at which it begins.
  ///
  /// - Returns: `nil` at the end of the clip.
  /// - Throws: `TaskError` for more windows than a call may have and after the deadline of the call, and what `body`
  ///   throws.
  func next<Result>(_ body: (UnsafeBufferPointer<Float>, _ time: Duration) throws -> Result) throws -> Result? {
    guard try cut() else { return nil }
    guard count < AudioClassifier.maximumWindowCount else { throw AudioModelFormat.tooManyWindows(count + 1) }
    // Windows follow one another, so their number says when each begins.
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
