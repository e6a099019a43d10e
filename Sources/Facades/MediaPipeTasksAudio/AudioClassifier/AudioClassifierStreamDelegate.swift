/// Receives the results of an audio classifier in stream mode.
public protocol AudioClassifierStreamDelegate: AnyObject {
  /// Called with the result or the error of one window.
  ///
  /// Called on a serial queue of the task's own, in the order of the windows.
  ///
  /// - Parameters:
  ///   - audioClassifier: the task that was sent the sound.
  ///   - result: what was found, with one element; `nil` when the window failed.
  ///   - timestampInMilliseconds: the time at which the window begins; the least integer when it failed.
  ///   - error: why the window failed: an `NSError` of the tasks' domain.
  func audioClassifier(
    _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
    timestampInMilliseconds: Int, error: (any Error)?)
}

extension AudioClassifierStreamDelegate {
  /// Ignores the result.
  public func audioClassifier(
    _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
    timestampInMilliseconds: Int, error: (any Error)?
  ) {}
}

/// The delegate of an audio classifier under its other name in MediaPipe's headers.
public typealias AudioClassifierLiveStreamDelegate = AudioClassifierStreamDelegate
