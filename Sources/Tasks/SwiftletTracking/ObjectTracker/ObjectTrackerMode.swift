/// How pictures come to an ``ObjectTracker``.
public enum ObjectTrackerMode: Int, Sendable, Hashable, CaseIterable {
  /// Pictures that have nothing to do with each other. Every result is complete, and objects have no IDs.
  case singleImage = 0
  /// The frames of a camera or a video. Objects have IDs by which they can be followed; their labels may come some
  /// frames later.
  case stream = 1
}
