public import SwiftletTasks

/// The results of a clip's windows, each computed when it is requested; see ``AudioClassifier/results(of:)``.
///
/// Each iterator classifies the clip from its beginning. Between two windows other calls of the task may run.
public struct ClipResults: Sequence, Sendable {
  /// What a window holds, with the time at which it begins; or why the classification ended there.
  public typealias Element = Swift.Result<ClassificationResult, TaskError>

  let clip: AudioClip
  let runner: AudioTaskRunner

  /// The results from the first window on.
  public func makeIterator() -> Iterator { Iterator(clip: clip, runner: runner) }

  /// Computes one result after the other.
  public struct Iterator: IteratorProtocol {
    let clip: AudioClip
    let runner: AudioTaskRunner
    /// Made for the first window.
    private var windows: ClipWindows?
    private var hasEnded = false

    init(clip: AudioClip, runner: AudioTaskRunner) {
      self.clip = clip
      self.runner = runner
    }

    /// The result of the next window; blocks until it is there. `nil` at the end of the clip, and after a failure.
    public mutating func next() -> Element? {
      guard !hasEnded else { return nil }
      do throws(TaskError) {
        let windows = if let windows { windows } else { try runner.windows(of: clip) }
        self.windows = windows
        if let result = try runner.result(ofNext: windows) { return .success(result) }
        hasEnded = true
        return nil
      } catch {
        hasEnded = true
        return .failure(error)
      }
    }
  }
}
