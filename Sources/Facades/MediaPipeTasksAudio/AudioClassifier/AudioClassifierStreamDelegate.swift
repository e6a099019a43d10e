/// Receives the results of an audio classifier in stream mode.
///
/// The method is called on a serial queue of the task's own, in the order of the windows. The result has one element,
/// and the time is that at which the window begins. If the window failed, the result is `nil`, the time is the least
/// integer, and the error is an `NSError` of the tasks' domain. The method is optional.
#if canImport(ObjectiveC)
  @objc(MPPAudioClassifierStreamDelegate)
#endif
public protocol AudioClassifierStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Called with the result or the error of one window.
    @objc(audioClassifier:didFinishClassificationWithResult:timestampInMilliseconds:error:)
    optional func audioClassifier(
      _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  #else
    /// Called with the result or the error of one window.
    func audioClassifier(
      _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  #endif
}

#if !canImport(ObjectiveC)
  extension AudioClassifierStreamDelegate {
    /// Ignores the result.
    public func audioClassifier(
      _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) {}
  }
#endif

/// The delegate of an audio classifier under its other name in MediaPipe's headers.
public typealias AudioClassifierLiveStreamDelegate = AudioClassifierStreamDelegate
