import SwiftletBase
import SwiftletTasks

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
