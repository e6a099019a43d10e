/// Which points are smoothed over the frames of a video. Pictures that have nothing to do with each other never are.
public enum LandmarkSmoothing: Sendable, Hashable, CaseIterable {
  /// None: every frame's points are the model's own.
  case off
  /// Those of a task that looks for one thing at most, as MediaPipe does for faces and poses.
  case single
  /// Those of everything that is followed.
  case all

  /// Whether a task smooths.
  ///
  /// - Parameter limit: the most things that it looks for.
  func isOn(limit: Int) -> Bool {
    switch self {
    case .off: false
    case .single: limit == 1
    case .all: true
    }
  }
}
